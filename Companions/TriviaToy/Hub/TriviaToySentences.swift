import HubKit
import Localization

extension StringCatalog {
    /// What this companion says.
    static let triviaToy = StringCatalog.hub.merging(StringCatalog(embedded: PackageResources.Localizable_xcstrings))
}
