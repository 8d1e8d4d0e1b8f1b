import FirmwareTexts
import HubKit
import Localization

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let firmware = StringCatalog.hub.merging(StringCatalog(embedded: firmwareSentences()))
}
