import BrushingTexts
import HubKit
import Localization

extension StringCatalog {
    /// The sentences of this companion, together with the hub's.
    static let brushing = StringCatalog.hub.merging(
        StringCatalog(embedded: brushingSentences()))
}
