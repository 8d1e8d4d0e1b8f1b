import Foundation
import GRDB
import HubInstruments
import Storage
import Synchronization
import Testing

@testable import HubKit

@Suite("Stored readings")
struct ReadingStoreTests {
    private func store(_ readings: [Reading], in hub: TestHub) async throws {
        try await hub.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.insert(readings)
            try writer.finish()
        }
    }

    private func series(_ hub: TestHub) async throws {
        let device = try await hub.device()
        try await hub.hub.database.pool.write { db in
            for id: Int64 in 1...2 {
                try ReadingWriter(db).add(
                    SeriesRecord(id: id, household: device.household, device: device.id, quantity: "q\(id)", unit: nil))
            }
        }
    }

    @Test("The same series and time twice: the first value stands and rollups count it once", arguments: [1, 64, 200])
    func firstStands(count: Int) async throws {
        let hub = try TestHub()
        try await series(hub)
        let readings = (0..<count).map { Reading(series: 1, at: Int64($0) * 1000, value: Double($0)) }
        try await store(readings, in: hub)
        try await store(readings.map { Reading(series: 1, at: $0.at, value: -1) }, in: hub)
        let (stored, total) = try await hub.hub.database.pool.read { db in
            var stored: [Double] = []
            try db.forEachReading(series: 1) { stored.append($0.value) }
            return (stored, try db.readingCount())
        }
        #expect(stored == readings.map(\.value))
        #expect(total == count)
    }

    @Test("Counting what is stored looks at the days of each series, and never scans the rollups")
    func counting() async throws {
        let hub = try TestHub()
        let plan = try await hub.hub.database.pool.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(Database.readingCountSQL)").map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("SEARCH rollup USING PRIMARY KEY (series=? AND span=?)") }, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN rollup") }, "\(plan)")
    }

    @Test("Many stretches are summed up in one query as each is alone, by the primary key")
    func stretches() async throws {
        let hub = try TestHub()
        try await series(hub)
        let readings = (1...2).flatMap { id in
            (0..<500).map { Reading(series: id, at: Int64($0) * 97_000, value: Double($0 % 13)) }
        }
        try await store(readings, in: hub)
        let hour: Int64 = 3_600_000
        let (alone, together, plan) = try await hub.hub.database.pool.read { db in
            (
                [
                    try db.buckets(series: 2, from: hour, to: 7 * hour, width: 300_000),
                    try db.buckets(series: 1, from: 0, to: 9 * hour, width: 2 * hour),
                    try db.buckets(series: 1, from: 0, to: 0, width: hour),
                    try db.buckets(series: 2, from: 90_000, to: 9 * hour, width: hour),
                ],
                try db.buckets(of: [
                    SeriesStretch(series: 2, from: hour, to: 7 * hour, in: .minute, by: 5),
                    SeriesStretch(series: 1, from: 0, to: 9 * hour, in: .hour, by: 2),
                    SeriesStretch(series: 1, from: 0, to: 0, in: .hour),
                    SeriesStretch(series: 2, from: 90_000, to: 9 * hour, in: .hour),
                ]),
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(Database.stretchesSQL)", arguments: ["[]"])
                    .map { $0["detail"] as String }
            )
        }
        #expect(together == alone)
        #expect(together.map(\.isEmpty) == [false, false, true, false])
        #expect(
            plan.contains { $0.contains("SEARCH rollup USING PRIMARY KEY (series=? AND span=? AND start") }, "\(plan)")
    }

    @Test("The newest reading of each series is found by the primary key, for all devices in one question")
    func latest() async throws {
        let hub = try TestHub()
        try await series(hub)
        try await store((0..<10).map { Reading(series: 1, at: Int64($0), value: Double($0)) }, in: hub)
        let (plan, latest) = try await hub.hub.database.pool.read { db in
            (
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(Database.latestReadingsSQL)").map {
                    $0["detail"] as String
                },
                try db.latestReadings()
            )
        }
        #expect(!plan.contains { $0.contains("SCAN reading") }, "\(plan)")
        #expect(latest.map(\.reading) == [Reading(series: 1, at: 9, value: 9)])
        let device = try #require(latest.first?.series.device)
        let (own, others) = try await hub.hub.database.pool.read { db in
            (try db.latestReadings(ofDevices: [device, "other"]).count, try db.latestReadings(ofDevices: []).count)
        }
        #expect((own, others) == (1, 0))
    }

    @Test("One reading twice inside a batch of many is stored once")
    func duplicateInBatch() async throws {
        let hub = try TestHub()
        try await series(hub)
        var readings = (0..<64).map { Reading(series: 1, at: Int64($0), value: 1) }
        readings[40].at = 3
        try await store(readings, in: hub)
        #expect(try await hub.hub.database.pool.read { db in try db.readingCount() } == 63)
    }

    @Test("A reading whose time the hub chose moves on where one with its own time stands")
    func assignedTimesYield() async throws {
        let hub = try TestHub()
        try await series(hub)
        try await store([Reading(series: 1, at: 5, value: 1), Reading(series: 1, at: 6, value: 2)], in: hub)
        try await store([Reading(series: 1, at: 5, value: 3, isTimeAssigned: true)], in: hub)
        let latest = try await hub.hub.database.pool.read { db in try db.latestReading(series: 1) }
        #expect(latest == Reading(series: 1, at: 7, value: 3))
    }

    @Test("Where a flood took each millisecond of an hour, the next readings find places in a few steps")
    func assignedTimesLeapOverFloods() async throws {
        let hub = try TestHub()
        try await series(hub)
        try await store((0..<20_000).map { Reading(series: 1, at: $0, value: 1) }, in: hub)
        let statements = Mutex(0)
        try await hub.hub.database.pool.write { db in
            db.trace { _ in statements.withLock { $0 += 1 } }
            var writer = ReadingWriter(db)
            try writer.insert((0..<100).map { Reading(series: 1, at: $0, value: 2, isTimeAssigned: true) })
            try writer.finish()
            db.trace(options: [])
        }
        #expect(try await hub.hub.database.pool.read { db in try db.readingCount() } == 20_100)
        #expect(statements.withLock { $0 } < 100 * 30)
    }

    @Test("Rollups of minute, hour and day agree with the readings, in whatever order they came", arguments: [1, 2, 3])
    func rollups(seed: UInt64) async throws {
        let hub = try TestHub()
        try await series(hub)
        var generator = SystemRandomNumberGenerator()
        let times = Set((0..<500).map { _ in Int64.random(in: -200_000_000...200_000_000, using: &generator) })
        let readings = times.map { (at: Int64) -> Reading in
            Reading(series: Int64.random(in: 1...2), at: at, value: Double.random(in: 0...100))
        }
        for start in stride(from: 0, to: readings.count, by: 130) {
            try await store(Array(readings[start..<min(start + 130, readings.count)]), in: hub)
        }
        let widths: [Int64] = [1000, 60_000, 5 * 60_000, 3_600_000, 3 * 3_600_000, 86_400_000]
        for width in widths {
            let expected: [Int64: [Reading]] = Dictionary(grouping: readings.filter { $0.series == 1 }) {
                $0.at.floored(to: width)
            }
            let buckets = try await hub.hub.database.pool.read { db in
                try db.buckets(series: 1, from: -300_000_000, to: 300_000_000, width: width)
            }
            #expect(buckets.map(\.start) == expected.keys.sorted())
            for bucket in buckets {
                let values = try #require(expected[bucket.start]).map(\.value)
                #expect(bucket.count == values.count)
                #expect(bucket.low == values.min() && bucket.high == values.max())
                #expect(abs(bucket.sum - values.reduce(0, +)) < 1e-6)
            }
        }
    }

    @Test("A silence longer than asked is a gap, the open one at the end too")
    func gaps() async throws {
        let hub = try TestHub()
        try await series(hub)
        let minute: Int64 = 60_000
        let minutes: [Int64] = [0, 1, 2, 30, 31, 32]
        try await store(minutes.map { Reading(series: 1, at: $0 * minute, value: 1) }, in: hub)
        let gaps = try await hub.hub.database.pool.read { db in
            try db.gaps(series: 1, from: 0, to: 60 * minute, longerThan: 10 * minute)
        }
        #expect(gaps == [3 * minute..<30 * minute, 33 * minute..<60 * minute])
    }

    @Test("A file that is no database is refused in words")
    func corrupt() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tandem-\(UUID().uuidString)").path
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: HubDatabaseError.self) { try HubDatabase(path: path) }
        #expect(error?.description.contains("damaged") == true)
    }

    @Test("A database of a newer version is refused in words")
    func newer() async throws {
        let hub = try TestHub()
        try await hub.hub.database.pool.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('hub-999')")
        }
        let path = hub.hub.database.path
        let error = #expect(throws: HubDatabaseError.self) { try HubDatabase(path: path) }
        #expect(error?.description.contains("newer") == true)
    }

    @Test("Commits are synced to the disk: synchronous is FULL and the log is a write-ahead log")
    func durable() async throws {
        let hub = try TestHub()
        let (synchronous, mode) = try await hub.hub.database.pool.writeWithoutTransaction { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
        }
        #expect(synchronous == 2)
        #expect(mode == "wal")
    }

    @Test("Two hubs do not share a data folder")
    func lock() throws {
        let hub = try TestHub()
        let folder = try DataFolder(path: hub.folder.path)
        let held = try folder.lock()
        let error = #expect(throws: DataFolderError.self) { try folder.lock() }
        #expect(error?.description.contains("Another hub is running") == true)
        withExtendedLifetime(held) {}
    }
}
