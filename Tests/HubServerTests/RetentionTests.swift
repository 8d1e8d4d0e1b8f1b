import Foundation
import GRDB
import HubInstruments
import Logging
import Storage
import Synchronization
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer

@Suite("How long readings are stored")
struct RetentionTests {
    private static let day = RollupSpan.day.rawValue

    /// What its sensors say is stored a month, and by the minute for two.
    private struct Cellar: Companion {
        static let slug = "cellar"
        static let title = "Cellar"
        static let deviceKinds = [
            DeviceKind(
                name: "plant-sensor", title: "Sensor", retention: ReadingRetention(readingDays: 30, minuteDays: 60))
        ]
        static let migrations: [Migration] = []
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    /// It declares nothing.
    private struct Attic: Companion {
        static let slug = "attic"
        static let title = "Attic"
        static let deviceKinds = [DeviceKind(name: "plant-sensor", title: "Sensor")]
        static let migrations: [Migration] = []
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private let test: TestHub
    private let now: Int64

    init() async throws {
        test = try await Self.hub()
        now = test.hub.clock.now()
    }

    /// One whose sensor has two series.
    private static func hub(_ log: Logger? = nil) async throws -> TestHub {
        let test = try log.map { try TestHub(log: $0) } ?? TestHub()
        let device = try await test.device()
        try await test.hub.database.pool.write { db in
            for id: Int64 in 1...2 {
                try ReadingWriter(db).add(
                    SeriesRecord(id: id, household: device.household, device: device.id, quantity: "q\(id)", unit: nil))
            }
        }
        return test
    }

    private func store(_ daysAgo: [Int64], of series: Int64 = 1) async throws {
        let readings = daysAgo.map { Reading(series: series, at: now - $0 * Self.day, value: Double($0)) }
        try await test.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.insert(readings)
            try writer.finish()
        }
    }

    private func stored(of series: Int64 = 1) async throws -> (readings: [Double], minutes: Int, days: Int) {
        try await test.hub.database.pool.read { db in
            var values: [Double] = []
            try db.forEachReading(series: series) { values.append($0.value) }
            func count(_ span: RollupSpan) throws -> Int {
                try Int.fetchOne(
                    db, sql: "SELECT ifnull(sum(n), 0) FROM rollup WHERE series = ? AND span = ?",
                    arguments: [series, span.rawValue]) ?? 0
            }
            return (values, try count(.minute), try count(.day))
        }
    }

    private func expire(_ companion: any Companion.Type) async throws {
        try await HubApplication(services: test.services, companions: [companion]).expire()
    }

    @Test("What is older goes, what its days came to stays, and it is not counted again when it is sent again")
    func readings() async throws {
        try await store([100, 40, 29, 1])
        try await expire(Cellar.self)
        var left = try await stored()
        #expect(left.readings == [29, 1])
        #expect(left.minutes == 3)
        #expect(left.days == 4)
        try await store([100, 40, 1])
        left = try await stored()
        #expect(left.readings == [29, 1])
        #expect(left.days == 4)
    }

    @Test(
        "What is sealed goes as rows do: what it came to stays as long, and it is not taken again", arguments: [1, 40])
    func sealed(eachDay: Int64) async throws {
        // Series 2 is sealed by nobody.
        var readings: [Reading] = []
        for minutes in stride(from: 100 * 1_440, to: 0, by: -1_440 / Int(eachDay)) {
            for id: Int64 in 1...2 {
                readings.append(Reading(series: id, at: now - Int64(minutes) * 60_000, value: Double(minutes % 97)))
            }
        }
        let all = readings
        func insert() async throws {
            try await test.hub.database.pool.write { db in
                var writer = ReadingWriter(db)
                try writer.insert(all)
                try writer.finish()
            }
        }
        func answers(_ id: Int64) async throws -> [String] {
            let end = now
            return try await test.hub.database.pool.read { db in
                var values: [Double] = []
                try db.forEachReading(series: id) { values.append($0.value) }
                return try ["\(values)"]
                    + RollupSpan.allCases.map { span in
                        "\(try db.buckets(series: id, from: end - 120 * Self.day, to: end, width: span.rawValue))"
                    }
            }
        }
        try await insert()
        var from = Int64.min
        let before = now
        while let piece = try await test.hub.database.pool.write({ [from] db in
            try db.sealNext(series: 1, from: from, before: before)
        }) { from = piece.end }
        #expect(try await answers(1) == answers(2))
        try await expire(Cellar.self)
        #expect(try await answers(1) == answers(2))
        #expect(try await stored().readings.count <= 30 * Int(eachDay) + 1)
        try await insert()
        #expect(try await answers(1) == answers(2))
    }

