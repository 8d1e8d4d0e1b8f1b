import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Archive
@testable import HubKit
@testable import HubServer
@testable import Readings

/// An archive of a hub whose disk has lost some readings.
@Suite("An archive of what is damaged")
struct DamagedReadingsTests {
    private static let day = RollupSpan.day.rawValue

    /// A hub with a reading each minute of ten days, all but the newest three sealed, a block a day.
    private func hub() async throws -> TestHub {
        let test = try TestHub()
        try await test.storeMoisture(of: "Fern", days: 10, every: 60_000)
        await SealingService(hub: test.hub).seal()
        return test
    }

    /// The stretch of the second block, whose bytes are gone.
    private func damage(_ test: TestHub) async throws -> (from: Int64, to: Int64, count: Int) {
        try await test.hub.database.pool.write { db in
            let row = try #require(
                try Row.fetchOne(
                    db, sql: "SELECT id, start, until, n FROM reading_block ORDER BY start LIMIT 1 OFFSET 1"))
            let id: Int64 = row[0]
            try db.execute(sql: "UPDATE reading_block SET content = x'00' WHERE id = ?", arguments: [id])
            return (row[1], row[2], row[3])
        }
    }

    @Test("A damaged block is left out, and the manifest, the READMEs and the summary say which readings are missing")
    func leftOut() async throws {
        let test = try await hub()
        let lost = try await damage(test)
        let place = try TemporaryFolder()
        let file = place.path + "/linden.zip"
        let made = try ArchiveExport.write(
            test.hub.database, in: DataFolder(path: test.folder.path), companions: [], to: file,
            now: test.hub.clock.now())
        #expect(made.damagedStretches == 1)
        #expect(made.readings == 10 * 1_440 - lost.count)
        let zip = try ZipReader(ArchiveBytes(path: file))
        func content(_ name: String) throws -> Data {
            Data(try zip.content(of: try #require(zip.files[name]), upTo: 1 << 24))
        }
        let manifest = try JSONDecoder().decode(ArchiveManifest.self, from: try content(ArchiveManifest.name))
        let said = try #require(manifest.damaged?.first)
        #expect(said.series == 1 && said.device == "Fern" && said.quantity == "moisture")
        #expect(said.from == lost.from && said.to == lost.to)
        let english = String(decoding: try content("README.md"), as: UTF8.self)
        #expect(english.contains("## What is damaged"))
        #expect(
            english.contains("Fern, moisture (series 1): from \(Date(milliseconds: lost.from).formatted(.iso8601))"))
        #expect(String(decoding: try content("README.de.md"), as: UTF8.self).contains("## Was beschädigt ist"))
        // The rest becomes a hub.
        let folder = try DataFolder(path: place.path + "/other")
        let read = try ArchiveImport.read(file, into: folder, companions: [], now: 1)
        #expect(read.damagedStretches == 1)
        let other = try HubDatabase(path: folder.databasePath)
        #expect(try await other.pool.read { db in try db.readingCount() } == made.readings)
        try other.close()
    }

    @Test("Where nothing is damaged, nothing is said of it")
    func whole() async throws {
        let test = try await hub()
        let place = try TemporaryFolder()
        let file = place.path + "/linden.zip"
        let made = try ArchiveExport.write(
            test.hub.database, in: DataFolder(path: test.folder.path), companions: [], to: file,
            now: test.hub.clock.now())
        #expect(made.damagedStretches == 0)
        let zip = try ZipReader(ArchiveBytes(path: file))
        let readMe = try zip.content(of: try #require(zip.files["README.md"]), upTo: 1 << 20)
        #expect(!String(decoding: readMe, as: UTF8.self).contains("damaged"))
    }
}
