import Foundation
import Logging
import Storage

/// What companions have of the hub, and what its own parts share: the database, the clock, who may do what, and the ways to
/// pages, devices and hosts beyond the house. What the server has besides, such as accounts, is in `HubServices`.
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
    public let policy: Policy
    /// What open pages are sent.
    public let live: Live
    /// What people are to be reminded of.
    public let reminders: Reminders
    /// The way to MQTT clients; silent until the listener stands.
    public let messages: MessageGate
    /// The way to hosts beyond the house, and the only one; closed until the server opens it.
    public let outbound = OutboundGate()
    /// Where charts and reports are calculated.
    public let calculations: Calculations
    /// Hashes passwords, of accounts and of those who sign in to an original system that the hub speaks for.
    public let passwords: PasswordHasher
    /// Tokens that hold for this run only, by which the hub's own virtual devices sign in.
    public let runTokens = RunTokens()
    /// What has happened since the start, in numbers.
    public let counts: HubCounts
    /// Whether it can store at the moment.
    public let storage = StorageState()
    /// What requests hold of the memory.
    package let bodyMemory: BodyMemory

    /// A hub on an open database.
    public init(database: HubDatabase, settings: HubSettings, clock: HubClock = .system, log: Logger) {
        self.database = database
        self.settings = settings
        bodyMemory = BodyMemory(limitBytes: settings.connectionLimits.bodyMemoryBytes)
        self.clock = clock
        counts = HubCounts(startedAt: clock.now())
        self.log = log
        boot = Secret.identifier(length: 6)
        policy = Policy(limits: settings.policyLimits)
        live = Live(boot: boot, clock: clock, policy: policy)
        messages = MessageGate()
        passwords = PasswordHasher(settings.accountLimits)
        calculations = Calculations(limits: settings.calculationLimits)
        reminders = Reminders(database: database, clock: clock, live: live, log: log)
    }

    /// Opens a data folder for the hub, or for a command that runs beside it.
    ///
    /// - Throws: `DataFolderError` or `HubDatabaseError`, in words for whoever typed the command.
    public convenience init(settings: HubSettings, log: Logger) throws {
        let folder = try DataFolder(path: settings.dataFolder)
        let database = try HubDatabase(path: folder.databasePath, migrations: Registry.migrations)
        self.init(database: database, settings: settings, log: log)
    }

    /// The household of this hub; nil until the first account is made.
    public func household() async throws -> HouseholdRecord? {
        try await database.pool.read { db in try HouseholdRecord.fetchOne(db) }
    }

    /// Everybody of a household, adults first, in the order they came.
    public func people(household: String) async throws -> [PersonRecord] {
        try await database.pool.read { db in try PersonRecord.all(of: household, db) }
    }

    /// The household's own time zone, by which days begin.
    public func timeZone() async throws -> TimeZone {
        try await household().flatMap { TimeZone(identifier: $0.timeZone) } ?? .current
    }
}

extension Hub {
    /// The household, which a command such as `tandem device add` needs.
    ///
    /// - Throws: `NoHousehold` while there is none.
    public func requiredHousehold() async throws -> HouseholdRecord {
        guard let household = try await household() else { throw NoHousehold() }
        return household
    }
}

/// A command that needs a household found an empty hub.
public struct NoHousehold: Error, CustomStringConvertible {
    /// There is none.
    public init() {}

    public var description: String {
        "This hub has no household yet. Start it and open its page, or run `tandem user add` first."
    }
}
