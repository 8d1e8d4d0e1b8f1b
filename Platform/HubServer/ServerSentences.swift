import Archive
import Backups
import HubKit
import HubServerTexts
import Localization
import Outbound
import Push

extension StringCatalog {
    /// The texts of the server and its features, in all languages.
    static let server = [StringCatalog.backups, .archive, .outbound, .push].reduce(
        StringCatalog.hub.merging(StringCatalog(embedded: hubServerSentences()))
    ) { $0.merging($1) }
}
