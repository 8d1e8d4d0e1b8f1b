import Foundation
import GRDB
import HubInstruments
import Localization
import Storage
import TestInstruments
import Testing

@testable import Accounts
@testable import Archive
@testable import BrushingHub
@testable import DrumsHub
@testable import HubKit
@testable import HubServer
@testable import MotionLabHub
@testable import PlantsHub
@testable import TriviaToyHub

/// All that a household has, taken out of one hub and into another.
@Suite("An archive of a household")
struct ArchiveTests {
    static let companions: [any Companion.Type] = [
        Plants.self, Brushing.self, Drums.self, TriviaToy.self, MotionLab.self,
    ]
    private static var parts: [ArchivePart] { [.platform] + companions.map { $0.archivePart } }

    let place: TemporaryFolder
    private let house: House
    private var test: TestHub { house.test }
    var file: String { place.path + "/linden.zip" }

    /// The household, which all tests read and none changes, with its archive.
    static let house = Task { try await House() }

    init() async throws {
        place = try TemporaryFolder()
        house = try await Self.house.value
    }

    /// Writes the archive.
    func export() throws { try house.archive.write(to: URL(filePath: file)) }

    /// The sample household with all that a demo has, and what it lacks.
    struct House: Sendable {
        let test: TestHub
        let made: ArchiveSummary
        let archive: Data

        init() async throws {
            let test = try TestHub(migrations: ArchiveTests.companions.flatMap { $0.migrations })
            self.test = test
            let adult = try await test.seed()
            _ = try await test.services.accounts.addChild(
                household: adult.household, name: "Mila / “Müller”", birthYear: 2017, face: "fox")
            let app = try await HubApplication(services: test.services, companions: ArchiveTests.companions)
            let household = try await test.hub.requiredHousehold()
            for companion in app.companions { try await companion.seedDemo(household: household) }
            try FileManager.default.createDirectory(
                atPath: test.folder.path + "/songs", withIntermediateDirectories: true)
            try Data("RIFF a recording".utf8).write(to: URL(filePath: test.folder.path + "/songs/song1"))
            let now = test.hub.clock.now()
            try await test.hub.database.pool.write { db in try Self.add(to: db, household.id, now: now) }
            let path = test.folder.path + "/linden.zip"
            made = try ArchiveExport.write(
                test.hub.database, in: DataFolder(path: test.folder.path), companions: ArchiveTests.companions,
                to: path, now: now)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            archive = try Data(contentsOf: URL(filePath: path))
        }

        private static func add(to db: Database, _ household: String, now: Int64) throws {
            let sensor = try String.fetchOne(db, sql: "SELECT device FROM series LIMIT 1") ?? ""
            try db.execute(
                sql: """
                    INSERT INTO drums_song(id, household, title, audio_type, audio_bytes, created_at)
                        VALUES ('song1', :household, '../../Hänschen', 'audio/wav', 16, :now);
                    INSERT INTO plant_care(id, household, plant, at, what, note)
                        SELECT 'care1', household, id, :now, 'note', '=1+1, "new" leaf' || char(10) FROM plant LIMIT 1;
                    INSERT INTO plant_photo VALUES ('care1', :household, 'image/jpeg', x'FFD8FF00');
                    INSERT INTO toy_message(household, person, sent_by, title, milliseconds, created_at)
                        SELECT household, id, 'x', 'Grandma', 900, :now FROM person LIMIT 1;
                    INSERT INTO toy_message(household, person, sent_by, title, milliseconds, created_at)
                        SELECT household, id, 'x', 'Taken back', 900, :now FROM person LIMIT 1;
                    DELETE FROM toy_message WHERE title = 'Taken back';
                    INSERT INTO toy_message_sound
                        SELECT id, x'52494646' FROM toy_message WHERE title = 'Grandma';
                    INSERT INTO reminder_event(person, companion, name, at, day, outcome)
                        SELECT id, 'plants', 'water', :now, 1, 'said' FROM person LIMIT 1;
                    """, arguments: ["household": household, "now": now])
            // A series whose older readings are stored no longer.
            var writer = ReadingWriter(db)
            try writer.add(
                SeriesRecord(id: 900, household: household, device: sensor, quantity: "odd/../name", unit: "°C"))
            let day = RollupSpan.day.rawValue
            try writer.insert(
                (0..<500).map {
                    Reading(series: 900, at: 10 * day + Int64($0) * 600_000, value: Double($0) / 7 - 0.1)
                } + [Reading(series: 900, at: -5, value: .infinity), Reading(series: 900, at: 1 << 60, value: 1e-300)])
            try writer.finish()
            while try db.expire(series: 900, readingsBefore: 12 * day, minutesBefore: 11 * day).isMore {}
        }
    }

