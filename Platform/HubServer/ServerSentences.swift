import HubKit
import Localization

extension StringCatalog {
    /// The texts of the server itself, in all languages.
    static let server = StringCatalog.hub.merging(StringCatalog(embedded: PackageResources.Localizable_xcstrings))
}
