import HubKit
import Localization
import TriviaToyTexts

extension StringCatalog {
    /// What this companion says.
    static let triviaToy = StringCatalog.hub.merging(StringCatalog(embedded: triviaToySentences()))
}
