import GRDB
import Storage
import TriviaToyEngine

/// A fact of a household.
struct FactRecord: Storage.TableRecord {
    static let databaseTableName = "toy_fact"

    /// The source of a fact.
    enum Origin: String, Codable, CaseIterable, Sendable { case pack, openTrivia, csv, json }

    /// The fact's number, at most 31 bits: toys and the original's app know it by it.
    var id: Int64
    var household: String
    var origin: Origin
    /// The fact's name where it came from.
    var key: String
    var language: LanguageName
    /// The number of a ``FactCategory``.
    var category: Int
    /// The number of a ``FactDifficulty``.
    var difficulty: Int
    /// The youngest age that hears it, years.
    var youngestAge: Int
    var text: String
    var sourceTitle: String
    var sourceUrl: String?
    var upvotes: Int
    var downvotes: Int
    /// UTC milliseconds.
    var createdAt: Int64

    /// The part of the fact that the choice of the next one needs.
    var candidate: FactCandidate {
        FactCandidate(
            id: UInt32(clamping: id), category: FactCategory(rawValue: UInt8(clamping: category)) ?? .general,
            youngestAge: UInt8(clamping: youngestAge), upvotes: UInt32(clamping: upvotes),
            downvotes: UInt32(clamping: downvotes))
    }

    /// The distance from the best possible votes, 0...1000: the lower, the sooner.
    var demotion: Int64 { 1_000 - candidate.rank }

    /// Finds a fact of a household.
    ///
    /// - Returns: nil for one that is not of the household.
    static func find(_ id: Int64, household: String, _ db: Database) throws -> FactRecord? {
        guard let fact = try fetchOne(db, key: id), fact.household == household else { return nil }
        return fact
    }

    /// The fact that a toy names in a report: one of the household's, or one of the firmware's own, which is of the
    /// pack.
    static func find(onToy number: UInt32, household: String, _ db: Database) throws -> FactRecord? {
        guard let index = StarterFacts.index(of: number) else {
            return try find(Int64(number), household: household, db)
        }
        return try fetchOne(
            db, cached: "SELECT * FROM toy_fact WHERE household = ? AND language = ? AND origin = ? AND key = ?",
            arguments: [
                household, LanguageName.en.rawValue, Origin.pack.rawValue, "\(StarterFacts.fact(index).key)",
            ])
    }
}

/// A fact that is to be stored.
struct NewFact: Equatable, Sendable {
    var origin: FactRecord.Origin
    var key: String
    var language: LanguageName
    var category: CategoryName
    var difficulty: DifficultyName
    /// The youngest age that hears it, years.
    var youngestAge: Int
    var text: String
    var sourceTitle: String
    var sourceURL: String?

    /// Stores it, unless it is there. One that is there gets this text and this source: a mistake may have been mended.
    ///
    /// - Returns: whether it is new.
    func store(household: String, now: Int64, _ db: Database) throws -> Bool {
        let known = try db.cachedStatement(
            sql: "SELECT id FROM toy_fact WHERE household = ? AND language = ? AND origin = ? AND key = ?")
        if let id = try Int64.fetchOne(known, arguments: [household, language.rawValue, origin.rawValue, key]) {
            try db.execute(
                cached: "UPDATE toy_fact SET text = ?, source_title = ?, source_url = ? WHERE id = ?",
                arguments: [text, sourceTitle, sourceURL, id])
            return false
        }
        let number = Int(category.category.rawValue)
        try db.execute(
            cached: """
                INSERT INTO toy_fact(household, origin, key, language, category, difficulty, youngest_age, text,
                    source_title, source_url, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                household, origin.rawValue, key, language.rawValue, number, Int(difficulty.difficulty.rawValue),
                youngestAge,
                text, sourceTitle, sourceURL, now,
            ])
        let fact = FactRecord(
            id: db.lastInsertedRowID, household: household, origin: origin, key: key, language: language,
            category: number,
            difficulty: Int(difficulty.difficulty.rawValue), youngestAge: youngestAge, text: text,
            sourceTitle: sourceTitle, sourceUrl: sourceURL, upvotes: 0, downvotes: 0, createdAt: now)
        try FactQueue.add(fact, db)
        return true
    }
}
