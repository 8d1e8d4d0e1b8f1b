import Accounts
import Archive
import Backups
import Bluetooth
import Devices
import Firmware
import HomeAssistant
import HubKit
import HubServerTexts
import Localization
import Outbound
import Passkeys
import Push
import Reminders

extension StringCatalog {
    /// The texts of the server and its features, in all languages.
    static let server = [
        StringCatalog.accounts, .backups, .archive, .bluetooth, .devices, .firmware, .homeAssistant, .outbound,
        .passkeys, .push,
        .reminders,
    ].reduce(
        StringCatalog.hub.merging(StringCatalog(embedded: hubServerSentences()))
    ) { $0.merging($1) }
}
