import Foundation

/// What was answered to a request that brought an idempotency key: whoever sends it again gets the same.
public struct IdempotencyRecord: TableRecord {
    public static let databaseTableName = "receipt"
    public var household: String
    /// The key of the request's sender.
    public var id: String
    /// SHA-256 of what was sent.
    public var digest: Data
    /// The HTTP status of the answer.
    public var status: Int
    /// Nil where there was none, or where whom it named has gone.
    public var body: Data?
    /// The body's media type.
    public var type: String
    /// Whom the body names.
    public var person: String?
    /// UTC milliseconds.
    public var at: Int64
    /// Who was answered: the account, and who used the page. Nil in what an older hub kept.
    public var account: String?
    public var profile: String?

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