    @Test("A sealed block that is torn is named and left, what is as old beside it goes, and the next time again")
    func torn() async throws {
        let recorded = RecordedLog()
        let test = try await Self.hub(recorded.logger)
        let now = test.hub.clock.now()
        try await test.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            for series: Int64 in 1...2 {
                // Dense enough that each day is a block of its own.
                try writer.insert(
                    stride(from: now - 50 * Self.day, to: now, by: 120_000).map {
                        Reading(series: series, at: $0, value: 1)
                    })
            }
            try writer.finish()
            for series: Int64 in 1...2 {
                while try db.sealNext(series: series, before: now) != nil {}
            }
            // As a page that was half written: the second day of the first series.
            try db.execute(
                sql: """
                    UPDATE reading_block SET content = substr(content, 1, length(content) / 2) || zeroblob(length(content) / 2)
                    WHERE series = 1 AND start = (SELECT min(start) + ? FROM reading_block)
                    """, arguments: [Self.day])
        }
        let app = try await HubApplication(services: test.services, companions: [Cellar.self])
        for turn in 1...2 {
            try await app.expire()
            let starts = try await test.hub.database.pool.read { db in
                try (1...2).map { series in
                    try Int64.fetchAll(
                        db, sql: "SELECT start FROM reading_block WHERE series = ? ORDER BY start", arguments: [series])
                }
            }
            let oldest = (now - 30 * Self.day).floored(to: Self.day)
            #expect(starts[0].first == (now - 50 * Self.day).floored(to: Self.day) + Self.day)
            #expect(Array(starts[0].dropFirst()) == starts[1])
            #expect(starts[1].first == oldest)
            #expect(recorded.text.components(separatedBy: "Readings of series 1 from").count - 1 == turn)
        }
    }

    @Test("The newest reading stays, however old it is")
    func newest() async throws {
        try await store([400, 300])
        try await expire(Cellar.self)
        #expect(try await stored().readings == [300])
    }

    @Test("Where nothing is declared all of it stays")
    func forEver() async throws {
        try await store([20 * 365, 1])
        try await expire(Attic.self)
        let left = try await stored()
        #expect(left.readings == [20 * 365, 1])
        #expect(left.minutes == 2)
    }

    @Test("However much is old, a transaction removes so many rows and no more, and others write between them")
    func bounded() async throws {
        try await store((40..<2_040).map { $0 })
        let before = now
        var turns = 0
        while try await test.hub.database.pool.write({ db in
            try db.expire(series: 1, readingsBefore: before, minutesBefore: before, limit: 300).isMore
        }) { turns += 1 }
        #expect(turns == 6)
        let left = try await stored()
        #expect(left.readings == [40])
        #expect(left.minutes == 0)
    }

    @Test(
        "A companion that stores for less than a day, or sums for less long than what they are of, is refused",
        arguments: [(0, nil), (-1, nil), (30, 10), (nil, 10)] as [(Int?, Int?)])
    func refused(readings: Int?, minutes: Int?) {
        let kind = DeviceKind(
            name: "x", title: "X", retention: ReadingRetention(readingDays: readings, minuteDays: minutes))
        Declared.kinds.withLock { $0 = [kind] }
        #expect(throws: DeclarationError.self) { try Declarations([Declared.self]) }
    }

    private struct Declared: Companion {
        static let kinds = Mutex<[DeviceKind]>([])
        static let slug = "declared"
        static let title = "Declared"
        static var deviceKinds: [DeviceKind] { kinds.withLock { $0 } }
        static let migrations: [Migration] = []
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }
}
