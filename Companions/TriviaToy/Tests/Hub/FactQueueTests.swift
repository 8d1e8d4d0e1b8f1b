import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing
import TriviaToyEngine

@testable import TriviaToyHub

@Suite("Who hears which fact next")
struct FactQueueTests {
    /// A household with facts of chance, and a listener.
    struct House {
        let test: TestHub
        let listener: Int64
        static let name = "linden"

        init(facts: Int, seed: UInt64 = 1) async throws {
            test = try TestHub(migrations: ToyTables.migrations)
            listener = try await test.hub.database.pool.write { db in
                try HouseholdRecord(id: Self.name, name: "Linden", timeZone: "UTC", createdAt: 1).insert(db)
                // Kinds by the number, as evenly as those of a large import.
                try db.execute(
                    sql: """
                        INSERT INTO toy_fact(household, origin, key, language, category, difficulty, youngest_age, text,
                            source_title, created_at)
                        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
                        SELECT ?, 'json', 'k' || i, 'en', (i * 7 + ?) % 24, i % 3, (i % 4) * 4, 'Fact ' || i, '', 1 FROM n;
                        """, arguments: [facts, Self.name, seed])
                try db.execute(
                    sql: """
                        INSERT INTO toy_fact_kind SELECT DISTINCT household, language, category, youngest_age FROM toy_fact
                        """)
                return try FactQueue.add(person: nil, household: Self.name, db)
            }
        }

