import Foundation
import Logging
import NIOCore
import Storage
import Synchronization

/// What every part of the hub shares: the database, the clock, who may do what, and the ways to pages and devices.
public final class Hub: Sendable {
    public let database: HubDatabase
    public let settings: HubSettings
    public let clock: HubClock
    public let log: Logger
    /// Unlike that of every other run: a page that returns knows by it whether its place in the stream still exists.
    public let boot: String
    public let policy = Policy()
    public let live: Live
    public let accounts: Accounts
    public let devices: Devices
    /// The way to MQTT clients; silent until the listener stands.
    public let messages: MessageGate
    /// Tokens that hold for this run only, by which the hub's own virtual devices sign in.
    public let runTokens = RunTokens()

    public init(database: HubDatabase, settings: HubSettings, clock: HubClock = .system, log: Logger) {
        self.database = database
        self.settings = settings
        self.clock = clock
        self.log = log
        boot = Secret.identifier(length: 6)
        live = Live(boot: boot, clock: clock, policy: policy)
        messages = MessageGate()
        accounts = Accounts(database: database, clock: clock, cost: settings.passwordCost)
        devices = Devices(database: database, clock: clock)
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
    public var name = "Tandem"
    public var host = "127.0.0.1"
    public var port = 8080
    public var mqttPort = 1883
    public var dataFolder: String
    /// The folder that `make web` assembled; nil serves the API alone.
    public var webFolder: String?
    /// Original systems whose own protocols are spoken, by companion slug.
    public var legacy: Set<String> = []
    /// Anybody may publish and subscribe: for conformance suites, on loopback.
    public var isMQTTOpen = false
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
    /// Whether nothing but this machine can reach the hub.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}

/// The time, injected so that tests can move it.
public struct HubClock: Sendable {
    /// UTC milliseconds.
    public var now: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> Int64) { self.now = now }

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
