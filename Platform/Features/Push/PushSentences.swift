import HubKit
import Localization
import PushTexts

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let push = StringCatalog.hub.merging(StringCatalog(embedded: pushSentences()))
}
