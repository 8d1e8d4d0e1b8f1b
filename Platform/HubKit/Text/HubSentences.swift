import HubKitTexts
import Localization

extension StringCatalog {
    /// The texts of the platform, in all languages.
    public static let hub = StringCatalog.words.merging(
        StringCatalog(embedded: hubKitSentences()))
}

extension APIRequest {
    /// The language for the caller (RFC 9110, 12.5.4): the best match among those of the hub.
    public var language: Language {
        Language.preferred(acceptLanguage: header(.acceptLanguage) ?? "", among: StringCatalog.hub.languages)
    }

    /// The texts of the hub and all companions, in the caller's language.
    public var localized: Localizer { Localizer(language, from: sentences) }
}
