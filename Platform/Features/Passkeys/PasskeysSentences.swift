import HubKit
import Localization
import PasskeysTexts

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let passkeys = StringCatalog.hub.merging(StringCatalog(embedded: passkeysSentences()))
}
