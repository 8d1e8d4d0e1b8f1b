import HubKit
import HubServerTexts
import Localization

extension StringCatalog {
    /// What the server says itself, in all languages that there are.
    static let server = StringCatalog.hub.merging(StringCatalog(embedded: hubServerSentences()))
}
