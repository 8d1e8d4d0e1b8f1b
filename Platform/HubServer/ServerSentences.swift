import Archive
import Backups
import HubKit
import HubServerTexts
import Localization
import Outbound
import Push
import Reminders

extension StringCatalog {
    /// The texts of the server and its features, in all languages.
    static let server = [StringCatalog.backups, .archive, .outbound, .push, .reminders].reduce(
        StringCatalog.hub.merging(StringCatalog(embedded: hubServerSentences()))
    ) { $0.merging($1) }
}
