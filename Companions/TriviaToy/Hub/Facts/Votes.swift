import GRDB
import TriviaToyEngine

/// What listeners think of facts.
enum Votes {
    /// A listener votes, changes the vote, or takes it back with ``FactVote/none``.
    ///
    /// - Returns: the fact as it is voted now.
    @discardableResult
    static func set(_ vote: FactVote, on fact: FactRecord, listener: Int64, now: Int64, _ db: Database) throws
        -> FactRecord
    {
        let before = try of(listener, on: fact.id, db)
        guard before != vote else { return fact }
        var changed = fact
        changed.upvotes += (vote == .up ? 1 : 0) - (before == .up ? 1 : 0)
        changed.downvotes += (vote == .down ? 1 : 0) - (before == .down ? 1 : 0)
        try db.execute(
            sql: "UPDATE toy_fact SET upvotes = ?, downvotes = ? WHERE id = ?",
            arguments: [changed.upvotes, changed.downvotes, fact.id])
        if vote == .none {
            try db.execute(
                sql: "DELETE FROM toy_vote WHERE listener = ? AND fact = ?", arguments: [listener, fact.id])
        } else {
            try db.execute(
                sql: "INSERT OR REPLACE INTO toy_vote(listener, fact, vote, at) VALUES (?, ?, ?, ?)",
                arguments: [listener, fact.id, Int(vote.rawValue), now])
        }
        try FactQueue.voted(fact, now: changed, db)
        return changed
    }

    /// What a listener has voted; ``FactVote/none`` for nothing.
    static func of(_ listener: Int64, on fact: Int64, _ db: Database) throws -> FactVote {
        let vote = try Int8.fetchOne(
            db, sql: "SELECT vote FROM toy_vote WHERE listener = ? AND fact = ?", arguments: [listener, fact])
        return vote.flatMap { FactVote(rawValue: $0) } ?? FactVote.none
    }
}
