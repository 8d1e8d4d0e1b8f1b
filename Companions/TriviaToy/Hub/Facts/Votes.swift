import GRDB
import Storage
import TriviaToyEngine

/// The votes of listeners on facts.
enum Votes {
    /// A listener votes, changes the vote, or takes it back with ``FactVote/none``.
    ///
    /// - Parameter at: when, UTC milliseconds.
    /// - Returns: the fact as it is voted now.
    @discardableResult
    static func set(_ vote: FactVote, on fact: FactRecord, listener: Int64, at: Int64, _ db: Database) throws
        -> FactRecord
    {
        let before = try of(listener, on: fact.id, db)
        guard before != vote else {
            // Said again, it is as new as that: what a toy sends later from before does not count.
            try db.execute(
                sql: """
                    UPDATE \(vote == .none ? "toy_vote_withdrawn" : "toy_vote") SET at = max(at, ?)
                    WHERE listener = ? AND fact = ?
                    """, arguments: [at, listener, fact.id])
            return fact
        }
        var changed = fact
        changed.upvotes += (vote == .up ? 1 : 0) - (before == .up ? 1 : 0)
        changed.downvotes += (vote == .down ? 1 : 0) - (before == .down ? 1 : 0)
        try db.execute(
            cached: "UPDATE toy_fact SET upvotes = ?, downvotes = ? WHERE id = ?",
            arguments: [changed.upvotes, changed.downvotes, fact.id])
        if vote == .none {
            try db.execute(
                cached: "DELETE FROM toy_vote WHERE listener = ? AND fact = ?", arguments: [listener, fact.id])
            try db.execute(
                cached: "INSERT OR REPLACE INTO toy_vote_withdrawn(listener, fact, at) VALUES (?, ?, ?)",
                arguments: [listener, fact.id, at])
        } else {
            try db.execute(
                cached: "INSERT OR REPLACE INTO toy_vote(listener, fact, vote, at) VALUES (?, ?, ?, ?)",
                arguments: [listener, fact.id, Int(vote.rawValue), at])
        }
        try FactQueue.voted(fact, now: changed, db)
        return changed
    }

    /// The time at which a listener last voted on a fact, or took a vote back, UTC milliseconds; nil where they never
    /// did.
    static func lastChange(of listener: Int64, on fact: Int64, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db,
            cached: """
                SELECT max(at) FROM (
                    SELECT at FROM toy_vote WHERE listener = ?1 AND fact = ?2
                    UNION ALL SELECT at FROM toy_vote_withdrawn WHERE listener = ?1 AND fact = ?2)
                """, arguments: [listener, fact])
    }

    /// Takes all votes of a listener back, who is about to be removed.
    static func withdrawAll(of listener: Int64, _ db: Database) throws {
        let facts = try FactRecord.fetchAll(
            db, cached: "SELECT toy_fact.* FROM toy_fact JOIN toy_vote ON fact = toy_fact.id WHERE listener = ?",
            arguments: [listener])
        for fact in facts { try set(.none, on: fact, listener: listener, at: 0, db) }
    }

    /// The vote of a listener; ``FactVote/none`` where there is none.
    static func of(_ listener: Int64, on fact: Int64, _ db: Database) throws -> FactVote {
        let vote = try Int8.fetchOne(
            db, cached: "SELECT vote FROM toy_vote WHERE listener = ? AND fact = ?", arguments: [listener, fact])
        return vote.flatMap { FactVote(rawValue: $0) } ?? FactVote.none
    }
}