        func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
            try await test.hub.database.pool.write(body)
        }
    }

    private static let filter = FactQueue.Filter(language: .en, choice: FactChoice(age: 99))

    @Test("SQL chooses what the engine chooses, whatever was heard and voted", arguments: UInt64(1)...6)
    func engine(seed: UInt64) async throws {
        let house = try await House(facts: 120, seed: seed)
        let listener = house.listener
        try await house.write { db in
            var random = SeededGenerator(seed: seed)
            var candidates: [UInt32: FactCandidate] = [:]
            for fact in try FactRecord.fetchAll(db) { candidates[UInt32(fact.id)] = fact.candidate }
            for step in 0..<200 {
                let categories = FactCategories(bits: UInt64.random(in: 0...(1 << 24), using: &random))
                let choice = FactChoice(categories: categories, age: UInt8.random(in: 0...14, using: &random))
                let found = try FactQueue.next(
                    for: listener, household: House.name, .init(language: .en, choice: choice), db)
                let expected = choice.next(of: candidates.values)
                #expect(found == expected.map { Int64($0.id) }, "seed \(seed), step \(step)")
                let id = Int64.random(in: 1...120, using: &random)
                guard let fact = try FactRecord.fetchOne(db, key: id) else { continue }
                if Bool.random(using: &random) {
                    try FactQueue.hear(fact, listener: listener, at: Int64(step + 1), db)
                    candidates[UInt32(id)]?.heardAt = Int64(step + 1)
                } else {
                    let vote = FactVote.allCases[Int.random(in: 0..<3, using: &random)]
                    let voted = try Votes.set(vote, on: fact, listener: listener, at: 1, db)
                    candidates[UInt32(id)]?.upvotes = UInt32(voted.upvotes)
                    candidates[UInt32(id)]?.downvotes = UInt32(voted.downvotes)
                }
            }
        }
    }

    @Test("A fact that comes later is heard before those that were heard, and by who was there before")
    func later() async throws {
        let house = try await House(facts: 5)
        let listener = house.listener
        try await house.write { db in
            for fact in try FactRecord.fetchAll(db) { try FactQueue.hear(fact, listener: listener, at: fact.id, db) }
            #expect(try FactQueue.next(for: listener, household: House.name, Self.filter, db) == 1)
            let fact = NewFact(
                origin: .json, key: "new", language: .en, category: .weather, difficulty: .easy, youngestAge: 3,
                text: "New.", sourceTitle: "")
            #expect(try fact.store(household: House.name, now: 9, db))
            #expect(try !fact.store(household: House.name, now: 9, db))
            #expect(try FactQueue.next(for: listener, household: House.name, Self.filter, db) == 6)
        }
    }

    @Test("With 100,000 facts and 10,000 heard the next one is found in seeks alone, and how long that takes")
    func large() async throws {
        let house = try await House(facts: 100_000)
        let listener = house.listener
        // The first ten thousand that there were to hear: a search that walks past what was heard would walk past all.
        // In two statements: to hear them one by one is what the test of the engine does.
        try await house.write { db in
            try db.execute(
                sql: """
                    INSERT INTO toy_heard(listener, fact, at)
                    SELECT listener, fact, row_number() OVER (ORDER BY heard_at, demotion, shuffle, fact) AS turn
                    FROM toy_queue WHERE listener = ?1 ORDER BY turn LIMIT 10000;
                    """, arguments: [listener])
            try db.execute(
                sql: """
                    UPDATE toy_queue SET heard_at = at FROM toy_heard
                    WHERE toy_heard.listener = toy_queue.listener AND toy_heard.fact = toy_queue.fact
                    """)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM toy_heard") == 10_000)
        }
        try await house.test.hub.database.pool.read { db in
            var times: [Duration] = []
            for _ in 0..<200 {
                let clock = ContinuousClock()
                let start = clock.now
                let next = try FactQueue.next(for: listener, household: House.name, Self.filter, db)
                times.append(clock.now - start)
                #expect(next != nil)
            }
            times.sort()
            print("next fact, 100,000 facts, 10,000 heard: median \(times[100]), 99 % \(times[197]), this build")
            let plan = try Row.fetchAll(
                db,
                sql: """
                    EXPLAIN QUERY PLAN SELECT heard_at, demotion, shuffle, fact FROM toy_queue
                    WHERE listener = 1 AND language = 'en' AND category = 1 AND youngest_age = 4
                    ORDER BY heard_at, demotion, shuffle, fact LIMIT 1
                    """
            ).map { $0["detail"] as String }
            #expect(
                plan.count == 1 && plan.allSatisfy { $0.hasPrefix("SEARCH toy_queue USING PRIMARY KEY") }, "\(plan)")
        }
    }

    @Test("The pack has every line of its files in both languages, in at least twelve categories, and comes in once")
    func pack() async throws {
        let lines = FactPack.files.map { $0.lines.split(separator: 0x0A).count }.reduce(0, +)
        let facts = FactPack.facts
        #expect(lines >= 300 && facts.count == 2 * lines)
        #expect(Set(facts.map(\.category)).count >= 12)
        #expect(
            facts.allSatisfy { !$0.text.isEmpty && $0.text.utf8.count <= ToyLimits().textBytes && $0.sourceURL != nil })
        let house = try await House(facts: 0)
        try await house.write { db in
            try db.execute(sql: "DELETE FROM toy_queue; DELETE FROM toy_fact")
            try FactPack.install(household: House.name, now: 1, db)
            try db.execute(sql: "UPDATE toy_pack SET digest = x'00'; UPDATE toy_fact SET text = 'Wrong.' WHERE id = 1")
            try FactPack.install(household: House.name, now: 2, db)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM toy_fact") == facts.count)
            #expect(try String.fetchOne(db, sql: "SELECT text FROM toy_fact WHERE id = 1") == facts.first?.text)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM toy_queue") == facts.count)
        }
    }

    @Test("Every category has a name, and each name is of one category")
    func names() {
        #expect(CategoryName.allCases.count == FactCategory.allCases.count)
        for category in FactCategory.allCases {
            #expect(CategoryName(number: Int(category.rawValue)).category == category)
            #expect(CategoryName(number: Int(category.rawValue)).rawValue == "\(category)")
        }
        #expect(CategoryName(number: 63) == .general)
    }
}
