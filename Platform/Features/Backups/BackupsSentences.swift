import BackupsTexts
import HubKit
import Localization

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let backups = StringCatalog.hub.merging(StringCatalog(embedded: backupsSentences()))
}
