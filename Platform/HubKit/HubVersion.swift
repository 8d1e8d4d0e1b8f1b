/// The version of the hub, as the changelog counts it.
public enum HubVersion {
    /// Semantic version, as `tandem --version` says it.
    public static let current = "0.1.0"
}
