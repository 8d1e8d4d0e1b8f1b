/// An active session, as far as the hub has it; its bytes are stored in chunks beside it.
public struct ActiveSessionRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "active_session"
    /// The id of the household.
    public var household: String
    /// The id under which it is sent, in lower-case hexadecimal digits: ``session``, or that of a device's own copy of
    /// it.
    public var id: String
    /// The slug of the companion whose format its bytes have.
    public var companion: String
    /// The id of the session, as its bytes say it.
    public var session: String
    /// The id of the person.
    public var person: String
    /// The number of bytes that are stored.
    public var length: Int
    /// The CRC-32 of the bytes that are stored.
    public var checksum: UInt32
    /// The number of changes, by which a transaction recognises that something has changed since it was read.
    public var changes: Int
    /// The id of the sign-in whose page appended last.
    public var signIn: String
    /// The name of the browser that appended last.
    public var agent: String
    /// The time at which it began, in UTC milliseconds.
    public var startedAt: Int64
    /// The time at which it last grew, in UTC milliseconds by the hub's clock.
    public var seenAt: Int64
    /// The number of attempts to store it since then, after its page did not come back.
    public var tries = 0
    /// The time of the next attempt, in UTC milliseconds; nil for at once.
    public var retryAt: Int64?
    /// The reason why it could not be stored, for an adult.
    public var reason: String?
    /// The time at which the hub gave up until its next start, in UTC milliseconds; nil if it has not.
    public var failedAt: Int64?

    /// Creates a record.
    public init(
        household: String, id: String, companion: String, session: String, person: String, length: Int = 0,
        checksum: UInt32 = 0, changes: Int = 0, signIn: String, agent: String, startedAt: Int64, seenAt: Int64
    ) {
        self.household = household
        self.id = id
        self.companion = companion
        self.session = session
        self.person = person
        self.length = length
        self.checksum = checksum
        self.changes = changes
        self.signIn = signIn
        self.agent = agent
        self.startedAt = startedAt
        self.seenAt = seenAt
    }
}

/// A branch of a session: it differs from the one whose id it was delivered under.
public struct SessionBranchRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "session_branch"
    /// The id of the household.
    public var household: String
    /// The id under which the branch is stored.
    public var id: String
    /// The id under which it was delivered.
    public var root: String
    /// The id of the session that it shares the most events with.
    public var of: String
    /// The number of events that they share.
    public var common: Int

    /// Creates a record.
    public init(household: String, id: String, root: String, of: String, common: Int) {
        self.household = household
        self.id = id
        self.root = root
        self.of = of
        self.common = common
    }
}
