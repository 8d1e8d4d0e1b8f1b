/// A session that goes on, as far as the hub has it; its bytes are in chunks beside it.
public struct ActiveSessionRecord: TableRecord {
    public static let databaseTableName = "active_session"
    public var household: String
    /// Under which it is sent, in small hexadecimal digits: ``session``, or that of a device's own copy of it.
    public var id: String
    /// The slug of the companion whose format its bytes have.
    public var companion: String
    /// The id of the session, as its bytes say it.
    public var session: String
    public var person: String
    /// Bytes that are stored.
    public var length: Int
    /// CRC-32 of all of them.
    public var checksum: UInt32
    /// Counts up with each change: what was read before a transaction is compared with it inside.
    public var changes: Int
    /// The sign-in whose page appended last.
    public var signIn: String
    /// What that browser calls itself.
    public var agent: String
    /// UTC milliseconds, as every `At` of the records.
    public var startedAt: Int64
    /// When something was appended last, by the hub's clock.
    public var seenAt: Int64
    /// How often the hub tried to store it since then, for a page that did not come back.
    public var tries = 0
    /// When it tries again; nil for at once.
    public var retryAt: Int64?
    /// Why it could not be stored, for an adult to read.
    public var reason: String?
    /// Since when it is not tried any more but when the hub starts; nil while it is.
    public var failedAt: Int64?

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

/// A session that went another way than the one whose id it was sent under.
public struct SessionBranchRecord: TableRecord {
    public static let databaseTableName = "session_branch"
    public var household: String
    public var id: String
    /// The id that both devices delivered.
    public var root: String
    /// Of the session that it shares most of its beginning with.
    public var of: String
    /// How much that is, in what the companion counts: events.
    public var common: Int

    public init(household: String, id: String, root: String, of: String, common: Int) {
        self.household = household
        self.id = id
        self.root = root
        self.of = of
        self.common = common
    }
}
