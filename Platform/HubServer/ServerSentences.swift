import HubKit
import Localization

extension StringCatalog {
    /// What the server says itself, in all languages that there are.
    static let server = StringCatalog.hub.merging(StringCatalog(embedded: PackageResources.Localizable_xcstrings))
}
