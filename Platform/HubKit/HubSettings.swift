import Admission
import MQTT

/// The settings that the hub was started with.
public struct HubSettings: Sendable {
    /// The hub's name, as its pages show it.
    public var name = "Tandem"
    /// The address that the plain HTTP and MQTT listeners bind to.
    public var host = "127.0.0.1"
    /// The port of the page and the API.
    public var port = 8080
    /// The port of MQTT.
    public var mqttPort = 1883
    /// The path of the data folder.
    public var dataFolder: String
    /// The slugs of the companions whose original protocols are spoken.
    public var legacy: Set<String> = []
    /// The address of a separate listener for the original protocols, plain MQTT with their topics alone. If nil, their
    /// clients use the plain MQTT port on ``host``.
    public var legacyHost: String?
    /// The port of the separate listener. The original apps know only MQTT's standard port.
    public var legacyPort = 1883
    /// The port at ``legacyHost`` for plain HTTP with the original systems' routes alone; nil for none. The original
    /// clients know only HTTP's standard port, 80.
    public var legacyHTTPPort: Int?
    /// The address of a separate listener for devices that speak no TLS, plain MQTT for kinds that declare it alone; nil
    /// for none.
    public var plainMQTTHost: String?
    /// The port of that listener.
    public var plainMQTTPort = 1884
    /// The address of the broker of the house that the hub is a client of, such as `mqtts://homeassistant.local`, with name and
    /// password; nil for the one that an adult has chosen on the page.
    public var broker: String?
    /// Whether anyone may publish and subscribe without a token: for conformance tests, on loopback.
    public var isMQTTOpen = false
    /// The settings for HTTPS and MQTT over TLS on the local network; nil for the plain ports alone.
    public var lan: LANSettings?
    /// The public address of the pages, such as `https://linden.local:8443`; nil if only ``host`` is known.
    public var origin: String?
    /// The addresses of proxies whose `X-Forwarded-` headers are trusted.
    public var trustedProxies: [IPRange] = []
    /// The limits for the connections of HTTP clients.
    public var connectionLimits = ConnectionLimits()
    /// The limits that the access policy applies.
    public var policyLimits = PolicyLimits()
    /// The limits that protect accounts against guessed passwords.
    public var accountLimits = AccountLimits()
    /// The limits for charts and reports that are calculated at once.
    public var calculationLimits = Calculations.Limits()
    /// The limits for MQTT clients.
    public var messageLimits = Limits()
    /// The cost of new password hashes.
    public var passwordCost = PasswordCost.standard
    /// The number of readings that may wait for a commit. Beyond it, the hub stops reading from MQTT connections until
    /// there is room.
    public var batchWriterCapacity = 20_000
    /// The least time between two commits of few readings, in milliseconds, so that more readings share a commit; 0
    /// commits at once. The first reading after a pause is never delayed.
    public var commitIntervalMilliseconds: Int64 = 0
    /// The number of series that one device may have. Each name that a device makes up is a series for ever.
    public var seriesPerDevice = 128
    /// The interval, in milliseconds, in which a page is sent at most one reading of a series, the newest.
    public var liveIntervalMilliseconds: Int64 = 250

    /// The age in days at which readings are packed into compressed blocks, at least 1. Readings that arrive later than
    /// that cost more to store.
    public var sealAfterDays = HubSettings.usualSealAfterDays
    /// The default of ``sealAfterDays``: most late readings arrive within three days.
    public static let usualSealAfterDays = 3
    /// The values that ``sealAfterDays`` may have.
    public static let sealAfterDaysBounds = 1...36_500
    /// The error message for a value outside of ``sealAfterDaysBounds``.
    ///
    /// - Parameter flag: the command-line flag that was given, such as `--seal-after-days`.
    public static func sealAfterDaysRefusal(flag: String) -> String {
        let bounds = sealAfterDaysBounds
        return
            "\(flag) is a number of days from \(bounds.lowerBound) to \(bounds.upperBound). Give one of these, or leave it out for \(usualSealAfterDays)."
    }

    /// Whether a backup is made every night.
    public var backsUpNightly = true
    /// The path of the folder for backups, such as one on another disk; nil for `backups` in the data folder.
    public var backupFolder: String?

    /// Creates the default settings for a data folder.
    public init(dataFolder: String) { self.dataFolder = dataFolder }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { IPRange($0) }

    /// Whether an address is shared by many clients: an address of this machine, or a trusted proxy's.
    public func isShared(_ address: IPAddress?) -> Bool {
        guard let address else { return false }
        return (Self.loopback + trustedProxies).contains { $0.contains(address) }
    }

    /// The address by which a program on the same machine reaches the MQTT listener.
    public var loopbackHost: String { host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host }
    /// Whether the plain ports can be reached from this machine only.
    public var isPlainLoopback: Bool { Self.isLoopback(host) }
    /// Whether the original protocols can be reached from this machine only.
    public var isLegacyLoopback: Bool { Self.isLoopback(legacyHost ?? host) }
    /// Whether the hub can be reached from this machine only.
    public var isLoopback: Bool {
        isPlainLoopback && isLegacyLoopback && lan == nil && plainMQTTHost.map(Self.isLoopback) != false
    }

    /// The port of MQTT without TLS for a device that reaches the hub by a host; nil where none listens there for it.
    public func plainMQTTPort(reachedBy host: String) -> Int? {
        if Self.isLoopback(host) { return mqttPort }
        if plainMQTTHost != nil { return plainMQTTPort }
        return isPlainLoopback ? nil : mqttPort
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

/// The settings for HTTPS and MQTT over TLS on the local network.
public struct LANSettings: Sendable {
    /// The first label of the hub's host name, such as `linden` of `linden.local`; nil for the stored one, which at the
    /// first start is the machine's.
    public var name: String?
    /// The port of HTTPS.
    public var httpsPort = 8443
    /// The port of MQTT over TLS.
    public var mqttsPort = 8883
    /// The paths of a certificate chain and its private key in PEM form; nil for a certificate by the hub's own
    /// authority.
    public var ownCertificate: (certificate: String, key: String)?
    /// The address that the listeners bind to; by default all of the machine's.
    public var host = "::"

    /// Creates the default settings: the hub's own certificate authority, the machine's name, and the usual ports.
    public init() {}
}
