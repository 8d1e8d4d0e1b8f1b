import BrushingTexts
import HubKit
import Localization

extension StringCatalog {
    /// What this companion says.
    static let brushing = StringCatalog.hub.merging(
        StringCatalog(embedded: brushingSentences()))
}
