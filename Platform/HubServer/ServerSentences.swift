import Accounts
import Archive
import Backups
import Devices
import HubKit
import HubServerTexts
import Localization
import Outbound
import Push
import Reminders

extension StringCatalog {
    /// The texts of the server and its features, in all languages.
    static let server = [StringCatalog.accounts, .backups, .archive, .devices, .outbound, .push, .reminders].reduce(
        StringCatalog.hub.merging(StringCatalog(embedded: hubServerSentences()))
    ) { $0.merging($1) }
}
