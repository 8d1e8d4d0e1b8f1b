import HubKit
import Localization
import MotionLabTexts

extension StringCatalog {
    /// What this companion says.
    static let motionLab = StringCatalog.hub.merging(StringCatalog(embedded: motionLabSentences()))
}
