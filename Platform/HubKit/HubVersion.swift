/// The version of the hub.
public enum HubVersion {
    /// The semantic version, as `tandem --version` prints it and the changelog lists it.
    public static let current = "0.1.0"
}
