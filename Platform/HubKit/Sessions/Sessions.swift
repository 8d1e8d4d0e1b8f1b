import Crypto
import Foundation
import GRDB
import Storage

/// The table of all companions' sessions. Each is stored once, under the id that its client made, however often it is
/// delivered.
///
/// A companion reads what was delivered with its engine, stores it here, and stores its own result in the same
/// transaction.
public enum Sessions {
    /// The outcome of storing a session.
    public enum Stored: Sendable, Equatable {
        /// A new session; its companion stores its result too.
        case new
        /// A session that was stored before, with this content or more.
        case again
        /// New content in place of what the hub had closed before all of it arrived; the companion replaces its result
        /// too.
        case replaced
    }

    /// The relation of new content to the content that is stored under its id, as the companion's engine finds it.
    public enum Relation: Sendable, Equatable {
        /// Different sessions, or two that differ after some events.
        case other
        /// The stored content contains all of the new content.
        case known
        /// The new content continues stored content that the hub had closed.
        case goesOn
    }

    /// Stores a session, in the caller's transaction.
    ///
    /// - Parameters:
    ///   - record: the session.
    ///   - relation: compares the session with the stored one of the same companion and person, if their bytes differ.
    ///     Only content that the hub itself had closed may be continued.
    /// - Throws: a 409 problem if the household has other content under the id: what a person delivered is never
    ///   overwritten.
    public static func store(
        _ record: SessionRecord, _ db: Database, relation: (SessionRecord) -> Relation = { _ in .other }
    ) throws -> Stored {
        guard let stored = try find(record.id, household: record.household, db) else {
            try record.insert(db)
            return .new
        }
        guard stored.companion == record.companion else { throw other }
        if stored.digest == record.digest { return .again }
        guard stored.person == record.person else { throw other }
        switch relation(stored) {
        case .other: throw other
        case .known: return .again
        case .goesOn:
            try record.update(db)
            return .replaced
        }
    }

    /// The problem of a household that has other content under the id.
    static let other = Problem(
        .conflict, "Another session",
        "There is a session with this id already, with other content, and it stays as it is. Give every new session an id of its own.",
        field: "events")

    /// The digest that is stored with a session: the SHA-256 of its content.
    public static func digest(of content: some DataProtocol) -> Data { Data(SHA256.hash(data: content)) }

    /// The content of a stored session; nil if its digest is not the one that was stored with it: it was damaged.
    public static func intact(_ content: Data, _ digest: Data) -> [UInt8]? {
        Self.digest(of: content) == digest ? Array(content) : nil
    }

    /// The session of a household with an id; nil if there is none.
    public static func find(_ id: String, household: String, _ db: Database) throws -> SessionRecord? {
        try SessionRecord.fetchOne(db, key: ["household": household, "id": id])
    }
}

extension SessionRecord {
    /// The content; nil if it is not what was delivered any more.
    public var intactContent: [UInt8]? { Sessions.intact(content, digest) }

    /// Creates the record of a delivered session.
    ///
    /// - Parameters:
    ///   - household: the household's id.
    ///   - id: the id that the session's client made.
    ///   - person: the person's id.
    ///   - companion: the companion's slug.
    ///   - startedAt: the time at which it began, in UTC milliseconds.
    ///   - endedAt: the time at which it ended, in UTC milliseconds.
    ///   - engineVersion: the version of the engine that recorded it.
    ///   - content: the events, in the codec of the companion's engine.
    ///   - claimDiffers: whether the client found another result than the hub's replay.
    ///   - receivedAt: the time at which it was delivered, in UTC milliseconds.
    public init(
        household: String, id: String, person: String, companion: String, startedAt: Int64, endedAt: Int64,
        engineVersion: Int, content: [UInt8], claimDiffers: Bool, receivedAt: Int64
    ) {
        self.init(
            household: household, id: id, person: person, companion: companion, startedAt: startedAt, endedAt: endedAt,
            engineVersion: engineVersion, content: Data(content), digest: Sessions.digest(of: content),
            claimDiffers: claimDiffers, receivedAt: receivedAt)
    }
}
