import Foundation
import GRDB
import HubInstruments
import Testing

@testable import Storage

@Suite("The readings' journal")
struct ReadingJournalTests {
    private static let seriesCount: Int64 = 20

    /// A hub with some series and no readings.
    private func emptyHub() async throws -> TestHub {
        let hub = try TestHub()
        let device = try await hub.device()
        try await hub.hub.database.pool.write { db in
            for id in 1...Self.seriesCount {
                try ReadingWriter(db).add(
                    SeriesRecord(id: id, household: device.household, device: device.id, quantity: "q\(id)", unit: nil))
            }
        }
        return hub
    }

    /// Readings of all series in turn, as a thousand sensors bring them, a minute apart.
    private func batch(_ number: Int, count: Int = 100) -> [Reading] {
        (0..<count).map { index in
            let place = number * count + index
            return Reading(
                series: Int64(place) % Self.seriesCount + 1, at: Int64(place / Int(Self.seriesCount)) * 60_000,
                value: Double(place))
        }
    }

    private func stored(_ database: HubDatabase) throws -> [Reading] {
        try database.pool.read { db in
            var readings: [Reading] = []
            for series in 1...Self.seriesCount { try db.forEachReading(series: series) { readings.append($0) } }
            return readings
        }
    }

    private func step(
        _ journal: ReadingJournal, _ readings: [Reading], most: Int, isUrgent: Bool = true, in database: HubDatabase
    ) throws -> [Reading] {
        try database.pool.write { db in
            var writer = ReadingWriter(db)
            try journal.append(readings, db)
            try journal.move(atMost: most, isUrgent: isUrgent, into: &writer, db)
            try writer.finish()
            return writer.inserted
        }
    }

