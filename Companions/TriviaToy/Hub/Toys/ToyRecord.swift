import GRDB
import HubKit
import Storage

/// The hub's record of a toy, besides what the toy says.
struct ToyRecord: Storage.TableRecord {
    static let databaseTableName = "toy_device"

    var device: String
    var household: String
    /// The person who plays with it: the toy keeps their rules, and its facts stand in their history. Nil for nobody in
    /// particular.
    var person: String?
    /// The listener under which its facts are heard while nobody in particular plays with it.
    var listener: Int64
    /// The time at which two toys reported with this one's identity, UTC milliseconds; nil while there is one.
    var twinAt: Int64?

    /// The stored record of a toy, made now where there is none.
    static func of(_ toy: DeviceRecord, _ db: Database) throws -> ToyRecord {
        if let known = try fetchOne(db, key: toy.id) { return known }
        let record = ToyRecord(
            device: toy.id, household: toy.household,
            listener: try FactQueue.add(person: nil, household: toy.household, db))
        try record.insert(db)
        return record
    }

    /// Whether a page may see what a toy has said: whoever plays with it may, and whoever may see what they hear.
    static func mayHear(_ toy: String, _ member: Member, _ hub: HubContext, now: Int64, _ db: Database) throws -> Bool {
        guard let person = try fetchOne(db, key: toy)?.person, let player = try PersonRecord.fetchOne(db, key: person)
        else { return true }
        return hub.policy.allowsViewing(member, of: player, now: now)
    }

    /// The listener who hears what it says: that of the person who plays with it, or the toy's own.
    func heardBy(_ db: Database) throws -> Int64 {
        guard let person else { return listener }
        return try FactQueue.listener(person: person, household: household, db)
    }
}
