import HubKit
import Localization

/// The account of the sample household of `tandem demo`.
public enum SampleAccount {
    /// The e-mail address.
    public static let email = "demo@tandem.local"

    /// The name of the household, in a language.
    public static func household(in language: Language) -> String {
        LocalizedText("Linden Street 5").string(in: language, from: .accounts)
    }

    /// The password: a well-known one if only this machine can reach the hub, otherwise a new one for each run.
    ///
    /// A hub with a public address of its own, or behind a proxy, can be reached from elsewhere even if it listens on
    /// loopback.
    public static func password(_ settings: HubSettings) -> String {
        let isForThisMachine = settings.isLoopback && settings.trustedProxies.isEmpty && settings.origin == nil
        return isForThisMachine ? "tandem-demo" : Secret.identifier(length: 16)
    }
}
