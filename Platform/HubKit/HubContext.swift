import Foundation
import Logging
import Storage

/// The services of the hub that companions use: the database, the clock, the access policy, and the ways to pages,
/// devices and hosts on the internet. Those of the server alone, such as accounts, are in `ServerContext`, which
/// companions do not see.
public final class HubContext: Sendable {
    /// The database that holds all data.
    public let database: HubDatabase
    /// The settings that the hub was started with.
    public let settings: HubSettings
    /// The clock that all parts of the hub use.
    public let clock: HubClock
    /// The log, written for the owner. No token and no child's data may be logged.
    public let log: Logger
    /// A random id of this run of the hub, by which a page that reconnects knows whether its position in the stream of
    /// live messages is still valid.
    public let boot: String
    /// The rules that decide which caller may do what.
    public let policy: Policy
    /// The live messages to open pages.
    public let live: LiveEvents
    /// The reminders of all people.
    public let reminders: Reminders
    /// The sender of messages to MQTT clients. It drops them until the listener has started.
    public let messages: MessagePublisher
    /// The client for hosts on the internet, and the only one. It refuses calls until the server opens it.
    public let outbound = OutboundClient()
    /// The queue in which charts and reports are calculated.
    public let calculations: Calculations
    /// The hasher of passwords: of accounts, and of people who sign in to an original system that the hub replaces.
    public let passwords: PasswordHasher
    /// The tokens by which the hub's own virtual devices sign in, valid during this run only.
    public let ephemeralTokens = EphemeralDeviceTokens()
    /// The counters since the start of the hub.
    public let counts: HubCounts
    /// Whether the database can be written at the moment.
    public let storage = StorageState()
    /// The memory that the bodies of requests may use.
    package let bodyMemory: BodyMemory

    /// Creates a hub on an open database.
    public init(database: HubDatabase, settings: HubSettings, clock: HubClock = .system, log: Logger) {
        self.database = database
        self.settings = settings
        bodyMemory = BodyMemory(limitBytes: settings.connectionLimits.bodyMemoryBytes)
        self.clock = clock
        counts = HubCounts(startedAt: clock.now())
        self.log = log
        boot = Secret.identifier(length: 6)
        policy = Policy(limits: settings.policyLimits)
        live = LiveEvents(boot: boot, clock: clock, policy: policy)
        messages = MessagePublisher()
        passwords = PasswordHasher(settings.accountLimits)
        calculations = Calculations(limits: settings.calculationLimits)
        reminders = Reminders(database: database, clock: clock, live: live, log: log)
    }

    /// Opens a data folder and its database, for the hub or for a command that runs beside it.
    ///
    /// - Throws: `DataFolderError` or `HubDatabaseError`, in words for the person who typed the command.
    public convenience init(settings: HubSettings, log: Logger) throws {
        let folder = try DataFolder(path: settings.dataFolder)
        let database = try HubDatabase(path: folder.databasePath, migrations: Registry.migrations)
        self.init(database: database, settings: settings, log: log)
    }

    /// The household of this hub; nil until the first account is created.
    public func household() async throws -> HouseholdRecord? {
        try await database.pool.read { db in try HouseholdRecord.fetchOne(db) }
    }

    /// The people of a household, adults first, each group in the order in which they were added.
    public func people(household: String) async throws -> [PersonRecord] {
        try await database.pool.read { db in try PersonRecord.all(of: household, db) }
    }

    /// The household's time zone, by which days begin; the machine's until there is a household.
    public func timeZone() async throws -> TimeZone {
        try await household().flatMap { TimeZone(identifier: $0.timeZone) } ?? .current
    }
}

extension HubContext {
    /// The household of this hub, for a command that needs one, such as `tandem device add`.
    ///
    /// - Throws: `NoHousehold` until the first account is created.
    public func requiredHousehold() async throws -> HouseholdRecord {
        guard let household = try await household() else { throw NoHousehold() }
        return household
    }
}

/// The error of a command that needs a household, in a hub that has none.
public struct NoHousehold: Error, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    public var description: String {
        "This hub has no household yet. Start it and open its page, or run `tandem user add` first."
    }
}
