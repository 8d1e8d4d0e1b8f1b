import HubKit
import HubServerTexts
import Localization

extension StringCatalog {
    /// The texts of the server, in all languages.
    static let server = StringCatalog.hub.merging(StringCatalog(embedded: hubServerSentences()))
}
