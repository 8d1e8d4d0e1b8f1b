import Foundation
import GRDB
import HubInstruments
import TestInstruments
import Testing

@testable import HubKit
@testable import Storage

@Suite("Sealed readings")
struct ReadingSealingTests {
    private static let day = RollupSpan.day.rawValue
    /// Noon, UTC.
    private static let now: Int64 = 1_795_262_400_000
    private static let today = now.floored(to: .day)

    /// How a series comes.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// Each ten seconds, each minute, each quarter of an hour, each hour, twice a day.
        case dense, steady, slow, hourly, rare
        /// Now and then many at once, and days without any.
        case bursts

        var testDescription: String { rawValue }

        /// Readings of the last days, the oldest first.
        func readings(days: Int64, _ random: inout SeededGenerator) -> [Reading] {
            var at = ReadingSealingTests.now - days * ReadingSealingTests.day
            var result: [Reading] = []
            while at < ReadingSealingTests.now {
                result.append(Reading(series: 1, at: at, value: Double(Int.random(in: 150...260, using: &random)) / 10))
                at += step(&random)
            }
            return result
        }

        private func step(_ random: inout SeededGenerator) -> Int64 {
            switch self {
            case .dense: 10_000 + Int64.random(in: -50...50, using: &random)
            case .steady: 60_000
            case .slow: 900_000 + Int64.random(in: -900...900, using: &random)
            case .hourly: 3_600_000
            case .rare: 43_200_000
            case .bursts: Int.random(in: 0..<400, using: &random) == 0 ? 150_000_000 : 7_000
            }
        }
    }

    /// A hub with two series.
    private func hub() async throws -> TestHub {
        let hub = try TestHub()
        let device = try await hub.device()
        try await hub.hub.database.pool.write { db in
            for id: Int64 in 1...2 {
                try ReadingWriter(db).add(
                    SeriesRecord(id: id, household: device.household, device: device.id, quantity: "q\(id)", unit: nil))
            }
        }
        return hub
    }

    @discardableResult
    private func store(_ readings: [Reading], in hub: TestHub) async throws -> [Reading] {
        try await hub.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.insert(readings)
            try writer.finish()
            return writer.inserted
        }
    }

    /// Seals all that may be, and says in how many transactions.
    @discardableResult
    private func seal(_ hub: TestHub, before: Int64 = today) async throws -> Int {
        var (from, turns) = (Int64.min, 0)
        while let piece = try await hub.hub.database.pool.write({ [from] db in
            try db.sealNext(series: 1, from: from, before: before)
        }) {
            (from, turns) = (piece.end, turns + 1)
        }
        return turns
    }

    private func count(_ sql: String, in hub: TestHub) async throws -> Int {
        try await hub.hub.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(sql)") ?? 0 }
    }

    /// All that is asked of readings, of some stretches of time.
    private func answers(_ hub: TestHub, _ random: inout SeededGenerator) async throws -> [String] {
        var stretches: [Range<Int64>] = [Self.today - 40 * Self.day..<Self.now + 1]
        for _ in 0..<6 {
            let from = Int64.random(in: Self.today - 20 * Self.day..<Self.now, using: &random)
            stretches.append(from..<from + Int64.random(in: 1...9 * Self.day, using: &random))
        }
        let asked = stretches
        return try await hub.hub.database.pool.read { db in
            func words(_ buckets: [Bucket]) -> String {
                buckets.map { "\($0.start) \($0.count) \($0.low) \($0.high) \(($0.sum * 1e3).rounded())" }.joined(
                    separator: "\n")
            }
            var answers: [String] = ["\(try db.readingCount())", "\(try db.latestReadings().map(\.reading))"]
            for range in asked {
                let (from, to) = (range.lowerBound, range.upperBound)
                var all: [String] = []
                try db.forEachReading(series: 1, from: from, to: to) { all.append("\($0.at) \($0.value)") }
                answers.append(all.joined(separator: "\n"))
                for width: Int64 in [7_000, 60_000, 300_000, 3_600_000, 10_800_000, Self.day] {
                    answers.append(words(try db.buckets(series: 1, from: from, to: to, width: width)))
                }
                for span in RollupSpan.allCases {
                    let stretch = SeriesStretch(series: 1, from: from, to: to, in: span, by: 2)
                    answers.append(words(try db.buckets(of: [stretch, stretch])[1]))
                }
                for long: Int64 in [30_000, 600_000, 7_200_000] {
                    let gaps = try db.gaps(series: 1, from: from, to: to, longerThan: long)
                    answers.append("\(gaps) \(try db.readingTimes(around: gaps, series: 1))")
                }
                answers.append("\(String(describing: try db.latestReading(series: 1, atOrBefore: from)))")
                answers.append("\(String(describing: try db.firstReadingTime(series: 1, from: from, to: to)))")
                answers.append("\(String(describing: try db.firstDay(series: 1, from: from)))")
            }
            let times = try db.latestReadingTimes(series: [1, 2], count: 33)
            answers.append("\(times.keys.sorted()) \(times[1]?.prefix(4).map { $0 } ?? [])")
            return answers
        }
    }

    @Test(
        "Whatever is asked, a series answers the same sealed or not, late and repeated readings with it",
        arguments: Kind.allCases)
    func sameAnswers(kind: Kind) async throws {
        for seed in UInt64(1)...2 {
            print("kind \(kind) seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let (sealed, plain) = (try await hub(), try await hub())
            var rest = kind.readings(days: kind == .dense ? 4 : 14, &random)
            // A tenth comes late, some of it a second time, and some at a time that the hub chooses.
            let late = rest.filter { _ in Int.random(in: 0..<10, using: &random) == 0 }
            rest.removeAll { reading in late.contains(reading) && !reading.at.isMultiple(of: 3) }
            for hub in [sealed, plain] { try await store(rest, in: hub) }
            #expect(try await seal(sealed, before: Self.today - 2 * Self.day) > 0)
            var again = late
            for index in again.indices { again[index].isTimeAssigned = index.isMultiple(of: 4) }
            let inserted = try await store(again, in: sealed)
            #expect(try await store(again, in: plain) == inserted)
            for isSealedAgain in [false, true] {
                if isSealedAgain { try await seal(sealed) }
                var (first, second) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
                let found = try await answers(sealed, &first)
                let expected = try await answers(plain, &second)
                #expect(found.count == expected.count)
                for (index, answer) in found.enumerated() where answer != expected[index] {
                    let (some, other) = (answer.split(separator: "\n"), expected[index].split(separator: "\n"))
                    let place = zip(some, other).prefix { $0 == $1 }.count
                    Issue.record(
                        "answer \(index), again \(isSealedAgain), at \(place) of \(some.count)/\(other.count): \(some.dropFirst(place).first ?? "") for \(other.dropFirst(place).first ?? "")"
                    )
                    break
                }
            }
            let newest = "(SELECT max(at) / 86400000 * 86400000 FROM reading)"
            #expect(try await count("reading WHERE at < \(newest)", in: sealed) == 0)
            #expect(try await count("rollup WHERE span = 60000 AND start < \(newest)", in: sealed) == 0)
            #expect(try sealed.hub.database.integrityProblems() == [])
        }
    }

    @Test("The day of the newest reading stays rows, and so does what is not old enough")
    func newest() async throws {
        let hub = try await hub()
        try await store([5, 4, 3, 2].map { Reading(series: 1, at: Self.today - $0 * Self.day, value: 1) }, in: hub)
        try await seal(hub, before: Self.today - 3 * Self.day)
        #expect(try await count("reading", in: hub) == 2)
        try await seal(hub)
        #expect(try await count("reading", in: hub) == 1)
        #expect(
            try await hub.hub.database.pool.read { db in try db.latestReading(series: 1)?.at } == Self.today - 2
                * Self.day)
    }

    @Test(
        "A transaction that is undone half-way, wherever that is, leaves each reading as it was",
        arguments: Kind.allCases)
    func cutOff(kind: Kind) async throws {
        struct CutOff: Error {}
        var random = SeededGenerator(seed: 3)
        let (sealed, plain) = (try await hub(), try await hub())
        let readings = kind.readings(days: kind == .dense ? 3 : 9, &random)
        for hub in [sealed, plain] { try await store(readings, in: hub) }
        var from = Int64.min
        var isMore = true
        while isMore {
            // Each piece is begun once and undone before it is sealed.
            let start = from
            await #expect(throws: CutOff.self) {
                try await sealed.hub.database.pool.write { db in
                    _ = try db.sealNext(series: 1, from: start, before: Self.today)
                    throw CutOff()
                }
            }
            var (first, second) = (SeededGenerator(seed: 4), SeededGenerator(seed: 4))
            if Bool.random(using: &random) {
                #expect(try await answers(sealed, &first) == answers(plain, &second))
            }
            let piece = try await sealed.hub.database.pool.write { db in
                try db.sealNext(series: 1, from: start, before: Self.today)
            }
            isMore = piece != nil
            from = piece?.end ?? from
        }
        #expect(try await count("reading_block", in: sealed) > 0)
    }

    @Test("A day with more readings than a transaction takes becomes several blocks, cut between minutes")
    func crowded() async throws {
        let hub = try await hub()
        let from = Self.today - 3 * Self.day
        // Two seconds of a thousand a second, then one each second.
        var readings = (0..<12_000).map { Reading(series: 1, at: from + Int64($0), value: Double($0 % 7)) }
        readings += (20..<30_000).map { Reading(series: 1, at: from + Int64($0) * 1_000, value: Double($0 % 5)) }
        try await store(readings + [Reading(series: 1, at: Self.now, value: 0)], in: hub)
        #expect(try await seal(hub) > 3)
        let (all, stored) = try await hub.hub.database.pool.read { db in
            var all: [Int64] = []
            try db.forEachReading(series: 1) { all.append($0.at) }
            return (all, try Int64.fetchAll(db, sql: "SELECT start FROM reading_block ORDER BY start"))
        }
        #expect(all == readings.map(\.at) + [Self.now])
        #expect(stored.allSatisfy { $0.isMultiple(of: 60_000) })
        #expect(stored.count > 3)
    }

    @Test("Days of few readings grow into one block, by the hour as well; a day of many has a block and its hours")
    func growing() async throws {
        let hub = try await hub()
        var random = SeededGenerator(seed: 1)
        try await store(Kind.hourly.readings(days: 20, &random), in: hub)
        try await seal(hub)
        #expect(try await count("reading_block", in: hub) == 1)
        #expect(try await count("rollup WHERE span = 3600000 AND start < \(Self.today)", in: hub) == 0)
        try await store(
            (0..<2_000).map { Reading(series: 1, at: Self.today - 5 * Self.day + 1 + $0 * 30_000, value: 1) }, in: hub)
        try await seal(hub)
        // Too many to be worked out each time: the hours of all of it are written down.
        #expect(try await count("rollup WHERE span = 3600000 AND start < \(Self.today)", in: hub) == 19 * 24 + 12)
        #expect(try await count("reading", in: hub) < 25)
    }

    @Test("Where the rollups count what the rows do not have, nothing is sealed")
    func foreignRollups() async throws {
        let hub = try await hub()
        try await store([4, 3, 0].map { Reading(series: 1, at: Self.today - $0 * Self.day, value: 1) }, in: hub)
        try await hub.hub.database.pool.write { db in
            try db.execute(
                sql: "DELETE FROM reading WHERE at = ?; UPDATE rollup SET n = n + 1 WHERE start = ? AND span = 60000",
                arguments: [Self.today - 4 * Self.day, Self.today - 3 * Self.day])
        }
        try await seal(hub)
        #expect(try await count("reading_block", in: hub) == 0)
        #expect(try await count("reading", in: hub) == 2)
        #expect(try await count("rollup WHERE span = 60000", in: hub) == 3)
    }

    @Test("A damaged block is named, and what is not in it is still read")
    func damage() async throws {
        let hub = try await hub()
        var random = SeededGenerator(seed: 1)
        try await store(Kind.steady.readings(days: 5, &random), in: hub)
        try await seal(hub)
        try await hub.hub.database.pool.write { db in
            try db.execute(
                sql:
                    "UPDATE reading_block SET content = zeroblob(length(content)) WHERE start = (SELECT min(start) FROM reading_block)"
            )
        }
        await #expect(throws: SealedReadingsDamage.self) {
            try await hub.hub.database.pool.read { db in try db.forEachReading(series: 1) { _ in } }
        }
        #expect(try await hub.hub.database.pool.read { db in try db.latestReading(series: 1) } != nil)
    }

    @Test("Blocks of a stretch are found by an index, and those without hours by their own")
    func plan() async throws {
        let hub = try await hub()
        let plans = try await hub.hub.database.pool.read { db in
            try [false, true].map { withoutHours in
                let sql = Database.overlapping("start, content", withoutHours: withoutHours)
                return try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: ["series": 1, "from": 5, "to": 9]
                ).map { $0["detail"] as String }.joined(separator: "\n")
            }
        }
        #expect(
            plans[0].contains("SEARCH reading_block USING INDEX reading_block_place (series=? AND start>? AND start<?)")
        )
        #expect(plans[1].contains("USING INDEX reading_block_without_hours (series=? AND start>? AND start<?)"))
        #expect(!plans.contains { $0.contains("SCAN reading_block") }, "\(plans)")
    }
}
