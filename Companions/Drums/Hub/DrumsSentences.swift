import DrumsTexts
import HubKit
import Localization

extension StringCatalog {
    /// What this companion says.
    static let drums = StringCatalog.hub.merging(StringCatalog(embedded: drumsSentences()))
}