    /// A copy of all files as they are: what a killed hub leaves behind.
    private func killed(_ hub: TestHub) throws -> (database: HubDatabase, folder: URL) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("killed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = hub.hub.database.path
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + ending, toPath: folder.path + "/tandem.sqlite" + ending)
        }
        return (try HubDatabase(path: folder.path + "/tandem.sqlite"), folder)
    }

    @Test("A hub that is killed after any of its commits has each reading once after the start, and sums that agree")
    func kills() async throws {
        let hub = try await emptyHub()
        let journal = ReadingJournal()
        var all: [Reading] = []
        var kills = 0
        // Five wide batches, and then slices of 70 until nothing waits.
        for number in 0..<20 {
            let readings = number < 5 ? batch(number) : []
            all += readings
            _ = try step(journal, readings, most: 70, in: hub.hub.database)
            let (database, folder) = try killed(hub)
            defer { try? FileManager.default.removeItem(at: folder) }
            let found = try stored(database)
            #expect(found.sorted { $0.value < $1.value } == all, "after commit \(number)")
            let (waiting, count, sum) = try await database.pool.read { db in
                (
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM reading_journal"), try db.readingCount(),
                    try Double.fetchOne(db, sql: "SELECT sum(sum) FROM rollup WHERE span = ?", arguments: [86_400_000])
                )
            }
            #expect(waiting == 0)
            #expect(count == all.count)
            #expect(sum == all.reduce(0) { $0 + $1.value })
            try database.close()
            kills += 1
            if number >= 5, journal.count == 0 { break }
        }
        #expect(journal.count == 0)
        #expect(kills > 6)
        #expect(try stored(hub.hub.database).count == all.count)
    }

    @Test("Of two readings of one time the first stands, whether it waited or not")
    func firstStands() async throws {
        let hub = try await emptyHub()
        let journal = ReadingJournal()
        _ = try step(journal, [Reading(series: 1, at: 5, value: 1)], most: 1, isUrgent: false, in: hub.hub.database)
        let late = [Reading(series: 1, at: 5, value: 2), Reading(series: 1, at: 6, value: 3)]
        let inserted = try step(journal, late, most: 10, in: hub.hub.database)
        #expect(inserted.map(\.value) == [1, 3])
        #expect(try stored(hub.hub.database).map(\.value) == [1, 3])
    }

    @Test("A reading whose time the hub chose moves on where one stands, once, also when the hub is killed between")
    func assignedTimes() async throws {
        let hub = try await emptyHub()
        let journal = ReadingJournal()
        let readings = [
            Reading(series: 1, at: 5, value: 1), Reading(series: 1, at: 5, value: 2, isTimeAssigned: true),
            Reading(series: 2, at: 5, value: 3),
        ]
        _ = try step(journal, readings, most: 2, in: hub.hub.database)
        let (database, folder) = try killed(hub)
        defer { try? FileManager.default.removeItem(at: folder) }
        let found = try stored(database)
        #expect(found.map(\.at) == [5, 6, 5])
        #expect(found.map(\.value) == [1, 2, 3])
    }

    @Test("What a transaction did that is rolled back has not been done")
    func rolledBack() async throws {
        let hub = try await emptyHub()
        let journal = ReadingJournal()
        struct Stop: Error {}
        _ = try step(journal, batch(0), most: 30, in: hub.hub.database)
        for readings in [batch(1), []] {
            #expect(throws: Stop.self) {
                try hub.hub.database.pool.write { db in
                    var writer = ReadingWriter(db)
                    try journal.append(readings, db)
                    try journal.move(atMost: 1_000, isUrgent: true, into: &writer, db)
                    throw Stop()
                }
            }
            #expect(try await hub.hub.database.pool.write { db in try journal.count(db) } == 70)
        }
        _ = try step(journal, [], most: 1_000, in: hub.hub.database)
        #expect(try stored(hub.hub.database).sorted { $0.value < $1.value } == batch(0))
    }

    @Test("Somebody else moves what waits: the hub finds nothing, and goes on")
    func movedByAnother() async throws {
        let hub = try await emptyHub()
        let journal = ReadingJournal()
        _ = try step(journal, batch(0), most: 30, in: hub.hub.database)
        let other = try HubDatabase(path: hub.hub.database.path)
        #expect(try stored(other).count == 100)
        try other.close()
        #expect(try step(journal, [], most: 1_000, in: hub.hub.database).isEmpty)
        #expect(journal.count == 0)
        #expect(try step(journal, batch(1), most: 1_000, in: hub.hub.database).count == 100)
    }

    @Test("Somebody else empties it, and its ids begin anew: what was there before is not taken for what is there now")
    func idsAnew() async throws {
        let hub = try await emptyHub()
        let journal = ReadingJournal()
        try await hub.hub.database.pool.write { db in try journal.append(self.batch(0), db) }
        try hub.hub.database.emptyReadingJournal()
        try await hub.hub.database.pool.write { db in try journal.append(self.batch(1), db) }
        let ids = try await hub.hub.database.pool.read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM reading_journal")
        }
        #expect(ids == [1])
        #expect(try step(journal, [], most: 1_000, in: hub.hub.database).map(\.value) == Self.inRun(batch(1)))
        #expect(try stored(hub.hub.database).sorted { $0.value < $1.value } == batch(0) + batch(1))
    }

    /// The values of readings in the order in which a run moves them.
    private static func inRun(_ readings: [Reading]) -> [Double] { JournaledReadings.ordered(readings).map(\.value) }

    @Test("A run begins when enough wait or somebody hurries, and what waits cannot run away")
    func bounded() async throws {
        let hub = try await emptyHub()
        let journal = ReadingJournal(runLength: 400)
        var most = 0
        for number in 0..<40 {
            let inserted = try step(journal, batch(number), most: 150, isUrgent: false, in: hub.hub.database)
            #expect(inserted.isEmpty || number >= 3, "a run began with \(number) batches")
            most = max(most, journal.count)
        }
        #expect(most >= 300)
        #expect(most < 2 * 400)
    }

    @Test("A run is ordered by series, and each series is as it came")
    func order() {
        let readings = [(3, 9), (1, 2), (3, 1), (2, 5), (1, 1)].map {
            Reading(series: $0, at: $1, value: 0)
        }
        let ordered = JournaledReadings.ordered(readings)
        #expect(ordered.map(\.series) == [1, 1, 2, 3, 3])
        #expect(ordered.map(\.at) == [2, 1, 5, 9, 1])
    }

    @Test("Readings come back from their bytes as they were")
    func bytes() throws {
        let readings = [
            Reading(series: 1, at: .min, value: -0.0),
            Reading(series: .max, at: .max, value: 1e300, isTimeAssigned: true),
        ]
        let data = JournaledReadings.data(of: readings)
        #expect(data.count == 50)
        #expect(try JournaledReadings.readings(of: data) == readings)
    }

    @Test("A row of the journal that is cut off is a damaged database")
    func cutOff() throws {
        let data = JournaledReadings.data(of: [Reading(series: 1, at: 1, value: 1)])
        let error = #expect(throws: DatabaseError.self) { try JournaledReadings.readings(of: data.dropLast()) }
        #expect(error?.resultCode == .SQLITE_CORRUPT)
    }

    @Test("A copy of the database is emptied by itself")
    func copy() async throws {
        let hub = try await emptyHub()
        _ = try step(ReadingJournal(), batch(0), most: 30, in: hub.hub.database)
        try await hub.hub.database.pool.write { db in try HubDatabase.emptyReadingJournal(db) }
        #expect(try stored(hub.hub.database).count == 100)
    }
}