    func imported(_ name: String = "other") throws -> (HubDatabase, DataFolder) {
        let folder = try DataFolder(path: "\(place.path)/\(name)")
        _ = try ArchiveImport.read(file, into: folder, companions: Self.companions, now: 1_795_220_060_000)
        let database = try HubDatabase(path: folder.databasePath, migrations: Self.companions.flatMap { $0.migrations })
        return (database, folder)
    }

    /// Every row of a table as text, in the order of its key; secrets as a word.
    private static func rows(_ table: String, secrets: Set<String>, _ database: HubDatabase) throws -> [String] {
        try database.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)").map { row in
                row.map { column, value in
                    // A sum of many readings depends on the order in which they were added.
                    if table == "rollup", column == "sum", let sum = Double.fromDatabaseValue(value) {
                        return "sum=\(Float(sum))"
                    }
                    return secrets.contains(column) ? "\(column)=secret" : "\(column)=\(value)"
                }.joined(separator: " ")
            }
        }
    }

    @Test("A hub that was made of it has the same rows in every table, its secrets and what is left out aside")
    func same() throws {
        try export()
        #expect(house.made.readings > 1_000)
        let (other, folder) = try imported()
        let names = try test.hub.database.pool.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        }
        let secrets = Dictionary(
            uniqueKeysWithValues: Self.parts.flatMap(\.tables).map { ($0.name, Set($0.secrets.keys)) })
        // Readings come by their files, and what they come to is calculated.
        let calculated: Set = ["reading", "rollup"]
        let leftOut = Set(Self.parts.flatMap(\.leftOut).flatMap(\.names)).subtracting(calculated)
        var compared = 0
        for name in names where !leftOut.contains(name) {
            let before = try Self.rows(name, secrets: secrets[name] ?? [], test.hub.database)
            let after = try Self.rows(name, secrets: secrets[name] ?? [], other)
            #expect(before.count == after.count, "\(name)")
            // The first that differs: of all of them an explanation takes minutes.
            let different = zip(before, after).first { $0 != $1 }
            #expect(different == nil, "\(name)")
            compared += before.isEmpty ? 0 : 1
        }
        #expect(compared > 30, "\(compared) tables had rows")
        for name in leftOut {
            #expect(try Self.rows(name, secrets: [], other).isEmpty, "\(name)")
        }
        #expect(try String(contentsOfFile: folder.path + "/songs/song1", encoding: .utf8) == "RIFF a recording")
        let sequence = "SELECT seq FROM sqlite_sequence WHERE name = 'toy_message'"
        let given = try test.hub.database.pool.read { db in try Int.fetchOne(db, sql: sequence) }
        #expect(given != nil)
        #expect(try other.pool.read { db in try Int.fetchOne(db, sql: sequence) } == given, "no number is given twice")
        #expect(try other.integrityProblems() == [])
        try other.close()
    }

    @Test("A hub that was made of it gives free pages back to the disk, as every new one does")
    func givesBack() async throws {
        try export()
        let (other, _) = try imported()
        // 2 is INCREMENTAL (SQLite, PRAGMA auto_vacuum).
        #expect(try await other.pool.read { db in try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") } == 2)
        try other.close()
    }

    @Test("Every table is either taken along or left out with a reason, each once")
    func everyTable() throws {
        let tables = Self.parts.flatMap(\.tables).map(\.name) + Self.parts.flatMap(\.leftOut).flatMap(\.names)
        let there = try test.hub.database.pool.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name != 'grdb_migrations'"
            )
        }
        #expect(tables.sorted() == there.sorted())
    }

    @Test("Nobody can sign in with what is in it: passwords and tokens are nowhere in its bytes")
    func noSecrets() throws {
        try export()
        let bytes = try Data(contentsOf: URL(filePath: file))
        let secrets = try test.hub.database.pool.read { db in
            try Data.fetchAll(
                db,
                sql: """
                    SELECT password FROM person WHERE password IS NOT NULL UNION SELECT token_hash FROM device
                    UNION SELECT token_hash FROM sign_in UNION SELECT CAST(value AS BLOB) FROM setting
                    """)
        }
        #expect(secrets.count > 2)
        for secret in secrets {
            #expect(bytes.range(of: secret) == nil)
            #expect(bytes.range(of: secret.base64EncodedData()) == nil)
        }
    }

    @Test(
        "One whose tables are for a spreadsheet has them so, with whose the readings are, and is imported all the same",
        arguments: [(TableForm.comma, ",", "."), (.semicolon, ";", ",")])
    func spreadsheets(form: TableForm, separator: String, sign: String) throws {
        _ = try ArchiveExport.write(
            test.hub.database, in: DataFolder(path: test.folder.path), companions: Self.companions, to: file,
            form: form,
            now: test.hub.clock.now())
        let zip = try ZipReader(ArchiveBytes(path: file))
        let tables = zip.files.keys.filter { $0.hasSuffix(".csv") }
        #expect(tables.count > 10)
        for name in tables {
            let content = try zip.content(of: try #require(zip.files[name]), upTo: 1 << 26)
            #expect(content.starts(with: [0xEF, 0xBB, 0xBF]), "\(name)")
            #expect(content.prefix(400).contains(separator.utf8.first ?? 0), "\(name)")
        }
        let series = try #require(tables.sorted().first { $0.hasPrefix("readings/") && $0.contains("moisture") })
        let text = String(
            decoding: try zip.content(of: try #require(zip.files[series]), upTo: 1 << 26).dropFirst(3), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines[0].hasSuffix("moisture (%)\(separator)device"))
        let cells = lines[1].components(separatedBy: separator)
        #expect(cells.count == 3 && cells[1].contains(sign) && !cells[2].isEmpty, "\(lines[1])")
        let (other, _) = try imported(form.rawValue)
        let readings = try other.pool.read { db in try db.readingCount() }
        // Its rollups count those, too, whose time to be kept is over.
        #expect(readings == (try test.hub.database.pool.read { db in try db.readingCount() }))
        let odd = try other.pool.read { db in
            try Double.fetchOne(db, sql: "SELECT value FROM reading WHERE series = 900 ORDER BY at DESC LIMIT 1")
        }
        #expect(odd == 1e-300)
    }

    @Test(
        "It has files for people: tables with units, the original's property list, MIDI, sound, photos, a README in each language"
    )
    func readable() throws {
        try export()
        let zip = try ZipReader(ArchiveBytes(path: file))
        func text(_ name: String) throws -> String {
            let entry = try #require(zip.files[name], "\(name)")
            return String(decoding: try zip.content(of: entry, upTo: 1 << 24), as: UTF8.self)
        }
        let names = zip.files.keys.sorted()
        #expect(try text("README.md").contains("Passwords, and the tokens by which devices and phones sign in."))
        #expect(try text("README.de.md").contains("Passwörter"))
        #expect(try text("plants/care.csv").contains("time (ms since 1970, UTC)"))
        #expect(names.contains("plants/photos/photo-care1.jpg"))
        #expect(names.contains("drums/recordings/------H\u{E4}nschen-song1.wav"))
        #expect(names.contains { $0.hasPrefix("toy/messages/message-") && $0.hasSuffix(".wav") })
        #expect(names.contains { $0.hasSuffix("/sessiondata.plist") })
        #expect(names.contains { $0.hasPrefix("lab/recordings/") && $0.hasSuffix(".csv") })
        let series = try #require(names.first { $0.hasPrefix("readings/") && $0.contains("moisture") })
        #expect(try text(series).hasPrefix("\"time (ms since 1970, UTC)\",moisture (%)\n"))
    }

    @Test("An export that is ended, or for which there is no room, leaves what was there before")
    func ended() throws {
        try export()
        let before = try Data(contentsOf: URL(filePath: file))
        #expect(throws: ArchiveError.self) {
            try ArchiveExport.write(
                test.hub.database, in: DataFolder(path: test.folder.path), companions: Self.companions, to: file, now: 1
            ) { _ in throw CancellationError() }
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }

    // MARK: Refused

    func refusal(_ name: String = "other") -> ArchiveError? {
        do {
            let (database, _) = try imported(name)
            try database.close()
            return nil
        } catch {
            return error as? ArchiveError
        }
    }

    /// The archive with a file of it replaced.
    func replace(_ name: String, _ change: (String) -> String) throws {
        try export()
        let zip = try ZipReader(ArchiveBytes(path: file))
        var other = ZipWriter<[UInt8]>([])
        for entry in zip.files.values.sorted(by: { $0.name < $1.name }) {
            let content = try zip.content(of: entry, upTo: 1 << 26)
            try other.add(
                entry.name, entry.name == name ? Array(change(String(decoding: content, as: UTF8.self)).utf8) : content)
        }
        try other.finish()
        try Data(other.destination).write(to: URL(filePath: file))
    }

    @Test("A hub with a household refuses an archive, and has what it had; one that was only started does not")
    func notEmpty() async throws {
        try export()
        let (database, folder) = try imported()
        let before = try await database.pool.read { db in try String.fetchAll(db, sql: "SELECT id FROM person") }
        try database.close()
        #expect(refusal() == .notEmpty(folder.path))
        let after = try HubDatabase(path: folder.databasePath, migrations: Self.companions.flatMap { $0.migrations })
        #expect(try await after.pool.read { db in try String.fetchAll(db, sql: "SELECT id FROM person") } == before)
        try after.close()
        let fresh = try DataFolder(path: place.path + "/fresh")
        try HubDatabase(path: fresh.databasePath, migrations: Self.companions.flatMap { $0.migrations }).close()
        #expect(refusal("fresh") == nil)
    }

    @Test("What a killed import left behind does not stop the next one", arguments: [false, true])
    func killed(hadNamedFiles: Bool) throws {
        try export()
        let folder = try DataFolder(path: place.path + "/other")
        var files = ImportedFiles(in: folder)
        let cut = try files.makeFile("songs/song1")
        try cut.append(Array("RIFF half".utf8))
        try cut.synchronize()
        if hadNamedFiles { try files.place(["songs/song1"]) }
        try Data("half a database".utf8).write(to: URL(filePath: folder.path + "/tandem.import"))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/songs/song1") == hadNamedFiles)
        #expect(refusal() == nil)
        #expect(try String(contentsOfFile: folder.path + "/songs/song1", encoding: .utf8) == "RIFF a recording")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.hasPrefix("tandem.import") }, "\(left)")
    }

    @Test("A recording that somebody has put there is nobody's to remove, and the import says that it is in the way")
    func inTheWay() throws {
        try export()
        let folder = try DataFolder(path: place.path + "/other")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/songs", withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: folder.path + "/songs/song1"))
        #expect(refusal() == .notEmpty(folder.path))
        #expect(try String(contentsOfFile: folder.path + "/songs/song1", encoding: .utf8) == "mine")
    }

    @Test("Where the new database does not get its name, the one that was there has it again")
    func movedBack() throws {
        let folder = try DataFolder(path: place.path + "/other")
        try Data("old".utf8).write(to: URL(filePath: folder.databasePath))
        #expect(throws: ArchiveError.notWritable(folder.databasePath)) {
            try ArchiveImport.takePlace(
                folder.path + "/nowhere", in: folder, aside: folder.path + "/replaced-2026-11-24T0300Z")
        }
        #expect(try String(contentsOfFile: folder.databasePath, encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tandem.sqlite"])
    }

    @Test("What is no archive, and what is missing, is said")
    func none() throws {
        #expect(refusal() == .missing(file))
        try Data("a letter".utf8).write(to: URL(filePath: file))
        #expect(refusal() == .noArchive(file))
        var zip = ZipWriter<[UInt8]>([])
        try zip.add("holiday.jpg", [1])
        try zip.finish()
        try Data(zip.destination).write(to: URL(filePath: file))
        #expect(refusal() == .noArchive(file))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/other") == [])
    }

    @Test("A byte that has changed anywhere is found, and the folder stays empty")
    func damaged() throws {
        try export()
        let whole = try Data(contentsOf: URL(filePath: file))
        let zip = try ZipReader(ArchiveBytes(path: file))
        for name in ["archive.json", "data/person.jsonl", "drums/recordings/------H\u{E4}nschen-song1.wav"] {
            var bytes = whole
            let entry = try #require(zip.files[name])
            bytes[entry.start + entry.bytes / 2] ^= 0x11
            try bytes.write(to: URL(filePath: file))
            #expect(refusal("d") == .damaged(file, file: name))
            let left = try FileManager.default.subpathsOfDirectory(atPath: place.path + "/d")
            #expect(left.allSatisfy { $0 == "songs" }, "\(left)")
        }
    }

    @Test("An archive of a newer format, or of a schema that this hub does not know, is refused")
    func newer() throws {
        try replace("archive.json") { $0.replacing("\"format\" : 1,", with: "\"format\" : 2,") }
        #expect(refusal() == .newer(file))
        try replace("archive.json") { $0.replacing("\"hub-0.1.0\",", with: "\"hub-0.1.0\", \"hub-of-next-year\",") }
        #expect(refusal() == .newer(file))
    }

    @Test("An archive of a build from before the first release is refused in words")
    func unreleased() throws {
        try replace("archive.json") { $0.replacing("\"hub-0.1.0\",", with: "\"hub-001\", \"hub-002\",") }
        #expect(refusal() == .unreleased(file))
        #expect("\(ArchiveError.unreleased(file))".contains("before 0.1.0"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/other") == [])
    }

    @Test(
        "A file that would lie outside of the folders that companions declare is refused, and nothing is written",
        arguments: ["../escaped", "tandem.sqlite", "authority/authority.key", "songs/../../escaped", "/etc/passwd"])
    func hostilePath(path: String) throws {
        try replace("archive.json") { $0.replacing("\"songs/song1\"", with: "\"\(path)\"") }
        #expect(refusal() == .hostile(file, file: path))
        #expect(!FileManager.default.fileExists(atPath: place.path + "/escaped"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/other") == [])
    }

    @Test(
        "An identifier by which a file would lie elsewhere is refused",
        arguments: ["../tandem.sqlite", "/etc/passwd", "..", "", String(repeating: "a", count: 256)])
    func hostileIdentifier(id: String) throws {
        try replace("data/drums_song.jsonl") { $0.replacing("\"id\":\"song1\"", with: "\"id\":\"\(id)\"") }
        #expect(refusal() == .hostile(file, file: "data/drums_song.jsonl"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/other") == [])
    }

    @Test("Names that lead elsewhere in the archive itself are refused")
    func hostileName() throws {
        try export()
        var bytes = try Data(contentsOf: URL(filePath: file))
        while let found = bytes.range(of: Data("README.md".utf8)) {
            bytes.replaceSubrange(found, with: Data("../ADE.md".utf8))
        }
        try bytes.write(to: URL(filePath: file))
        #expect(refusal() == .hostile(file, file: "../ADE.md"))
    }

    @Test(
        "A table that no companion has, rows that are missing, and what a table refuses are damage",
        arguments: [
            ("archive.json", "\"name\" : \"person\"", "\"name\" : \"sqlite_master\"", "sqlite_master"),
            ("data/person.jsonl", "\"role\":\"adult\"", "\"role\":\"king\"", "data/person.jsonl"),
            ("data/person.jsonl", "\"role\":\"adult\"", "\"rank\":\"adult\"", "data/person.jsonl"),
            ("data/person.jsonl", "\n", "\n{\n", "data/person.jsonl"),
            ("data/series.jsonl", "\"device\":\"", "\"device\":\"x", "data/series.jsonl"),
        ])
    func foreignRows(name: String, old: String, new: String, said: String) throws {
        try replace(name) { $0.replacing(old, with: new, maxReplacements: 1) }
        #expect(refusal() == .damaged(file, file: said))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/other") == [])
    }

    @Test("An archive of an earlier schema becomes a hub of today's")
    func earlier() async throws {
        // What the newest step added is not in it, as in an archive of a version before that.
        try replace("archive.json") {
            $0.replacing(",\n    \"lab-0.1.0\"", with: "").replacing(",\n    \"lab-0.1.0-content\"", with: "")
        }
        try replaceWithout(MotionLab.archivePart.tables.map(\.name))
        let (database, _) = try imported()
        #expect(try await database.pool.read { db in try db.tableExists("lab_removed") })
        try database.close()
    }

    /// Takes tables out of the archive.
    func replaceWithout(_ tables: [String]) throws {
        let zip = try ZipReader(ArchiveBytes(path: file))
        let entry = try #require(zip.files[ArchiveManifest.name])
        var manifest = try JSONDecoder().decode(
            ArchiveManifest.self, from: Data(zip.content(of: entry, upTo: 1 << 24)))
        manifest.tables.removeAll { tables.contains($0.name) }
        let left = tables.map { "data/\($0).jsonl" } + [entry.name]
        var other = ZipWriter<[UInt8]>([])
        for one in zip.files.values where !left.contains(one.name) {
            try other.add(one.name, zip.content(of: one, upTo: 1 << 26))
        }
        try other.add(entry.name, Array(JSONEncoder().encode(manifest)))
        try other.finish()
        try Data(other.destination).write(to: URL(filePath: file))
    }
}
