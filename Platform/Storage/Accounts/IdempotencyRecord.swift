import Foundation

extension Schema {
    /// The table of responses to requests with an idempotency key.
    static let idempotency = """
        -- The key of the request's sender, the SHA-256 of what was sent, and what was answered: the HTTP status, and a body,
        -- NULL where there was none, or where whom it names has gone.
        CREATE TABLE idempotency_key(
            household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL, digest BLOB NOT NULL,
            status INTEGER NOT NULL, body BLOB, type TEXT NOT NULL, person TEXT, at INTEGER NOT NULL,
            -- Who was answered: the account, and who used the page.
            account TEXT NOT NULL, profile TEXT NOT NULL, PRIMARY KEY(household, id)) WITHOUT ROWID;
        CREATE INDEX idempotency_key_at ON idempotency_key(at);
        """
}

/// The response to a request with an idempotency key, which is repeated if the request is.
public struct IdempotencyRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "idempotency_key"
    /// The id of the household.
    public var household: String
    /// The idempotency key of the request.
    public var id: String
    /// The SHA-256 of the request.
    public var digest: Data
    /// The HTTP status of the response.
    public var status: Int
    /// The body; nil if there was none, or its person was removed.
    public var body: Data?
    /// The media type of the body.
    public var type: String
    /// The id of the person whom the body is about.
    public var person: String?
    /// The time of the response, in UTC milliseconds.
    public var at: Int64
    /// The id of the account that received the response.
    public var account: String
    /// The id of the profile that received the response.
    public var profile: String

    /// Creates a record.
    public init(
        household: String, id: String, digest: Data, status: Int, body: Data?, type: String, person: String?, at: Int64,
        account: String, profile: String
    ) {
        self.household = household
        self.id = id
        self.digest = digest
        self.status = status
        self.body = body
        self.type = type
        self.person = person
        self.at = at
        self.account = account
        self.profile = profile
    }
}
