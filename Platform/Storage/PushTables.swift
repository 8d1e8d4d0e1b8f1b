import Foundation

extension Schema {
    /// Phones with subscriptions, what waits for them, and who was called beyond the house.
    static let push = """
        CREATE TABLE push_subscription(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            sign_in TEXT NOT NULL UNIQUE REFERENCES sign_in ON DELETE CASCADE,
            endpoint TEXT NOT NULL UNIQUE, p256dh BLOB NOT NULL, auth BLOB NOT NULL,
            -- What its page speaks, BCP 47; NULL where it did not say.
            language TEXT,
            created_at INTEGER NOT NULL, last_error TEXT, last_at INTEGER);
        -- Whose messages go to it.
        CREATE TABLE push_person(
            subscription TEXT NOT NULL REFERENCES push_subscription ON DELETE CASCADE,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            PRIMARY KEY(subscription, person)) WITHOUT ROWID;
        CREATE INDEX push_person_person ON push_person(person);
        -- What is still to be sent. One that was taken, or has grown too old, leaves no trace.
        CREATE TABLE push_message(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            subscription TEXT NOT NULL REFERENCES push_subscription ON DELETE CASCADE,
            person TEXT REFERENCES person ON DELETE CASCADE, topic TEXT, urgency TEXT NOT NULL,
            content BLOB NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL);
        CREATE INDEX push_message_next ON push_message(next_at);
        CREATE INDEX push_message_subscription ON push_message(subscription);
        -- Calls by host, purpose and the household's calendar day, such as 2026-11-21, with the bytes of their bodies.
        CREATE TABLE outbound_call(
            household TEXT NOT NULL REFERENCES household, host TEXT NOT NULL, purpose TEXT NOT NULL,
            day TEXT NOT NULL, calls INTEGER NOT NULL, bytes INTEGER NOT NULL, last_status INTEGER,
            last_at INTEGER NOT NULL, PRIMARY KEY(household, day, host, purpose)) WITHOUT ROWID;
        """
}

/// A phone that is notified while no page is open.
public struct PushSubscriptionRecord: TableRecord {
    public static let databaseTableName = "push_subscription"
    public var id: String
    public var household: String
    /// The sign-in it belongs to and ends with; each has at most one.
    public var signIn: String
    /// The address that its browser's push service gave it.
    public var endpoint: String
    /// The browser's public key, an uncompressed point of P-256.
    public var p256dh: Data
    /// The secret of the browser and the hub, 16 bytes.
    public var auth: Data
    /// UTC milliseconds.
    public var createdAt: Int64
    /// Why the last message did not arrive, in words for its owner; nil where it did.
    public var lastError: String?
    /// When a message was last taken or refused, UTC milliseconds.
    public var lastAt: Int64?
    /// What its page speaks (BCP 47); nil where it did not say.
    public var language: String?

    public init(
        id: String, household: String, signIn: String, endpoint: String, p256dh: Data, auth: Data, createdAt: Int64
    ) {
        self.id = id
        self.household = household
        self.signIn = signIn
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
        self.createdAt = createdAt
    }
}

/// A message on its way to one phone.
public struct PushMessageRecord: TableRecord {
    public static let databaseTableName = "push_message"
    /// In the order they came; nil before it is stored.
    public var id: Int64?
    public var subscription: String
    /// Whom it is about; it goes with them.
    public var person: String?
    /// A later one of the same topic takes its place.
    public var topic: String?
    public var urgency: String
    /// Readable: it is encrypted anew for each try.
    public var content: Data
    /// UTC milliseconds, as the others.
    public var createdAt: Int64
    public var expiresAt: Int64
    /// How often it was tried in vain.
    public var attempts: Int
    public var nextAt: Int64

    public init(
        subscription: String, person: String?, topic: String?, urgency: String, content: Data, createdAt: Int64,
        expiresAt: Int64
    ) {
        self.subscription = subscription
        self.person = person
        self.topic = topic
        self.urgency = urgency
        self.content = content
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        attempts = 0
        nextAt = createdAt
    }
}

/// How often the hub called a host on one day.
public struct OutboundCallRecord: TableRecord {
    public static let databaseTableName = "outbound_call"
    public var household: String
    public var host: String
    /// Why, such as `push`.
    public var purpose: String
    /// The household's calendar day, such as `2026-11-21`.
    public var day: String
    /// How many there were, those that nobody answered too.
    public var calls: Int
    /// What left the house in their bodies.
    public var bytes: Int
    /// The HTTP status of the last one; nil where no answer came.
    public var lastStatus: Int?
    /// UTC milliseconds.
    public var lastAt: Int64
}
