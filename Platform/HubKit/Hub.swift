import Foundation
import Logging
import NIOCore
import Storage
import Synchronization
import TLS

/// What every part of the hub shares: the database, the clock, who may do what, and the ways to pages and devices.
public final class Hub: Sendable {
    /// Everything that is stored.
    public let database: HubDatabase
    /// How this run was started.
    public let settings: HubSettings
    /// The time, as all parts see it.
    public let clock: HubClock
    /// For the owner; no token and no child's data goes into it.
    public let log: Logger
    /// Unlike that of every other run: a page that returns knows by it whether its place in the stream still exists.
    public let boot: String
    /// Who may do what.
    public let policy = Policy()
    /// What open pages are told.
    public let live: Live
    /// People and their sign-ins.
    public let accounts: Accounts
    /// Devices and programs.
    public let devices: Devices
    /// What people are to be reminded of.
    public let reminders: Reminders
    /// The way to MQTT clients; silent until the listener stands.
    public let messages: MessageGate
    /// The way to hosts beyond the house, and the only one.
    public let outbound: Outbound
    /// Messages to phones whose page is closed.
    public let push: Push
    /// Tokens that hold for this run only, by which the hub's own virtual devices sign in.
    public let runTokens = RunTokens()

    /// - Parameter outbound: to whom the hub speaks on its own; another than this in tests only.
    public init(
        database: HubDatabase, settings: HubSettings, clock: HubClock = .system, log: Logger,
        outbound: OutboundPolicy = .pushServices
    ) {
        self.database = database
        self.settings = settings
        self.clock = clock
        self.log = log
        boot = Secret.identifier(length: 6)
        live = Live(boot: boot, clock: clock, policy: policy)
        messages = MessageGate()
        accounts = Accounts(database: database, clock: clock, cost: settings.passwordCost)
        devices = Devices(database: database, clock: clock)
        self.outbound = Outbound(policy: outbound, database: database, clock: clock, log: log)
        push = Push(
            database: database, clock: clock, outbound: self.outbound, live: live,
            subject: VAPID.subject(origin: settings.origin), log: log)
        reminders = Reminders(database: database, clock: clock, live: live, log: log)
    }

    /// The household of this hub; nil until the first account is made.
    public func household() async throws -> HouseholdRecord? {
        try await database.pool.read { db in try HouseholdRecord.fetchOne(db) }
    }

    /// The household's own time zone, by which days begin.
    public func timeZone() async throws -> TimeZone {
        try await household().flatMap { TimeZone(identifier: $0.timeZone) } ?? .current
    }
}

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
    /// Where everything is kept.
    public var dataFolder: String
    /// Original systems whose own protocols are spoken, by companion slug.
    public var legacy: Set<String> = []
    /// Anybody may publish and subscribe: for conformance suites, on loopback.
    public var isMQTTOpen = false
    /// HTTPS and MQTT with TLS on the local network; nil keeps the hub to its plain ports.
    public var lan: LanSettings?
    /// The one public address of the pages, `https://linden.local:8443`; nil where nothing but `host` is known.
    public var origin: String?
    /// Whose `X-Forwarded-` headers are believed.
    public var trustedProxies: [IPRange] = []
    /// What the clients of the pages may hold.
    public var connectionLimits = ConnectionLimits()
    /// Of new password hashes.
    public var passwordCost = PasswordHash.Cost.standard
    /// The most readings that wait for a commit before connections are read no further.
    public var recorderCapacity = 20_000
    /// The most series of one device: each name it makes up is one for ever.
    public var seriesPerDevice = 128
    /// A page gets at most one reading of a series in this time, the newest.
    public var liveIntervalMilliseconds: Int64 = 250

    public init(dataFolder: String) { self.dataFolder = dataFolder }

    /// Where something on the same machine reaches the MQTT listener.
    public var loopbackHost: String { host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host }
    /// Whether nothing but this machine can reach the plain ports.
    public var isPlainLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
    /// Whether nothing but this machine can reach the hub.
    public var isLoopback: Bool { isPlainLoopback && lan == nil }
}

/// The time, injected so that tests can move it.
public struct HubClock: Sendable {
    /// UTC milliseconds.
    public var now: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The system's wall clock.
    public static let system = HubClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Tokens that hold for one run of the hub.
public final class RunTokens: Sendable {
    private let tokens = Mutex<[String: String]>([:])

    /// The token of a device for this run, made at the first call.
    public func token(for device: String) -> String {
        tokens.withLock { tokens in
            if let token = tokens[device] { return token }
            let token = Secret.token()
            tokens[device] = token
            return token
        }
    }

    func holds(_ token: String, for device: String) -> Bool { tokens.withLock { $0[device] == token } }
}
