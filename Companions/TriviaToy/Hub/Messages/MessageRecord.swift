import Foundation
import GRDB
import HubKit
import NIOCore
import Storage

/// A message that somebody recorded, to be heard in place of a fact.
struct MessageRecord: Storage.TableRecord {
    static let databaseTableName = "toy_message"

    var id: Int64?
    var household: String
    /// The person who hears it.
    var person: String
    /// The person whose page it was recorded on.
    var sentBy: String
    /// The name of the one who speaks, as it was typed: "Grandma".
    var title: String
    var milliseconds: Int
    /// UTC milliseconds.
    var createdAt: Int64
    /// The time at which it was heard first; nil while it waits.
    var heardAt: Int64?

    /// Finds a message of a household.
    ///
    /// - Throws: a 404 problem for one that is not the household's.
    static func find(_ id: Int64, household: String, _ db: Database) throws -> MessageRecord {
        guard let message = try fetchOne(db, key: id), message.household == household else { throw missing }
        return message
    }

    /// The one that somebody hears next: the oldest that waits.
    static func next(for person: String, _ db: Database) throws -> MessageRecord? {
        try fetchOne(
            db, cached: "SELECT * FROM toy_message WHERE person = ? AND heard_at IS NULL ORDER BY id LIMIT 1",
            arguments: [person])
    }

    /// The sound of a message, a WAVE file.
    static func sound(_ id: Int64, household: String, _ db: Database) throws -> ByteBuffer {
        _ = try find(id, household: household, db)
        guard
            let wave = try Data.fetchOne(
                db, cached: "SELECT wave FROM toy_message_sound WHERE message = ?", arguments: [id])
        else { throw missing }
        return ByteBuffer(bytes: wave)
    }

    private static var missing: Problem { .notFound("There is no message here. It may have been removed.") }

    /// A virtual toy says a fact: where a message waits for whoever plays with it, a page plays that one in its place.
    /// The fact is not heard then; ``takesPlace(of:on:_:)`` says so when its play is reported. The message is heard
    /// when a page has played it to its end, and comes again until then.
    ///
    /// - Returns: the message.
    static func offer(inPlaceOf fact: Int64, on device: DeviceRecord, _ db: Database) throws -> Int64? {
        guard
            let person = try String.fetchOne(
                db, cached: "SELECT person FROM toy_device WHERE device = ? AND person IS NOT NULL",
                arguments: [device.id]), let message = try next(for: person, db)
        else { return nil }
        try db.execute(
            cached: "INSERT OR REPLACE INTO toy_message_play(device, fact, message) VALUES (?, ?, ?)",
            arguments: [device.id, fact, message.id])
        return message.id
    }

    /// Whether a message was heard in place of the fact whose play a toy reports. It is asked once for each.
    static func takesPlace(of fact: Int64, on device: DeviceRecord, _ db: Database) throws -> Bool {
        try db.execute(
            cached: "DELETE FROM toy_message_play WHERE device = ? AND fact = ?", arguments: [device.id, fact])
        return db.changesCount > 0
    }
}
