import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Archive
@testable import HubKit
@testable import HubServer

/// An archive that is taken while readings of many series wait for their rows.
@Suite("An archive under a wide load")
struct JournaledArchiveTests {
    @Test(
        "Readings that wait in the journal are in it with the time they will have, and wait on: the batch writer announces them"
    )
    func waiting() async throws {
        let test = try TestHub()
        let device = try await test.device()
        let before = [Reading(series: 1, at: 10, value: 1), Reading(series: 1, at: 40, value: 4)]
        let journaled = [
            Reading(series: 2, at: 5, value: 7), Reading(series: 1, at: 20, value: 2),
            Reading(series: 1, at: 10, value: 9), Reading(series: 1, at: 10, value: 3, isTimeAssigned: true),
            Reading(series: 2, at: 6, value: 8), Reading(series: 1, at: 50, value: 5),
        ]
        let journal = ReadingJournal()
        try await test.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            for id: Int64 in [1, 2] {
                try writer.add(
                    SeriesRecord(id: id, household: device.household, device: device.id, quantity: "q\(id)", unit: nil))
            }
            try writer.insert(before)
            // One is moved, and the rest of the run waits with what came behind it.
            try journal.append(Array(journaled.prefix(4)), db)
            try journal.move(atMost: 1, isUrgent: true, into: &writer, db)
            try journal.append(Array(journaled.suffix(2)), db)
            try writer.finish()
        }
        let place = try TemporaryFolder()
        let file = place.path + "/linden.zip"
        let made = try ArchiveExport.write(
            test.hub.database, in: DataFolder(path: test.folder.path), companions: [], to: file, now: 100)
        #expect(made.readings == 7)
        #expect(try await test.hub.database.pool.write { db in try journal.count(db) } == 5)
        let folder = try DataFolder(path: place.path + "/other")
        _ = try ArchiveImport.read(file, into: folder, companions: [], now: 1)
        let other = try HubDatabase(path: folder.databasePath)
        // The same as the hub itself has once it has moved them.
        try test.hub.database.emptyReadingJournal()
        for id: Int64 in [1, 2] {
            let (imported, own) = (try Self.readings(other, id), try Self.readings(test.hub.database, id))
            #expect(imported == own)
        }
        #expect(try Self.readings(other, 1).map(\.value) == [1, 3, 2, 4, 5])
        #expect(try Self.readings(other, 2).map(\.value) == [7, 8])
        try other.close()
    }

    private static func readings(_ database: HubDatabase, _ series: Int64) throws -> [Reading] {
        try database.pool.read { db in
            var found: [Reading] = []
            try db.forEachReading(series: series) { found.append($0) }
            return found
        }
    }
}
