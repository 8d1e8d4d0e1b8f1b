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
        /// It was stored before, with this very content or more of it.
        case again
        /// The hub had closed what it knew of it, and here is the rest: this content stands now in place of that, and its
        /// companion replaces its result too.
        case replaced
    }

    /// How content that comes stands to the content that is stored under its id, as the companion's engine sees it.
    public enum Relation: Sendable, Equatable {
        /// It is another session, or goes another way.
        case other
        /// What is stored holds all of it.
        case known
        /// It goes on where the hub had closed what is stored.
        case goesOn
    }

    /// Stores a session, in the caller's transaction.
    ///
    /// - Parameter relation: asked where the bytes differ; gets what is stored of the same companion and the same
    ///   person. Only content that the hub itself had closed, because nobody came back to it, may be gone on with.
    /// - Throws: a 409 problem where the household has other content under its id: nothing that a person delivered is
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

    /// The household has other content under the id.
    static let other = Problem(
        .conflict, "Another session",
        "There is a session with this id already, with other content, and it stays as it is. Give every new session an id of its own.",
        field: "events")

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
