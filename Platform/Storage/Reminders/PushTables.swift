import Foundation

extension Schema {
    /// The tables of push subscriptions, messages that wait for them, and calls to hosts on the internet.
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

/// A push subscription of a phone, which is notified while no page is open.
public struct PushSubscriptionRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "push_subscription"
    /// The id.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The id of the sign-in that it belongs to and ends with; each has at most one.
    public var signIn: String
    /// The address that the browser's push service assigned.
    public var endpoint: String
    /// The browser's public key, an uncompressed point of P-256.
    public var p256dh: Data
    /// The shared secret of browser and hub, 16 bytes.
    public var auth: Data
    /// The time at which it was made, in UTC milliseconds.
    public var createdAt: Int64
    /// The reason why the last message was not delivered, in words for its owner; nil if it was.
    public var lastError: String?
    /// The time at which the push service last accepted or refused a message, in UTC milliseconds.
    public var lastAt: Int64?
    /// The language of its page (BCP 47); nil if unknown.
    public var language: String?

    /// Creates a record.
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
    /// The name of the table.
    public static let databaseTableName = "push_message"
    /// The id, in the order of the messages; nil before it is stored.
    public var id: Int64?
    /// The id of the subscription.
    public var subscription: String
    /// The id of the person it is about, with whom it is deleted.
    public var person: String?
    /// The topic; a later message of the same topic replaces it.
    public var topic: String?
    /// The urgency (RFC 8030, 5.3).
    public var urgency: String
    /// The content, not encrypted: it is encrypted anew for each attempt.
    public var content: Data
    /// The time at which it was queued, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it expires, in UTC milliseconds.
    public var expiresAt: Int64
    /// The number of failed attempts.
    public var attempts: Int
    /// The time of the next attempt, in UTC milliseconds.
    public var nextAt: Int64

    /// Creates a record.
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

/// The calls of the hub to one host on one day.
public struct OutboundCallRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "outbound_call"
    /// The id of the household.
    public var household: String
    /// The name of the host.
    public var host: String
    /// The purpose, such as `push`.
    public var purpose: String
    /// The household's calendar day, such as `2026-11-21`.
    public var day: String
    /// The number of calls, including those without a response.
    public var calls: Int
    /// The size of their bodies, in bytes.
    public var bytes: Int
    /// The HTTP status of the last response; nil if there was none.
    public var lastStatus: Int?
    /// The time of the last call, in UTC milliseconds.
    public var lastAt: Int64
}
