import DrumsTexts
import HubKit
import Localization

extension StringCatalog {
    /// The sentences of this companion, together with the hub's.
    static let drums = StringCatalog.hub.merging(StringCatalog(embedded: drumsSentences()))
}
