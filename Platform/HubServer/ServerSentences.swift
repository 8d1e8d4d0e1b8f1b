import HubKit
import HubServerTexts
import Localization

extension StringCatalog {
    /// The sentences of the server itself, in all languages that there are.
    static let server = StringCatalog.hub.merging(StringCatalog(embedded: hubServerSentences()))
}
