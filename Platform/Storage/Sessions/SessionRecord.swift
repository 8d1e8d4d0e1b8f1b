import Foundation

/// A recorded session of one person with one companion, as the events of which it consists.
public struct SessionRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "session"
    /// The id of the household.
    public var household: String
    /// The id that the client made, in lower-case hexadecimal digits, unique in the household.
    public var id: String
    /// The id of the person.
    public var person: String
    /// The slug of the companion whose engine understands `content`.
    public var companion: String
    /// The time at which it began, in UTC milliseconds.
    public var startedAt: Int64
    /// The time at which it ended, in UTC milliseconds.
    public var endedAt: Int64
    /// The version of the engine that recorded the events.
    public var engineVersion: Int
    /// The events in the engine's own codec, as they were delivered.
    public var content: Data
    /// SHA-256 of `content`.
    public var digest: Data
    /// Whether the client's result differs from the hub's, which replayed the events.
    public var claimDiffers: Bool
    /// The time at which it was delivered, in UTC milliseconds.
    public var receivedAt: Int64

    /// Creates a record.
    public init(
        household: String, id: String, person: String, companion: String, startedAt: Int64, endedAt: Int64,
        engineVersion: Int, content: Data, digest: Data, claimDiffers: Bool, receivedAt: Int64
    ) {
        self.household = household
        self.id = id
        self.person = person
        self.companion = companion
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.engineVersion = engineVersion
        self.content = content
        self.digest = digest
        self.claimDiffers = claimDiffers
        self.receivedAt = receivedAt
    }
}
