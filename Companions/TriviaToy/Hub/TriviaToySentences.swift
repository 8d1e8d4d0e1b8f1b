import HubKit
import Localization
import TriviaToyTexts

extension StringCatalog {
    /// The sentences of this companion, together with the hub's.
    static let triviaToy = StringCatalog.hub.merging(StringCatalog(embedded: triviaToySentences()))
}
