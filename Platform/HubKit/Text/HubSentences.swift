import HubKitTexts
import Localization

extension StringCatalog {
    /// What the platform says, in all languages that there are.
    public static let hub = StringCatalog.words.merging(
        StringCatalog(embedded: hubKitSentences()))
}

extension APIRequest {
    /// The language in which whoever asks reads (RFC 9110, 12.5.4): of those that the hub speaks, the best.
    public var language: Language {
        Language.preferred(acceptLanguage: header(.acceptLanguage) ?? "", among: StringCatalog.hub.languages)
    }

    /// Says what the hub and all companions have written in the language of whoever asks.
    public var localized: Localizer { Localizer(language, from: sentences) }
}
