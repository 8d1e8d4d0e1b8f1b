import HubKit
import Localization
import MotionLabTexts

extension StringCatalog {
    /// The sentences of this companion, together with the hub's.
    static let motionLab = StringCatalog.hub.merging(StringCatalog(embedded: motionLabSentences()))
}
