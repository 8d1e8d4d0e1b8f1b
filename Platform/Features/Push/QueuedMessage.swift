import GRDB
import Storage

/// A message that waits in a table of the database until it has left the house, or has grown too old.
protocol QueuedMessage: Storage.TableRecord {
    /// The id, in the order of the messages; nil before it is stored.
    var id: Int64? { get }
    /// The number of attempts.
    var attempts: Int { get set }
    /// The time of the next attempt, in UTC milliseconds.
    var nextAt: Int64 { get set }
    /// The time at which it expires, in UTC milliseconds.
    var expiresAt: Int64 { get }
}

extension PushMessageRecord: QueuedMessage {}
extension ChannelMessageRecord: QueuedMessage {}

extension QueuedMessage {
    /// Takes the messages whose attempt is due, each with that attempt noted, and drops expired ones.
    ///
    /// - Returns: the messages, and the number of those that were tried and expired.
    static func takeDue(atMost most: Int, now: Int64, _ db: Database) throws -> (due: [Self], expired: Int) {
        let table = databaseTableName
        let expired =
            try Int.fetchOne(
                db, cached: "SELECT count(*) FROM \(table) WHERE expires_at <= ? AND attempts > 0", arguments: [now])
            ?? 0
        try db.execute(cached: "DELETE FROM \(table) WHERE expires_at <= ?", arguments: [now])
        // One that waits longer than anything may was put off by a clock that has been set back since.
        var due = try fetchAll(
            db, cached: "SELECT * FROM \(table) WHERE next_at <= ? OR next_at > ? ORDER BY next_at, id LIMIT ?",
            arguments: [now, now + AttemptPause.longestDemanded, most])
        for index in due.indices {
            due[index].attempts += 1
            due[index].nextAt = now + AttemptPause.milliseconds(afterAttempts: due[index].attempts)
            // Before it is sent: where nothing can be stored, nothing is sent over and over either.
            try due[index].update(db)
        }
        return (due, expired)
    }

    /// The time of the next attempt of any message, in UTC milliseconds; nil if none waits.
    static func nextAt(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, cached: "SELECT min(next_at) FROM \(databaseTableName)")
    }

    /// Puts the next attempt off.
    ///
    /// - Parameter retryAfter: the pause that the receiver demands, in milliseconds; nil for the hub's own.
    /// - Returns: false if it would be too old by then, and is removed.
    func putOff(retryAfter: Int64?, now: Int64, _ db: Database) throws -> Bool {
        let next = now + max(AttemptPause.milliseconds(afterAttempts: attempts), retryAfter ?? 0)
        guard next < expiresAt else {
            try remove(db)
            return false
        }
        try db.execute(cached: "UPDATE \(Self.databaseTableName) SET next_at = ? WHERE id = ?", arguments: [next, id])
        return true
    }

    /// Removes the message: it has arrived, or never will.
    func remove(_ db: Database) throws {
        try db.execute(cached: "DELETE FROM \(Self.databaseTableName) WHERE id = ?", arguments: [id])
    }
}

/// The pauses between the attempts to send a message.
enum AttemptPause {
    /// The pause after the first failure in milliseconds; it doubles each time.
    static let first: Int64 = 10_000
    /// The longest pause by the hub's own rule, in milliseconds.
    static let longest: Int64 = 1_800_000
    /// The longest pause that a receiver may demand, in milliseconds.
    static let longestDemanded: Int64 = 6 * 3_600_000

    /// The pause after some number of failed attempts, at least one, in milliseconds.
    static func milliseconds(afterAttempts attempts: Int) -> Int64 {
        min(first << Int64(min(attempts - 1, 16)), longest)
    }
}
