import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Archive
@testable import Backups
@testable import HubKit
@testable import HubServer

/// Backups that somebody else has written or changed, and restores that fail: the hub stays what it was, and the words are
/// true. What may stand in a SQLite file: https://www.sqlite.org/security.html, 1, and /datatype3.html, 3.
@Suite("Backups that are not the hub’s own, and restores that fail", .timeLimit(.minutes(2)))
struct RestorationTests {
    private let test: TestHub
    private let place: TemporaryFolder
    private let file: String
    private let target: DataFolder

    init() async throws {
        test = try TestHub()
        place = try TemporaryFolder()
        file = place.path + "/linden.backup"
        target = try DataFolder(path: place.path + "/other")
        _ = try await test.device()
        try write("a key", to: "authority/authority.key", in: test.folder.path)
        try write("a song", to: "songs/abc", in: test.folder.path)
        try BackupFile.make(of: DataFolder(path: test.folder.path), to: file, now: 1_795_220_000_000)
        // A hub that has something to lose.
        try HubDatabase(path: target.databasePath).close()
        try write("another key", to: "authority/authority.key", in: target.path)
        try write("another song", to: "songs/abc", in: target.path)
    }

    private func write(_ text: String, to name: String, in folder: String) throws {
        let path = URL(filePath: folder + "/" + name)
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: path)
    }

    /// Changes the backup, and its hashes with it, as whoever means harm would.
    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
            try db.execute(sql: "DELETE FROM backup_table")
            for table in try BackupFile.tables(db) + ["backup_file"] {
                let (count, hash) = try BackupFile.digest(of: table, db)
                try db.execute(sql: "INSERT INTO backup_table VALUES (?, ?, ?)", arguments: [table, count, hash])
            }
        }
        try queue.close()
    }

    /// Every file of the target with its bytes.
    private func contents() throws -> [String: Data] {
        var all: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: target.path) {
            all[name] = FileManager.default.contents(atPath: target.path + "/" + name)
        }
        return all
    }

    private func refusal() -> BackupError? {
        do throws(BackupError) {
            _ = try Restoration.stage(file, in: target, migrations: [])
            return nil
        } catch {
            return error
        }
    }

    // MARK: Compared

    @Test(
        "What a hub does not make, or makes otherwise, is refused by name, and nothing is moved",
        arguments: [
            (
                "CREATE TRIGGER t AFTER INSERT ON person BEGIN UPDATE person SET role = 'adult'; END",
                "the trigger “t”, which no hub makes"
            ),
            ("CREATE VIEW v AS SELECT * FROM person", "the view “v”, which no hub makes"),
            ("CREATE INDEX i ON person(lower(name))", "the index “i”, which no hub makes"),
            ("CREATE TABLE spare(x)", "the table “spare”, which no hub makes"),
            ("ALTER TABLE household ADD COLUMN more TEXT", "the table “household”, which a hub makes otherwise"),
            (
                "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'CHECK(role IN (''adult'', ''child''))', '') WHERE name = 'person'; PRAGMA writable_schema = RESET",
                "the table “person”, which a hub makes otherwise"
            ),
            ("DROP INDEX failed_sign_in_first", "no index “failed_sign_in_first”, which every hub has"),
            (
                "DROP TABLE setting; CREATE VIEW setting AS SELECT 'name' AS name, 'x' AS value",
                "the view “setting”, which a hub makes otherwise"
            ),
            ("INSERT INTO backup_file VALUES ('../escaped', 384, x'00')", "no file of a hub’s is called “../escaped”"),
            ("INSERT INTO backup_file VALUES ('tandem.sqlite', 384, x'00')", "“tandem.sqlite”"),
            ("INSERT INTO backup_file VALUES ('replaced-x/name', 384, x'00')", "“replaced-x/name”"),
            ("INSERT INTO backup_file VALUES ('songs/abc/d', 384, x'00')", "“songs/abc” is a file and a folder"),
            ("INSERT INTO setting VALUES ('a', x'2F')", "another type in “setting.value”"),
            ("UPDATE device SET created_at = 'yesterday'", "another type in “device.created_at”"),
            ("UPDATE device SET created_at = 1.5", "another type in “device.created_at”"),
            ("UPDATE household SET name = x'41'", "another type in “household.name”"),
            ("UPDATE device SET household = 'nobody'", "a row of “device” belongs to one that is not there"),
        ])
    func foreign(sql: String, said: String) throws {
        try change(sql)
        let before = try contents()
        let error = try #require(refusal())
        guard case .foreign(file, let what, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(what.contains(said), "\(what)")
        #expect("\(error)".hasSuffix("Nothing was changed."))
        #expect(try contents() == before)
    }

    @Test(
        "A backup of a database that somebody has added to is made, and says what a restore would refuse and how to remove it",
        arguments: [
            ("CREATE INDEX mine ON person(name)", "the index “mine”, which no hub makes", "DROP INDEX \"mine\""),
            ("CREATE VIEW mine AS SELECT 1", "the view “mine”, which no hub makes", "DROP VIEW \"mine\""),
            (
                "CREATE TRIGGER mine AFTER INSERT ON person BEGIN SELECT 1; END",
                "the trigger “mine”, which no hub makes",
                "DROP TRIGGER \"mine\""
            ),
            // With an index of its own, which SQLite drops with it (https://www.sqlite.org/lang_droptable.html).
            ("CREATE TABLE zoo(a PRIMARY KEY)", "the table “zoo”, which no hub makes", "DROP TABLE \"zoo\""),
        ])
    func foreignDatabase(sql: String, said: String, statement: String) throws {
        let folder = try DataFolder(path: test.folder.path)
        func alter(_ sql: String) throws {
            let queue = try DatabaseQueue(path: folder.databasePath)
            try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
            try queue.close()
        }
        try alter(sql)
        let made = try BackupFile.make(of: folder, to: file, now: 1_795_220_000_000, migrations: [])
        let refused = try #require(made.refusal)
        #expect("\(refused)".contains(said) && "\(refused)".contains(statement), "\(refused)")
        #expect(refused.words.english.contains(statement))
        #expect(try BackupFile.check(file).rows == made.rows, "it is whole")
        guard case .foreign = refusal() else { return #expect(Bool(false), "a restore refuses it") }
        try alter(statement)
        #expect(
            try BackupFile.make(of: folder, to: file, now: 1_795_220_000_000, migrations: []).refusal == nil)
        #expect(refusal() == nil)
    }

    @Test("A row that breaks a CHECK of the hub’s own is damage")
    func broken() throws {
        try change(
            "INSERT INTO person(id, household, name, role, created_at) SELECT 'p', id, 'P', 'king', 0 FROM household")
        #expect(refusal() == .damaged(file))
    }

    @Test("A backup is taken where somebody had ANALYZE count in it, and the counts are gone")
    func analyzed() throws {
        try change("ANALYZE")
        #expect(refusal() == nil)
        #expect(try Restoration.takeOver(in: target, now: 1, migrations: []) != nil)
        let database = try HubDatabase(path: target.databasePath)
        #expect(try database.pool.read { db in try db.tableExists("sqlite_stat1") } == false)
        try database.close()
    }

    @Test(
        "What is no file is told at once, and nobody waits for it",
        arguments: ["pipe", "folder", "device", "link to a pipe"])
    func special(kind: String) throws {
        let path = place.path + "/" + kind
        switch kind {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        case "device": #expect(symlink("/dev/zero", path) == 0)
        default:
            #expect(mkfifo(path + ".fifo", 0o600) == 0)
            #expect(symlink(path + ".fifo", path) == 0)
        }
        #expect(throws: BackupError.notAFile(path)) { try BackupFile.check(path) }
        #expect(throws: BackupError.notAFile(path)) { try Restoration.stage(path, in: target, migrations: []) }
        #expect(throws: BackupError.notAFile(path)) { try BackupFile.make(of: target, to: path, now: 1) }
        #expect(throws: ArchiveError.notAFile(path)) {
            try ArchiveImport.read(path, into: target, companions: [], now: 1)
        }
        #expect(throws: BackupError.missing(path + "-none")) { try BackupFile.check(path + "-none") }
    }

    @Test(
        "A pipe or a folder in the place of the hub’s database is told",
        arguments: ["tandem.sqlite", "tandem.sqlite-wal"])
    func specialDatabase(name: String) throws {
        let folder = place.path + "/piped"
        _ = try DataFolder(path: folder)
        #expect(mkfifo(folder + "/" + name, 0o600) == 0)
        let error = #expect(throws: DataFolderError.self) { try DataFolder(path: folder) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("\(folder)/\(name) is a folder, a pipe or a device"))
    }

    // MARK: In the way

    @Test(
        "A folder in the place of a file, and a file in the place of a folder, are named before anything is moved",
        arguments: [("songs/abc/more", "songs/abc"), ("authority", "authority"), ("songs", "songs")])
    func inTheWay(made: String, named: String) throws {
        for name in ["songs", "authority"] {
            try FileManager.default.removeItem(atPath: "\(target.path)/\(name)")
        }
        try write("in the way", to: made, in: target.path)
        let before = try contents()
        #expect(refusal() == .inTheWay("\(target.path)/\(named)"))
        #expect(try contents() == before)
    }

    @Test(
        "A link, a pipe and a second name of a file are moved aside as they are, and what they lead to is not touched")
    func links() throws {
        let elsewhere = place.path + "/elsewhere"
        try Data("mine".utf8).write(to: URL(filePath: elsewhere))
        for name in ["songs/abc", "authority/authority.key"] { unlink("\(target.path)/\(name)") }
        #expect(symlink(elsewhere, "\(target.path)/songs/abc") == 0)
        #expect(link(elsewhere, "\(target.path)/authority/authority.key") == 0)
        #expect(refusal() == nil)
        let aside = try #require(try Restoration.takeOver(in: target, now: 1, migrations: []))
        #expect(try String(contentsOfFile: elsewhere, encoding: .utf8) == "mine")
        #expect(try String(contentsOfFile: target.path + "/songs/abc", encoding: .utf8) == "a song")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: aside + "/songs/abc") == elsewhere)
    }

    @Test(
        "A backup behind a link is copied: it stays byte for byte what it was, and the hub’s database is a file",
        arguments: [true, false])
    func behindLink(isRelative: Bool) throws {
        let link = place.path + "/latest.backup"
        #expect(symlink(isRelative ? "linden.backup" : file, link) == 0)
        chmod(file, 0o640)
        let before = try Data(contentsOf: URL(filePath: file))
        _ = try Restoration.stage(link, in: target, migrations: [])
        #expect(try Restoration.takeOver(in: target, now: 1, migrations: []) != nil)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
        #expect(try BackupFile.check(file, migrations: []).madeAt == 1_795_220_000_000)
        #expect(FileKind.itself(target.databasePath) == .file)
        let database = try HubDatabase(path: target.databasePath)
        #expect(try database.pool.read { db in try HouseholdRecord.fetchOne(db)?.name } == "Linden")
        try database.close()
        #expect(try Data(contentsOf: URL(filePath: file)) == before, "also after the hub has written")
    }

    @Test("A link in the place of what is staged is refused, and what it leads to is not touched")
    func stagedLink() throws {
        let before = try Data(contentsOf: URL(filePath: file))
        #expect(symlink(file, target.path + "/tandem.restore") == 0)
        #expect(throws: BackupError.notAFile(target.path + "/tandem.restore")) {
            try Restoration.takeOver(in: target, now: 1, migrations: [])
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(!FileKind.isAnything(at: target.path + "/tandem.restore"))
    }

    // MARK: Put back

    /// Whether the target is the hub that it was.
    private func expectUnchanged(_ before: [String: Data]) throws {
        var after = try contents()
        after["tandem.parts"] = nil
        #expect(after == before)
        try HubDatabase(path: target.databasePath).close()
    }

    @Test("A restore that fails after files were moved puts them back, says so, and is not tried again")
    func putBack() throws {
        let before = try contents()
        #expect(refusal() == nil)
        let plan = try RestorationPlan.make(
            from: target.path + "/tandem.restore", in: target, aside: "replaced-x", migrations: [])
        #expect(plan.moves.filter(\.isNew).map(\.path) == ["authority/authority.key", "songs/abc", "tandem.sqlite"])
        // The key can be moved aside, and the song cannot.
        try write("in the way", to: "replaced-x/songs", in: target.path)
        let error = #expect(throws: BackupError.self) {
            try Restoration.takeOver(in: target, now: 1, migrations: [])
        }
        guard case .putBack(let reason) = try #require(error) else { return #expect(Bool(false), "\(error!)") }
        #expect(!reason.isEmpty)
        #expect("\(error!)".contains("What had been moved is back in its place"))
        unlink("\(target.path)/replaced-x/songs")
        rmdir("\(target.path)/replaced-x")
        #expect(try Restoration.takeOver(in: target, now: 1, migrations: []) == nil, "nothing waits any more")
        try expectUnchanged(before)
    }

    @Test("A backup that cannot be unpacked for now stays staged, says so, and is taken over once it can be")
    func kept() throws {
        let before = try contents()
        #expect(refusal() == nil)
        let staged = target.path + "/tandem.restore"
        // No plan can be written where a folder is.
        #expect(mkdir(target.path + "/tandem.restore-plan", 0o700) == 0)
        let error = #expect(throws: BackupError.self) { try Restoration.takeOver(in: target, now: 1, migrations: []) }
        guard case .kept(staged, let reason) = try #require(error) else { return #expect(Bool(false), "\(error!)") }
        #expect(reason.contains("cannot be written"))
        #expect("\(error!)".contains("the next start tries again"))
        #expect(Restoration.waiting(in: target.path) == staged)
        #expect(try BackupFile.check(staged, migrations: []).madeAt == 1_795_220_000_000)
        rmdir(target.path + "/tandem.restore-plan")
        var after = try contents()
        (after["tandem.parts"], after["tandem.restore"]) = (nil, nil)
        #expect(after.filter { !$0.key.hasPrefix("tandem.parts/") } == before)
        #expect(try Restoration.takeOver(in: target, now: 1, migrations: []) != nil)
        #expect(Restoration.waiting(in: target.path) == nil)
        #expect(try String(contentsOfFile: target.path + "/songs/abc", encoding: .utf8) == "a song")
    }

    @Test("A staged file that is damaged, a pipe or a folder leaves the hub as it was, and the next start is as ever")
    func stagedDamage() throws {
        let before = try contents()
        for kind in ["damaged", "pipe", "folder"] {
            let staged = target.path + "/tandem.restore"
            switch kind {
            case "damaged": try Data("not what it was".utf8).write(to: URL(filePath: staged))
            case "pipe": #expect(mkfifo(staged, 0o600) == 0)
            default: try FileManager.default.createDirectory(atPath: staged, withIntermediateDirectories: true)
            }
            #expect(throws: BackupError.self) { try Restoration.takeOver(in: target, now: 1, migrations: []) }
            #expect(try Restoration.takeOver(in: target, now: 1, migrations: []) == nil)
            rmdir(staged + ".refused")
        }
        try expectUnchanged(before)
    }

    /// A folder on another disk than that of temporary files, which Linux has in memory (shm_overview(7)).
    private static let otherPlace = "/dev/shm"

    private static var hasOtherDisk: Bool {
        var (there, here) = (stat(), stat())
        return access(otherPlace, W_OK) == 0 && stat(otherPlace, &there) == 0
            && stat(FileManager.default.temporaryDirectory.path, &here) == 0 && there.st_dev != here.st_dev
    }

    @Test(
        "Songs on another disk, to which nothing can be moved at once, are put back and named",
        .enabled(if: RestorationTests.hasOtherDisk, "There is no second disk here that can be written to."))
    func otherDisk() throws {
        let disk = "\(Self.otherPlace)/tandem-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        try FileManager.default.removeItem(atPath: target.path + "/songs")
        try Data("far away".utf8).write(to: URL(filePath: disk + "/abc"))
        #expect(symlink(disk, target.path + "/songs") == 0)
        #expect(refusal() == nil)
        let error = #expect(throws: BackupError.self) { try Restoration.takeOver(in: target, now: 1, migrations: []) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("on another disk"))
        #expect(try String(contentsOfFile: disk + "/abc", encoding: .utf8) == "far away")
        #expect(
            try String(contentsOfFile: target.path + "/authority/authority.key", encoding: .utf8) == "another key")
        try HubDatabase(path: target.databasePath).close()
    }

    @Test("A restore that was cut off after any move is finished by the next start, or can be undone", arguments: 0...6)
    func cutOff(after count: Int) throws {
        let before = try contents()
        let staged = target.path + "/tandem.restore"
        func begin() throws -> RestorationPlan {
            #expect(refusal() == nil)
            let plan = try RestorationPlan.make(from: staged, in: target, aside: "replaced-x", migrations: [])
            try BackupFile.removeAdditions(staged)
            // As the moves are made one after the other: of each the old file first.
            var steps: [(String, String)] = []
            for move in plan.moves {
                if move.isOld { steps.append((move.path, "replaced-x/" + move.path)) }
                if move.isNew {
                    steps.append(
                        (
                            move.path == "tandem.sqlite" ? "tandem.restore" : "tandem.restore-files/" + move.path,
                            move.path
                        ))
                }
            }
            for (from, to) in steps.prefix(count) {
                try DurableFiles.move("\(target.path)/\(from)", to: "\(target.path)/\(to)")
            }
            return plan
        }
        try begin().undo(staged: staged, in: target)
        RestorationPlan.discard(in: target)
        unlink(staged)
        try expectUnchanged(before)
        _ = try begin()
        #expect(try Restoration.takeOver(in: target, now: 1, migrations: []) == target.path + "/replaced-x")
        #expect(try String(contentsOfFile: target.path + "/authority/authority.key", encoding: .utf8) == "a key")
        #expect(try String(contentsOfFile: target.path + "/songs/abc", encoding: .utf8) == "a song")
        #expect(try String(contentsOfFile: target.path + "/replaced-x/songs/abc", encoding: .utf8) == "another song")
        let database = try HubDatabase(path: target.databasePath)
        #expect(try database.pool.read { db in try HouseholdRecord.fetchOne(db)?.name } == "Linden")
        try database.close()
    }

    @Test("Two restores within a minute each keep what was there before")
    func twice() throws {
        var kept: [String] = []
        for _ in 0..<2 {
            #expect(refusal() == nil)
            kept.append(try #require(try Restoration.takeOver(in: target, now: 1, migrations: [])))
        }
        #expect(kept[0] != kept[1])
        #expect(try String(contentsOfFile: kept[0] + "/songs/abc", encoding: .utf8) == "another song")
        #expect(try String(contentsOfFile: kept[1] + "/songs/abc", encoding: .utf8) == "a song")
    }

    @Test("A plan that leads out of the folder is nobody’s")
    func foreignPlan() throws {
        for (aside, path) in [("replaced-x", "../escaped"), ("../x", "songs/abc"), ("replaced-x", "/etc/passwd")] {
            let plan = RestorationPlan(aside: aside, moves: [.init(path: path, isOld: true, isNew: true)])
            try JSONEncoder().encode(plan).write(to: URL(filePath: target.path + "/tandem.restore-plan"))
            #expect(RestorationPlan.read(in: target) == nil)
        }
    }

    // MARK: What is not complete

    @Test(
        "What is not complete is in a folder of its own, which no backup takes and a start empties of what is nobody’s")
    func parts() throws {
        let part = try target.part(for: target.path + "/songs/new")
        #expect(part.hasPrefix(target.path + "/tandem.parts/"))
        try Data([1]).write(to: URL(filePath: part))
        // A process that is there, one that is gone, and what is no process's.
        let names = ["1.abc.part", "\(Int32.max).abc.part", "half.part", "0.part", "-1.part"]
        for name in names { try write("x", to: "tandem.parts/" + name, in: target.path) }
        #expect(try !target.otherFiles().contains { $0.path.contains("part") })
        target.sweepParts()
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path + "/tandem.parts") == ["1.abc.part"])
    }
}
