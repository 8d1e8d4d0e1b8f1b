import HubKit
import Localization
import OutboundTexts

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let outbound = StringCatalog.hub.merging(StringCatalog(embedded: outboundSentences()))
}
