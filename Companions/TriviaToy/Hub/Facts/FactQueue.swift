import GRDB
import Storage
import TriviaToyEngine

/// The order in which listeners hear facts: for each listener all facts of the household, in an index that stands in
/// the order of ``FactChoice``. The first of each kind (language, category, age) is one seek away, and the first of
/// these is the next: the time depends on the number of kinds, and neither on that of facts nor on what was heard.
enum FactQueue {
    /// The facts that a listener may hear.
    struct Filter: Equatable, Sendable {
        var language: LanguageName
        var choice: FactChoice
        /// The length of a fact as an original toy is sent it, at most, bytes: UTF-8, and three for each quotation
        /// mark.
        var longestBytes = Int.max
    }

    /// The number of the next fact; nil where none is for this listener.
    static func next(for listener: Int64, household: String, _ filter: Filter, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql:
                "SELECT category, youngest_age FROM toy_fact_kind WHERE household = ? AND language = ? AND youngest_age <= ?"
        )
        let first = try db.cachedStatement(
            sql: """
                SELECT heard_at, demotion, shuffle, fact FROM toy_queue
                WHERE listener = ? AND language = ? AND category = ? AND youngest_age = ?
                    AND (? = 0 OR (SELECT length(CAST(text AS BLOB)) + 2 * (length(text) - length(replace(text, '"', '')))
                        FROM toy_fact WHERE id = fact) <= ?)
                ORDER BY heard_at, demotion, shuffle, fact LIMIT 1
                """)
        let isLimited = filter.longestBytes < .max
        let language = filter.language.rawValue
        var best: (Int64, Int64, Int64, fact: Int64)?
        let kinds = try Row.fetchAll(statement, arguments: [household, language, Int(filter.choice.age)])
        for kind in kinds {
            let (category, age): (Int64, Int64) = (kind[0], kind[1])
            guard (0..<64).contains(category), filter.choice.categories.bits >> UInt64(category) & 1 == 1,
                let row = try Row.fetchOne(
                    first, arguments: [listener, language, category, age, isLimited, filter.longestBytes])
            else { continue }
            let found: (Int64, Int64, Int64, fact: Int64) = (row[0], row[1], row[2], row[3])
            if best.map({ (found.0, found.1, found.2, found.3) < ($0.0, $0.1, $0.2, $0.3) }) ?? true { best = found }
        }
        return best?.fact
    }

    /// The number of facts that a listener may hear and never has.
    static func unheard(by listener: Int64, household: String, _ filter: Filter, _ db: Database) throws -> Int {
        let kinds = try Row.fetchAll(
            db,
            cached:
                "SELECT category, youngest_age FROM toy_fact_kind WHERE household = ? AND language = ? AND youngest_age <= ?",
            arguments: [household, filter.language.rawValue, Int(filter.choice.age)])
        return try kinds.reduce(0) { sum, kind in
            let (category, age): (Int64, Int64) = (kind[0], kind[1])
            guard (0..<64).contains(category), filter.choice.categories.bits >> UInt64(category) & 1 == 1 else {
                return sum
            }
            return sum
                + (try Int.fetchOne(
                    db,
                    cached: """
                        SELECT count(*) FROM toy_queue
                        WHERE listener = ? AND language = ? AND category = ? AND youngest_age = ? AND heard_at = 0
                        """, arguments: [listener, filter.language.rawValue, category, age]) ?? 0)
        }
    }

    /// The listener that somebody of the household is, with their queue.
    static func listener(person: String, household: String, _ db: Database) throws -> Int64 {
        if let id = try known(person: person, db) { return id }
        return try add(person: person, household: household, db)
    }

    /// The listener that somebody is already; nil for who has heard nothing yet.
    static func known(person: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, cached: "SELECT id FROM toy_listener WHERE person = ?", arguments: [person])
    }

    /// A new listener, who has heard nothing.
    ///
    /// - Parameter person: nil for a user of the original system.
    static func add(person: String?, household: String, _ db: Database) throws -> Int64 {
        try db.execute(
            cached: "INSERT INTO toy_listener(household, person) VALUES (?, ?)", arguments: [household, person])
        let id = db.lastInsertedRowID
        // The same numbers as FactCandidate's; FactQueueTests holds them against each other.
        try db.execute(
            cached: """
                INSERT INTO toy_queue SELECT ?, language, category, youngest_age, 0,
                    1000 - (upvotes + 1) * 1000 / (upvotes + downvotes + 2), id * 2654435761 & 4294967295, id
                FROM toy_fact WHERE household = ?
                """, arguments: [id, household])
        return id
    }

    /// A fact is new: everybody may hear it.
    static func add(_ fact: FactRecord, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO toy_fact_kind(household, language, category, youngest_age) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [fact.household, fact.language.rawValue, fact.category, fact.youngestAge])
        try db.cachedStatement(
            sql: "INSERT INTO toy_queue SELECT id, ?, ?, ?, 0, ?, ?, ? FROM toy_listener WHERE household = ?"
        ).execute(arguments: [
            fact.language.rawValue, fact.category, fact.youngestAge, fact.demotion, Int64(fact.candidate.shuffle),
            fact.id,
            fact.household,
        ])
    }

    /// Puts a fact at the end for somebody who has heard it, or was given it.
    ///
    /// - Parameter at: UTC milliseconds.
    static func hear(_ fact: FactRecord, listener: Int64, at: Int64, _ db: Database) throws {
        let before = try heardAt(fact.id, listener, db)
        guard at > before else { return }
        try move(fact, listener: listener, from: (before, fact.demotion), to: (at, fact.demotion), db)
        try db.execute(
            cached: "INSERT OR REPLACE INTO toy_heard(listener, fact, at) VALUES (?, ?, ?)",
            arguments: [listener, fact.id, at])
    }

    /// The votes of a fact have changed: everybody of the household hears it sooner, or later.
    static func voted(_ old: FactRecord, now new: FactRecord, _ db: Database) throws {
        guard old.demotion != new.demotion else { return }
        let listeners = try Int64.fetchAll(
            db, cached: "SELECT id FROM toy_listener WHERE household = ?", arguments: [old.household])
        for listener in listeners {
            let at = try heardAt(old.id, listener, db)
            try move(old, listener: listener, from: (at, old.demotion), to: (at, new.demotion), db)
        }
    }

    private static func heardAt(_ fact: Int64, _ listener: Int64, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, cached: "SELECT at FROM toy_heard WHERE listener = ? AND fact = ?", arguments: [listener, fact]) ?? 0
    }

    private static func move(
        _ fact: FactRecord, listener: Int64, from old: (at: Int64, demotion: Int64),
        to new: (at: Int64, demotion: Int64),
        _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE toy_queue SET heard_at = ?, demotion = ? WHERE listener = ? AND language = ? AND category = ?
                    AND youngest_age = ? AND heard_at = ? AND demotion = ? AND shuffle = ? AND fact = ?
                """
        ).execute(arguments: [
            new.at, new.demotion, listener, fact.language.rawValue, fact.category, fact.youngestAge, old.at,
            old.demotion,
            Int64(fact.candidate.shuffle), fact.id,
        ])
    }
}
