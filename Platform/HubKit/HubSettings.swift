import Admission
import MQTT

/// How the hub was started.
public struct HubSettings: Sendable {
    /// What the hub calls itself on its pages.
    public var name = "Tandem"
    /// The address that both listeners bind.
    public var host = "127.0.0.1"
    /// Of the page and the API.
    public var port = 8080
    /// Of MQTT.
    public var mqttPort = 1883
    /// Where everything is stored.
    public var dataFolder: String
    /// Original systems whose own protocols are spoken, by companion slug.
    public var legacy: Set<String> = []
    /// The address at which these have a listener of their own, plain MQTT for their topics alone. Nil where their clients
    /// come to the plain port on ``host``.
    public var legacyHost: String?
    /// The port of that listener. The original apps know no other than MQTT's own.
    public var legacyPort = 1883
    /// Anybody may publish and subscribe: for conformance suites, on loopback.
    public var isMQTTOpen = false
    /// HTTPS and MQTT with TLS on the local network; nil keeps the hub to its plain ports.
    public var lan: LANSettings?
    /// The one public address of the pages, `https://linden.local:8443`; nil where nothing but `host` is known.
    public var origin: String?
    /// Whose `X-Forwarded-` headers are believed.
    public var trustedProxies: [IPRange] = []
    /// What the clients of the pages may hold.
    public var connectionLimits = ConnectionLimits()
    /// What decides about who may do what measures by.
    public var policyLimits = PolicyLimits()
    /// What protects accounts against whoever guesses.
    public var accountLimits = AccountLimits()
    /// How much may be calculated at once, and wait for it.
    public var calculationLimits = Calculations.Limits()
    /// What MQTT clients may cost.
    public var messageLimits = Limits()
    /// Of new password hashes.
    public var passwordCost = PasswordCost.standard
    /// The most readings that wait for a commit before connections are read no further.
    public var recorderCapacity = 20_000
    /// The least time from one commit of few readings to the next, in which more of them gather; 0 commits at once. Who
    /// publishes after some silence does not wait for it.
    public var commitIntervalMilliseconds: Int64 = 0
    /// The most series of one device: each name it makes up is one for ever.
    public var seriesPerDevice = 128
    /// A page gets at most one reading of a series in this time, the newest.
    public var liveIntervalMilliseconds: Int64 = 250

    /// How old readings stay rows before they are packed into blocks, days, at least 1: late ones cost more from then on.
    public var sealAfterDays = HubSettings.usualSealAfterDays
    /// Without another decision: most of what comes late comes within three days.
    public static let usualSealAfterDays = 3
    /// How old they may stay so: from a day to a hundred years.
    public static let sealAfterDaysBounds = 1...36_500
    /// What to do about others, for whoever gave a flag of this name.
    public static func sealAfterDaysRefusal(flag: String) -> String {
        let bounds = sealAfterDaysBounds
        return
            "\(flag) is a number of days from \(bounds.lowerBound) to \(bounds.upperBound). Give one of these, or leave it out for \(usualSealAfterDays)."
    }

    /// Whether a backup is made each night.
    public var backsUpNightly = true
    /// Where backups are kept, such as on another disk; nil for `backups` in the data folder.
    public var backupFolder: String?

    public init(dataFolder: String) { self.dataFolder = dataFolder }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { IPRange($0) }

    /// Whether an address brings many clients, each of them somebody else: this machine's own, and a trusted proxy's.
    public func isShared(_ address: IPAddress?) -> Bool {
        guard let address else { return false }
        return (Self.loopback + trustedProxies).contains { $0.contains(address) }
    }

    /// Where something on the same machine reaches the MQTT listener.
    public var loopbackHost: String { host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host }
    /// Whether nothing but this machine can reach the plain ports.
    public var isPlainLoopback: Bool { Self.isLoopback(host) }
    /// Whether the original systems' clients can come from this machine alone.
    public var isLegacyLoopback: Bool { Self.isLoopback(legacyHost ?? host) }
    /// Whether nothing but this machine can reach the hub.
    public var isLoopback: Bool { isPlainLoopback && isLegacyLoopback && lan == nil }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

/// How the hub is reached from the local network.
public struct LANSettings: Sendable {
    /// The label of the hub's name on the network, `linden` of `linden.local`; nil takes the one that is stored, at the first
    /// start the machine's.
    public var name: String?
    /// Of HTTPS.
    public var httpsPort = 8443
    /// Of MQTT with TLS.
    public var mqttsPort = 8883
    /// Paths of a certificate chain and its key in PEM form, in place of the hub's own authority.
    public var ownCertificate: (certificate: String, key: String)?
    /// The address that the listeners bind: all of the machine's.
    public var host = "::"

    /// The hub's own authority, the machine's name, and the usual ports.
    public init() {}
}
