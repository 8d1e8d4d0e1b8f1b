import Foundation

/// One person's time with one companion, from start to end, as the events that it was made of.
public struct SessionRecord: TableRecord {
    public static let databaseTableName = "session"
    public var household: String
    /// Made by the client, in small hexadecimal digits; the household's.
    public var id: String
    public var person: String
    /// The slug of the companion whose engine understands `content`.
    public var companion: String
    /// UTC milliseconds, as every `At` of the records.
    public var startedAt: Int64
    public var endedAt: Int64
    /// Of the engine that made the events.
    public var engineVersion: Int
    /// The events in the engine's own codec, as they were delivered.
    public var content: Data
    /// SHA-256 of `content`.
    public var digest: Data
    /// Whether the client came to another result than the hub, which replayed the events.
    public var claimDiffers: Bool
    public var receivedAt: Int64

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
