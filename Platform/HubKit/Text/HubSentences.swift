import HubKitTexts
import Localization
import Storage

extension StringCatalog {
    /// The texts of the platform, in all languages.
    public static let hub = StringCatalog.words.merging(
        StringCatalog(embedded: hubKitSentences()))
}

extension HouseholdRecord {
    /// The language in which the household was set up, for what reaches somebody whose own is not known; English without one.
    public var preferredLanguage: Language { language.map { Language($0) } ?? .english }
}

extension APIRequest {
    /// The language for the caller (RFC 9110, 12.5.4): the best match among those of the hub.
    public var language: Language {
        Language.preferred(acceptLanguage: header(.acceptLanguage) ?? "", among: StringCatalog.hub.languages)
    }

    /// The texts of the hub and all companions, in the caller's language.
    public var localized: Localizer { Localizer(language, from: sentences) }
}
