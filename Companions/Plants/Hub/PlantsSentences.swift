import HubKit
import Localization
import PlantsTexts

extension StringCatalog {
    /// The sentences of this companion, together with the hub's.
    static let plants = StringCatalog.hub.merging(StringCatalog(embedded: plantsSentences()))
}
