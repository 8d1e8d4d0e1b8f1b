import HubKit

/// The account of the sample household that `tandem demo` starts with.
public enum SampleAccount {
    /// What somebody signs in with.
    public static let email = "demo@tandem.local"

    /// Its password: a well-known one where nothing but this machine reaches the hub, otherwise a new one for each run.
    ///
    /// A hub that has an address of its own, or a proxy in front of it, is reached from elsewhere, although it listens on
    /// loopback itself.
    public static func password(_ settings: HubSettings) -> String {
        let isForThisMachine = settings.isLoopback && settings.trustedProxies.isEmpty && settings.origin == nil
        return isForThisMachine ? "tandem-demo" : Secret.identifier(length: 16)
    }
}
