import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Localization
import TestInstruments
import Testing

@testable import Archive
@testable import Backups
@testable import HubKit
@testable import HubServer
@testable import Storage

@Suite("Backups")
struct BackupTests {
    private let test: TestHub
    private let place: TemporaryFolder
    private var folder: DataFolder { get throws { try DataFolder(path: test.folder.path) } }
    private var file: String { place.path + "/linden.backup" }

    init() async throws {
        test = try TestHub()
        place = try TemporaryFolder()
        let device = try await test.device()
        try await test.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.add(
                SeriesRecord(id: 1, household: device.household, device: device.id, quantity: "moisture", unit: "%"))
            try writer.insert((0..<1_000).map { Reading(series: 1, at: Int64($0) * 60_000, value: Double($0) / 7) })
            try writer.finish()
        }
        try write("a key", to: "authority/authority.key")
        try write("a song", to: "songs/abc")
    }

    private func write(_ text: String, to name: String) throws {
        let path = URL(filePath: test.folder.path + "/" + name)
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: path)
        chmod(path.path, 0o600)
    }

    private func read(_ name: String, in folder: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    @discardableResult
    private func make() throws -> BackupFile { try BackupFile.make(of: folder, to: file, now: 1_795_220_000_000) }

    /// A hub's folder after a restore, which no hub runs on.
    private func restored() throws -> String {
        let target = place.path + "/restored"
        let folder = try DataFolder(path: target)
        _ = try Restoration.stage(file, in: folder, migrations: [])
        #expect(try Restoration.takeOver(in: folder, now: 1_795_220_060_000) != nil)
        return target
    }

    private func refusal(_ work: () throws -> Void) -> BackupError? {
        do {
            try work()
            return nil
        } catch {
            return error as? BackupError
        }
    }

    // MARK: Whole

    @Test("A backup of a hub that runs has its tables, its keys and its recordings, and is a hub again")
    func whole() async throws {
        let made = try make()
        #expect(made.rows > 1_000)
        #expect(try BackupFile.check(file).rows == made.rows)
        let target = try restored()
        #expect(try read("authority/authority.key", in: target) == "a key")
        #expect(try read("songs/abc", in: target) == "a song")
        let database = try HubDatabase(path: target + "/tandem.sqlite")
        let found = try await database.pool.read { db in
            (
                readings: try Int.fetchOne(db, sql: "SELECT count(*) FROM reading"),
                name: try HouseholdRecord.fetchOne(db)?.name, isBackup: try db.tableExists("backup_file")
            )
        }
        #expect(found.readings == 1_000)
        #expect(found.name == "Linden")
        #expect(!found.isBackup, "what was the backup's own is gone")
        #expect(try database.integrityProblems() == [])
        try database.close()
        var status = stat()
        #expect(stat(target + "/authority/authority.key", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("While thousands of readings come in, a backup is of one moment")
    func underLoad() async throws {
        let hub = test.hub
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for batch in 0..<60 {
                    try await hub.database.pool.write { db in
                        var writer = ReadingWriter(db)
                        try writer.insert(
                            (0..<200).map {
                                Reading(series: 1, at: 100_000_000 + Int64(batch * 200 + $0) * 1_000, value: 1)
                            })
                        try writer.finish()
                    }
                }
            }
            for number in 0..<3 {
                let backup = try BackupFile.make(of: folder, to: "\(place.path)/\(number).backup", now: 1)
                let queue = try DatabaseQueue(path: backup.path)
                // Readings and what they were rolled up to are of one transaction.
                let (readings, rolled) = try await queue.read { db in
                    (
                        try Int.fetchOne(db, sql: "SELECT count(*) FROM reading"),
                        try Int.fetchOne(db, sql: "SELECT sum(n) FROM rollup WHERE span = 86400000")
                    )
                }
                #expect(readings == rolled)
            }
            try await group.waitForAll()
        }
    }

    @Test("Readings that wait in the journal of a wide load are in the backup, and in the hub that it becomes")
    func journaled() async throws {
        let waiting = (0..<300).map { Reading(series: 1, at: 100_000_000 + Int64($0) * 60_000, value: Double($0)) }
        try await test.hub.database.pool.write { db in try ReadingJournal().append(waiting, db) }
        try make()
        let counts = try await DatabaseQueue(path: file).read { db in
            try ["reading_journal", "reading"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
        }
        #expect(counts == [0, 1_300])
        // The backup moved them in its copy alone.
        let journal = try await test.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM reading_journal")
        }
        #expect(journal == 1)
        let database = try HubDatabase(path: try restored() + "/tandem.sqlite")
        let found = try await database.pool.read { db in
            var readings: [Reading] = []
            try db.forEachReading(series: 1) { readings.append($0) }
            return readings
        }
        #expect(found.count == 1_300)
        #expect(found.suffix(300) == waiting[...])
        try database.close()
    }

    @Test("What was there before is moved aside, and stays what it was")
    func aside() async throws {
        _ = try make()
        try await test.hub.database.pool.write { db in try db.execute(sql: "DELETE FROM reading") }
        try write("another key", to: "authority/authority.key")
        try test.hub.database.close()
        _ = try Restoration.stage(file, in: folder, migrations: [])
        let aside = try #require(try Restoration.takeOver(in: folder, now: 1_795_220_060_000))
        #expect(try read("authority/authority.key", in: folder.path) == "a key")
        #expect(try read("authority/authority.key", in: aside) == "another key")
        let old = try HubDatabase(path: aside + "/tandem.sqlite")
        #expect(try await old.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM reading") } == 0)
        try old.close()
        #expect(try Restoration.takeOver(in: folder, now: 1_795_220_060_000) == nil, "once")
        // A backup has neither older backups nor what was replaced.
        #expect(try !folder.otherFiles().contains { $0.path.hasPrefix("replaced-") })
    }

    // MARK: Refused

    @Test("Bytes that have changed where something is stored are found, and nothing is restored")
    func damaged() throws {
        let made = try make()
        let whole = try Data(contentsOf: URL(filePath: file))
        var found = 0
        for place in stride(from: 0, to: whole.count - 4_096, by: whole.count / 40) {
            var bytes = whole
            for index in place..<place + 4_096 { bytes[index] ^= 0x5A }
            try bytes.write(to: URL(filePath: file))
            // A page that holds nothing but room may hold anything.
            do {
                let rows = try BackupFile.check(file).rows
                #expect(rows == made.rows)
            } catch {
                found += 1
            }
        }
        #expect(found >= 30, "\(found) of 40")
        var bytes = whole
        for index in whole.count / 2..<whole.count / 2 + 8_192 { bytes[index] ^= 0x5A }
        try bytes.write(to: URL(filePath: file))
        let target = try DataFolder(path: place.path + "/other")
        #expect(refusal { _ = try Restoration.stage(file, in: target, migrations: []) } == .damaged(file))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
    }

    @Test("A file that is none, is no database, or is a hub's own database is refused, each in its words")
    func others() throws {
        #expect(refusal { _ = try BackupFile.check(place.path + "/nowhere") } == .missing(place.path + "/nowhere"))
        let text = place.path + "/text"
        try Data("not a database, and long enough to be looked at as one".utf8).write(to: URL(filePath: text))
        #expect(refusal { _ = try BackupFile.check(text) } == .noBackup(text))
        let own = try folder.databasePath
        #expect(refusal { _ = try BackupFile.check(own) } == .noBackup(own))
        let cut = place.path + "/cut"
        _ = try make()
        try Data(contentsOf: URL(filePath: file)).prefix(20_000).write(to: URL(filePath: cut))
        #expect(refusal { _ = try BackupFile.check(cut) } == .damaged(cut))
    }

    @Test("A path that leads out of the folder, or to what a backup does not hold, is none of a hub’s other files")
    func paths() {
        for path in [
            "", "/etc/passwd", "a/../../b", "a//b", "./a", "tandem.sqlite", "tandem.lock", "backups/a", "exports/a",
            "replaced-2026-11-24T0300Z/name", "a\0b", String(repeating: "a", count: 256),
        ] {
            #expect(!DataFolder.isOtherFile(path), "\(path)")
        }
        for path in ["authority/authority.key", "name", "songs/abc", "songs/tandem.sqlite", "songs/backups/a"] {
            #expect(DataFolder.isOtherFile(path), "\(path)")
        }
    }

    @Test(
        "A backup whose schema has a step of a newer Tandem, or of a build from before the first release, is refused",
        arguments: ["hub-of-next-year", "hub-001"])
    func otherSchema(step: String) throws {
        let queue = try DatabaseQueue(path: folder.databasePath)
        try queue.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [step])
        }
        try queue.close()
        _ = try make()
        let target = try DataFolder(path: place.path + "/other")
        #expect(
            refusal { _ = try Restoration.stage(file, in: target, migrations: []) }
                == (step == "hub-001" ? .unreleased(file) : .newer(file)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
    }

    @Test("A folder that is none, or cannot be written, is said, and what was there stays")
    func nowhere() throws {
        let path = place.path + "/none/linden.backup"
        #expect(refusal { _ = try BackupFile.make(of: folder, to: path, now: 1) } == .notWritable(path))
        _ = try make()
        let before = try Data(contentsOf: URL(filePath: file))
        let missing = try DataFolder(path: place.path + "/empty")
        #expect(refusal { _ = try BackupFile.make(of: missing, to: file, now: 1) } != nil)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }

    // MARK: Rotation

    @Test("Of a year of nights seven days, four weeks and twelve months are kept, and the newest always")
    func rotation() throws {
        let calendar = LocalCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Vienna")))
        let last = try #require(CivilDate("2026-11-24")).day
        var kept: Set<Int64> = []
        for day in (last - 400)...last {
            let now = calendar.instant(day: day, minute: 185)
            kept = BackupRotation().kept(Array(kept) + [now], calendar)
            #expect(kept.contains(now))
        }
        let days = kept.map { "\(CivilDate(day: calendar.moment(of: $0).day))" }.sorted()
        #expect(days.suffix(7) == (0..<7).reversed().map { "\(CivilDate(day: last - Int32($0)))" })
        #expect(Set(days.map { $0.prefix(7) }).count == 12)
        #expect(days.count <= 7 + 4 + 12)
        #expect(BackupRotation().kept([], calendar).isEmpty)
    }

    @Test(
        "Only what the hub named is taken for a backup of its own",
        arguments: [
            ("tandem-2026-11-24T0300Z.backup", true), ("tandem-2026-02-30T0300Z.backup", false),
            ("tandem-2026-11-24T2560Z.backup", false), ("tandem-2026-11-24T0300Z.backup.part", false),
            ("holiday.jpg", false),
        ])
    func names(name: String, isOne: Bool) {
        #expect((Backups.time(of: name) != nil) == isOne)
        if let time = Backups.time(of: name) { #expect("tandem-\(Restoration.name(of: time)).backup" == name) }
    }

    @Test("One is due once a night, and not for a sample household or where it is off")
    func due() async throws {
        let backups = test.services.backups
        #expect(await backups.isDue())
        await backups.make()
        #expect(backups.kept().count == 1)
        #expect(await !backups.isDue())
        test.advance(milliseconds: 86_400_000)
        #expect(await backups.isDue())
        let off = try TestHub { $0.backsUpNightly = false }
        _ = try await off.seed()
        #expect(await !off.services.backups.isDue())
    }

    @Test("A backup older than two nights is worth a warning, and so is none where there should be one")
    func old() async throws {
        let client = try await HTTPTestClient(
            test, app: try await HubApplication(services: test.services, companions: []))
        let person = try await test.hub.database.pool.read { db in try PersonRecord.fetchOne(db) }
        let token = try await client.token(try #require(person))
        func isOld() async throws -> Bool? {
            try await client.send(.get, "/api/backups", token: token)["isOld"] as? Bool
        }
        #expect(try await isOld() == false, "the first night is not over")
        test.advance(milliseconds: 3 * 86_400_000)
        #expect(try await isOld() == true)
        await test.services.backups.make()
        #expect(try await isOld() == false)
        test.advance(milliseconds: 2 * 86_400_000)
        #expect(try await isOld() == false)
        test.advance(milliseconds: 7 * 3_600_000)
        #expect(try await isOld() == true)
    }

    @Test(
        "Why there is no backup or archive is said in the reader's language, without the hub's paths",
        arguments: [("backups", "/api/backups"), ("exports", "/api/archive")])
    func problems(name: String, route: String) async throws {
        // A file where the folder should be.
        try write("in the way", to: name)
        await test.services.backups.make()
        await test.services.archives.make()
        let client = try await HTTPTestClient(
            test, app: try await HubApplication(services: test.services, companions: []))
        let person = try await test.hub.database.pool.read { db in try PersonRecord.fetchOne(db) }
        let token = try await client.token(try #require(person))
        func problem(_ language: String) async throws -> String {
            let answer = try await client.send(.get, route, token: token, headers: ["Accept-Language": language])
            return try #require(answer["problem"] as? String)
        }
        #expect(try await problem("en").hasPrefix("The hub cannot write to "))
        #expect(try await problem("de").hasPrefix("Der Hub kann nicht in "))
        #expect(try await !problem("en").contains(test.folder.path))
    }

    @Test("Each reason is a sentence for a page, which names no path")
    func words() {
        let path = "/var/lib/tandem"
        let backups: [BackupError] = [
            .missing(path), .noBackup(path), .damaged(path), .newer(path),
            .noRoom(path, freeMegabytes: 0, wantedMegabytes: 0), .noRoom(path, freeMegabytes: 3, wantedMegabytes: 9),
            .notWritable(path), .tooLarge(path, limit: 1 << 28), .other(path, reason: path),
            .unrestorable(path, database: path, what: path, difference: nil),
            .unrestorable(
                path, database: path, what: path,
                difference: SchemaDifference(kind: .foreign, thing: "index", name: "mine")),
        ]
        let archives: [ArchiveError] = [
            .damaged(path, file: path), .noHousehold(path), .noRoom(path, freeMegabytes: 0, wantedMegabytes: 0),
            .noRoom(path, freeMegabytes: 3, wantedMegabytes: 9), .notWritable(path), .cancelled,
            .other(path, reason: path),
        ]
        let german = Localizer(Language("de"), from: .server)
        for words in backups.map(\.words) + archives.map(\.words) {
            #expect(!words.english.contains(path) && words.english.hasSuffix("."))
            #expect(german.string(words) != words.english, "\(words.english)")
        }
    }

    @Test("A hub that stops while it makes one has no problem to tell of")
    func stopped() async {
        let services = test.services
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await services.backups.make()
            await services.archives.make()
        }
        task.cancel()
        await task.value
        #expect(services.backups.state.value.withLock { $0.problem } == nil)
        #expect(services.archives.state().problem == nil)
        #expect(services.archives.state().progress == nil)
    }
}
