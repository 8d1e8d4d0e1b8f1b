import HubKit
import Localization
import PlantsTexts

extension StringCatalog {
    /// What this companion says.
    static let plants = StringCatalog.hub.merging(StringCatalog(embedded: plantsSentences()))
}
