/// The version of the hub, as the changelog counts it.
public enum HubVersion {
    public static let current = "0.1.0"
}
