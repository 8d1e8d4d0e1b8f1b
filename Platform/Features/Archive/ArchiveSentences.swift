import ArchiveTexts
import HubKit
import Localization

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let archive = StringCatalog.hub.merging(StringCatalog(embedded: archiveSentences()))
}
