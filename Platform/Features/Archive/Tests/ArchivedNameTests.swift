import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Archive
@testable import HubKit
@testable import HubServer

/// The readings of an archive for spreadsheets, which say in a third column whose they are.
@Suite("Readings of a device whose name has the sign between cells in it")
struct ArchivedNameTests {
    private static let names = ["Basil; kitchen", "Basil, kitchen", "\"Basil\"; 1,5;", "Basil"]

    // What was stored is what is expected.
    @Test("They are imported from tables of each form", arguments: TableForm.allCases, names)
    func named(form: TableForm, name: String) async throws {
        try await check(form, name) { _ in }
    }

    @Test("So they are from an archive of before, which does not say its form", arguments: TableForm.allCases, names)
    func earlier(form: TableForm, name: String) async throws {
        try await check(form, name) { $0.form = nil }
    }

    private func check(_ form: TableForm, _ name: String, _ change: (inout ArchiveManifest) -> Void) async throws {
        let test = try TestHub()
        let device = try await test.device(name: name)
        let stored = [
            Reading(series: 1, at: 1_700_000_000_000, value: 41.5),
            Reading(series: 1, at: 1_700_000_060_000, value: -2),
        ]
        try await test.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            // Its unit has both signs in it, too.
            try writer.add(
                SeriesRecord(
                    id: 1, household: device.household, device: device.id, quantity: "moisture", unit: "%;,"))
            try writer.insert(stored)
            try writer.finish()
        }
        let place = try TemporaryFolder()
        let file = place.path + "/linden.zip"
        _ = try ArchiveExport.write(
            test.hub.database, in: DataFolder(path: test.folder.path), companions: [], to: file, form: form, now: 100)
        try Self.rewrite(file, change)
        let folder = try DataFolder(path: place.path + "/other")
        _ = try ArchiveImport.read(file, into: folder, companions: [], now: 1)
        let other = try HubDatabase(path: folder.databasePath)
        #expect(try Self.readings(other) == stored)
        try other.close()
    }

    private static func readings(_ database: HubDatabase) throws -> [Reading] {
        try database.pool.read { db in
            var found: [Reading] = []
            try db.forEachReading(series: 1) { found.append($0) }
            return found
        }
    }

    /// Changes the manifest of an archive.
    private static func rewrite(_ file: String, _ change: (inout ArchiveManifest) -> Void) throws {
        let zip = try ZipReader(ArchiveBytes(path: file))
        var other = ZipWriter<[UInt8]>([])
        for entry in zip.files.values {
            var content = try zip.content(of: entry, upTo: 1 << 26)
            if entry.name == ArchiveManifest.name {
                var manifest = try JSONDecoder().decode(ArchiveManifest.self, from: Data(content))
                change(&manifest)
                content = Array(try JSONEncoder().encode(manifest))
            }
            try other.add(entry.name, content)
        }
        try other.finish()
        try Data(other.destination).write(to: URL(filePath: file))
    }
}
