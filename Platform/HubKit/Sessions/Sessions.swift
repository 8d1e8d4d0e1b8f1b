import Crypto
import Foundation
import GRDB
import Storage

/// The sessions of all companions: each is stored once, under the id that its client made, however often it comes.
///
/// A companion decodes what was delivered with its engine and stores here what was delivered, and beside it, in the
/// same transaction, its own result.
public enum Sessions {
    /// What came of storing a session.
    public enum Stored: Sendable, Equatable {
        /// It is stored now; its companion stores its result too.
        case new
        /// It was stored before, with this very content.
        case again
    }

    /// Stores a session, in the caller's transaction.
    ///
    /// - Throws: a 409 problem where the household has other content under its id: nothing is overwritten.
    public static func store(_ record: SessionRecord, _ db: Database) throws -> Stored {
        guard let stored = try find(record.id, household: record.household, db) else {
            try record.insert(db)
            return .new
        }
        guard stored.companion == record.companion, stored.digest == record.digest else {
            throw Problem(
                .conflict, "Another session",
                "There is a session with this id already, with other content, and it stays as it is. Give every new session an id of its own.",
                field: "events")
        }
        return .again
    }

    /// A session of a household; nil where there is none.
    public static func find(_ id: String, household: String, _ db: Database) throws -> SessionRecord? {
        try SessionRecord.fetchOne(db, key: ["household": household, "id": id])
    }
}

extension SessionRecord {
    /// A session as it was delivered.
    ///
    /// - Parameters:
    ///   - content: the events, in the codec of the companion's engine.
    ///   - claimDiffers: whether the client came to another result than the hub's replay.
    public init(
        household: String, id: String, person: String, companion: String, startedAt: Int64, endedAt: Int64,
        engineVersion: Int, content: [UInt8], claimDiffers: Bool, receivedAt: Int64
    ) {
        self.init(
            household: household, id: id, person: person, companion: companion, startedAt: startedAt, endedAt: endedAt,
            engineVersion: engineVersion, content: Data(content), digest: Data(SHA256.hash(data: content)),
            claimDiffers: claimDiffers, receivedAt: receivedAt)
    }
}
