import Foundation

/// The response to a request with an idempotency key, which is repeated if the request is.
public struct IdempotencyRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "receipt"
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
    /// The id of the account that received the response; nil in rows of older hubs.
    public var account: String?
    /// The id of the profile that received the response; nil in rows of older hubs.
    public var profile: String?

    /// Creates a record.
    public init(
        household: String, id: String, digest: Data, status: Int, body: Data?, type: String, person: String?, at: Int64,
        account: String? = nil, profile: String? = nil
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
