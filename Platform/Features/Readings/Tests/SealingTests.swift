import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer
@testable import Readings

@Suite("Sealing in the background")
struct SealingTests {
    private static let day = RollupSpan.day.rawValue

    /// A hub with a reading each ten minutes of twenty days.
    private func hub(_ recorded: RecordedLog = RecordedLog()) async throws -> TestHub {
        let test = try TestHub(log: recorded.logger)
        try await test.storeMoisture(days: 20, every: 600_000)
        return test
    }

    /// The day of the oldest row.
    private func oldestDay(_ test: TestHub) async throws -> Int64? {
        try await test.hub.database.pool.read { db in
            try Int64.fetchOne(db, sql: "SELECT min(at) FROM reading")?.floored(to: Self.day)
        }
    }

    @Test("What is older than three days is sealed, and each day that passes one more")
    func service() async throws {
        let test = try await hub()
        let service = SealingService(hub: test.hub)
        let today = test.hub.clock.now().floored(to: Self.day)
        await service.seal()
        #expect(try await oldestDay(test) == today - 3 * Self.day)
        test.advance(milliseconds: Self.day)
        await service.seal()
        #expect(try await oldestDay(test) == today - 2 * Self.day)
        #expect(try await test.hub.database.pool.read { db in try db.readingCount() } == 20 * 144)
    }

    @Test("Progress says how many readings and series are done, and nothing is done a second time")
    func progress() async throws {
        let test = try await hub()
        let sealing = Sealing(test.hub.database, olderThanDays: 3, now: test.hub.clock.now(), isPatient: false)
        var told: [Sealing.Progress] = []
        let done = try await sealing.seal { told.append($0) }
        #expect(done == Sealing.Progress(series: 1, allSeries: 1, readings: told.map(\.readings).max() ?? 0))
        #expect(done.readings > 16 * 144)
        #expect(told.map(\.readings) == told.map(\.readings).sorted())
        #expect(try await sealing.seal().readings == 0)
    }

    @Test("A number of days beyond all bounds seals nothing, and one below them is a day", arguments: [Int.max, .min])
    func outOfBounds(days: Int) async throws {
        let test = try await hub()
        let sealing = Sealing(test.hub.database, olderThanDays: days, now: test.hub.clock.now(), isPatient: false)
        let done = try await sealing.seal()
        if days > 0 { #expect(done.readings == 0) } else { #expect(done.readings > 18 * 144) }
    }

    @Test("The sentence about such a number names the flag, the bounds, and what is usual")
    func outOfBoundsSentence() {
        #expect(
            HubSettings.sealAfterDaysRefusal(flag: "--seal-after-days")
                == "--seal-after-days is a number of days from 1 to 36500. Give one of these, or leave it out for 3.")
        #expect(HubSettings.sealAfterDaysBounds.contains(HubSettings.usualSealAfterDays))
    }

    @Test("Free pages are given back, in pieces, until none is left")
    func giveBack() async throws {
        let test = try await hub()
        try await test.hub.database.pool.write { db in
            try db.execute(sql: "CREATE TABLE filler(content BLOB); INSERT INTO filler VALUES (zeroblob(20000000))")
            try db.execute(sql: "DROP TABLE filler")
        }
        let before = try await test.hub.database.space()
        #expect(before.isRoomy)
        try await Sealing(test.hub.database, olderThanDays: 3, now: 0, isPatient: false).giveBack()
        let after = try await test.hub.database.space()
        #expect(after.freeBytes == 0)
        #expect(after.bytes < before.bytes - 19_000_000)
        #expect(try test.hub.database.integrityProblems() == [])
    }

    @Test(
        "Where a block is damaged a reading that comes late is still stored, the log says so, and other series are sealed"
    )
    func damage() async throws {
        let recorded = RecordedLog()
        let test = try await hub(recorded)
        let service = SealingService(hub: test.hub)
        await service.seal()
        let now = test.hub.clock.now()
        try await test.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE reading_block SET content = x'00'")
            try db.execute(
                sql:
                    "INSERT INTO series(id, household, device, quantity) SELECT 2, household, device, 'light' FROM series"
            )
            var writer = ReadingWriter(db)
            try writer.insert(
                [(1, 9), (2, 9), (2, 0)].map { Reading(series: $0, at: now - $1 * Self.day + 1, value: 1) })
            try writer.finish()
            #expect(writer.inserted.count == 3)
        }
        await service.seal()
        #expect(recorded.text.contains("Readings of series 1 from"))
        #expect(test.hub.storage.fault == .damaged, "and pages are told")
        let left = try await test.hub.database.pool.read { db in
            try Int.fetchAll(
                db, sql: "SELECT series FROM reading WHERE at < ? ORDER BY series", arguments: [now - 5 * Self.day])
        }
        #expect(left == [1])
    }
}
