import Foundation
import GRDB
import GRDBSQLite
import HubInstruments
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer
@testable import Storage

/// What a hub does with a file of which a part is damaged, and with a folder that somebody else has.
@Suite("Damage and holders", .timeLimit(.minutes(2)))
struct DamageTests {
    /// Overwrites the first page of a table, as a disk that wears out does.
    private func damage(_ table: String, in path: String) throws {
        let queue = try DatabaseQueue(path: path)
        let root = try queue.inDatabase { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table]) ?? 0
        }
        try queue.close()
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(root - 1) * 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 2_048))
        try file.close()
    }

    /// A hub's file that nobody has open, with a household.
    private func file() async throws -> (test: TestHub, path: String) {
        let test = try TestHub()
        _ = try await test.device()
        try test.hub.database.close()
        return (test, test.hub.database.path)
    }

    @Test(
        "An expendable table that is damaged is made anew with its group, and all else is as it was",
        arguments: [
            "idempotency_key", "idempotency_key_at", "failed_sign_in", "known_address", "outbound_call", "push_message",
            "mqtt_retained", "mqtt_session", "mqtt_will",
        ])
    func madeAnew(name: String) async throws {
        let (test, path) = try await file()
        try damage(name, in: path)
        let database = try HubDatabase(path: path)
        let remade = try database.mendExpendableTables()
        let table = name.hasSuffix("_at") ? "idempotency_key" : name
        #expect(remade.contains(table))
        #expect(remade.contains("mqtt_queue") == ["mqtt_session", "mqtt_will"].contains(name))
        #expect(try database.integrityProblems() == [])
        #expect(try database.mendExpendableTables() == [], "once")
        let (count, difference) = try await database.pool.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM device"),
                try HubDatabase.schemaDifference(of: db, migrations: [])
            )
        }
        #expect(count == 1)
        #expect(difference == nil)
        try database.close()
        withExtendedLifetime(test) {}
    }

    @Test(
        "What is larger than the cache is written anew through the disk, and the writer keeps its pages again after that"
    )
    func large() async throws {
        let (test, path) = try await file()
        let database = try HubDatabase(path: path)
        // 8 MB, four times the cache that SQLite has where nobody says more (https://www.sqlite.org/pragma.html#pragma_cache_size).
        try await database.pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE bulk(b BLOB);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
                    INSERT INTO bulk SELECT randomblob(1000) FROM n;
                    DROP TABLE push_message;
                    """)
        }
        func spilled() async throws -> Int32 {
            try await database.pool.writeWithoutTransaction { db in
                var (count, highest): (Int32, Int32) = (0, 0)
                sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_SPILL, &count, &highest, 0)
                return count
            }
        }
        #expect(try await spilled() == 0)
        #expect(try database.mendExpendableTables() == ["push_message"])
        // Pages that left memory before the end of their transaction, of the 2,000 and more that were written.
        #expect(try await spilled() > 1_000)
        let isKept = try await database.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA cache_spill")
        }
        #expect(isKept == 0)
        try database.close()
        withExtendedLifetime(test) {}
    }

    @Test("A hub whose disk takes no table that is made anew goes on, says why, and has no table less")
    func notMended() async throws {
        let (test, path) = try await file()
        try damage("push_message", in: path)
        let database = try HubDatabase(path: path)
        try await database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = 1") }
        let log = RecordedLog()
        database.mend([], log.logger)
        #expect(log.text.contains("could not be looked at or made anew"), "\(log.text)")
        try await database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = 0") }
        #expect(try await database.pool.read { db in try db.tableExists("push_message") })
        database.mend([], log.logger)
        #expect(log.text.contains("made anew") && log.text.contains("push_message"))
        #expect(try database.integrityProblems() == [])
        try database.close()
        withExtendedLifetime(test) {}
    }

    @Test("A table that was taken away when a start was cut off is made again")
    func cutOff() async throws {
        let (test, path) = try await file()
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { db in try db.execute(sql: "DROP TABLE push_message") }
        try queue.close()
        let database = try HubDatabase(path: path)
        #expect(try database.mendExpendableTables() == ["push_message"])
        #expect(try await database.pool.read { db in try HubDatabase.schemaDifference(of: db, migrations: []) } == nil)
        try database.close()
        withExtendedLifetime(test) {}
    }

    @Test(
        "Damage of what a household has is named by its table, and nothing is made anew",
        arguments: ["device", "reading", "rollup"])
    func named(table: String) async throws {
        let (test, path) = try await file()
        try damage(table, in: path)
        #expect(try DamageSearch(path: path).damagedTables() == [table])
        let stopped = DamageSearch(path: path)
        stopped.stop()
        #expect(throws: DatabaseError.self) { try stopped.damagedTables() }
        let database = try HubDatabase(path: path)
        #expect(try database.mendExpendableTables() == [])
        try database.close()
        withExtendedLifetime(test) {}
    }

    @Test(
        "The expendable tables hold what senders, receivers or nobody needs again, and nothing else belongs to their rows"
    )
    func expendable() async throws {
        // Judged one by one, by what the documentation (troubleshooting.md) says of them: nobody misses what is in them. A
        // table that is added to the hub's list is to be judged here too.
        let judged: [String: String] = [
            "idempotency_key": "answers to phones, which ask again", "failed_sign_in": "failures, for their limit",
            "known_address": "addresses, learnt again at the next sign-in", "outbound_call": "a log of calls",
            "push_message": "notifications on their way",
            "channel_message": "reminders and events on their way", "mqtt_retained": "last values, which come again",
            "mqtt_session": "sessions, which clients open again", "mqtt_subscription": "of a session",
            "mqtt_queue": "of a session", "mqtt_unreleased": "of a session", "mqtt_will": "of a session",
        ]
        let tables = HubDatabase.expendable.flatMap { $0 }
        #expect(Set(tables) == Set(judged.keys))
        #expect(tables.count == judged.count, "none is in two groups")
        let group = Dictionary(
            uniqueKeysWithValues: HubDatabase.expendable.enumerated().flatMap { number, names in
                names.map { ($0, number) }
            })
        let test = try TestHub()
        let references = try await test.hub.database.pool.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT m.name AS child, f."table" AS parent FROM sqlite_master m, pragma_foreign_key_list(m.name) f
                    WHERE m.type = 'table'
                    """
            ).map { (child: $0["child"] as String, parent: $0["parent"] as String) }
        }
        #expect(references.contains { $0 == ("mqtt_queue", "mqtt_session") })
        for (child, parent) in references where group[parent] != nil {
            #expect(group[child] == group[parent], "\(child) would lose what its rows belong to")
        }
    }

    @Test("Damage that a search after the start finds is known to pages")
    func watched() async throws {
        let test = try TestHub()
        _ = try await test.device()
        await IntegrityWatch(hub: test.hub).look()
        #expect(test.hub.storage.fault == nil)
        try await test.hub.database.emptyLog()
        try damage("reading_block", in: test.hub.database.path)
        await IntegrityWatch(hub: test.hub).look()
        #expect(test.hub.storage.fault == .damaged)
    }

    // MARK: Health

    @Test("Health is 503 in words while nothing can be stored, and asks the disk once in ten seconds")
    func health() async throws {
        let test = try TestHub()
        _ = try await test.seed()
        let client = try await HTTPTestClient(test)
        #expect(try await client.send(.get, "/healthz").status == 200)
        try await test.hub.database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = 1") }
        #expect(try await client.send(.get, "/healthz").status == 200, "the answer before holds")
        test.advance(milliseconds: StorageProbe.holds)
        let refused = try await client.send(.get, "/healthz")
        #expect(refused.status == 503 && refused.detail.contains("nothing is stored"), "\(refused.text)")
        try await test.hub.database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA query_only = 0") }
        await StorageWatch(hub: test.hub).look()
        test.advance(milliseconds: StorageProbe.holds)
        #expect(try await client.send(.get, "/healthz").status == 200)
    }

    // MARK: Holders

    private func mark(_ change: (inout FolderMark) -> Void) throws -> Data {
        var mark = FolderMark.own()
        change(&mark)
        return try JSONEncoder().encode(mark)
    }

    @Test("A folder whose mark is of a process that is gone, has given it back, or was another of this number, is free")
    func free() throws {
        let place = try TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        let marks = try [
            mark { $0.process = Int32.max - 1 }, mark { ($0.isOver, $0.process) = (true, 1) },
            mark { ($0.process, $0.began) = (getppid(), $0.began + 1) }, Data("not a mark".utf8), Data(),
            Data(repeating: 0x7B, count: 10_000),
            mark { $0.boot = "before" },
        ]
        for mark in marks {
            try mark.write(to: URL(filePath: place.path + "/tandem.lock"))
            #expect(DataFolder.holder(of: place.path) == .nobody)
            let lock = try folder.lock()
            #expect(lock.isOurs)
            #expect(DataFolder.holder(of: place.path) == .hub)
            #expect(throws: DataFolderError.self) { try folder.lock() }
            withExtendedLifetime(lock) {}
        }
        #expect(DataFolder.holder(of: place.path) == .nobody)
        #expect(DataFolder.holder(of: place.path + "/nowhere") == .nobody)
    }

    @Test("Of a folder whose lock cannot be opened, nobody says that no hub has it")
    func unknown() throws {
        let place = try TemporaryFolder()
        // What nobody may open for writing, root neither: open(2), EISDIR.
        try FileManager.default.createDirectory(atPath: place.path + "/tandem.lock", withIntermediateDirectories: true)
        #expect(DataFolder.holder(of: place.path) == .unknown(String(cString: strerror(EISDIR))))
        let other = try TemporaryFolder()
        // A link that leads to itself: open(2), ELOOP.
        #expect(symlink("tandem.lock", other.path + "/tandem.lock") == 0)
        #expect(DataFolder.holder(of: other.path) == .unknown(String(cString: strerror(ELOOP))))
    }

    @Test("A folder whose mark is of a process that is there is had, though its lock can be taken")
    func had() throws {
        let place = try TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        // The process that waits for the tests, whose beginning is as proc(5) tells it: the 20th field behind the name.
        let line = try String(contentsOfFile: "/proc/\(getppid())/stat", encoding: .utf8)
        let fields = line[try #require(line.lastIndex(of: ")"))...].split(separator: " ")
        let began = try #require(UInt64(fields[20]))
        try mark { ($0.process, $0.began) = (getppid(), began) }.write(to: URL(filePath: place.path + "/tandem.lock"))
        guard case .hubWithoutLock(getppid(), _) = DataFolder.holder(of: place.path) else {
            return #expect(Bool(false))
        }
        let error = #expect(throws: DataFolderError.self) { try folder.lock() }
        #expect("\(error.map { "\($0)" } ?? "")".contains("Another hub is running"))
    }

    @Test("Of a mark that another hub has written in place of its own, a hub knows that it was driven out")
    func drivenOut() throws {
        let place = try TemporaryFolder()
        let lock = try DataFolder(path: place.path).lock()
        lock.beat()
        #expect(lock.isOurs)
        let theirs = try mark { $0.host = "oak" }
        try theirs.write(to: URL(filePath: place.path + "/tandem.lock"))
        #expect(!lock.isOurs)
    }

    @Test("A disk without locks is said to be one, and what SQLite says of it too")
    func noLocks() {
        let said = "\(DataFolderError.noLocks("/data", reason: String(cString: strerror(ENOLCK))))"
        #expect(said.contains("/data gives no locks (No locks available)") && !said.contains("Another hub"))
        for code: ResultCode in [.SQLITE_IOERR_LOCK, .SQLITE_IOERR_RDLOCK, .SQLITE_IOERR_SHMMAP, .SQLITE_PROTOCOL] {
            let error = HubDatabaseError(DatabaseError(resultCode: code), path: "/data/tandem.sqlite")
            #expect(error.description.contains("gives no locks"), "\(error)")
        }
        let other = HubDatabaseError(DatabaseError(resultCode: .SQLITE_IOERR_READ), path: "/data/tandem.sqlite")
        #expect(!other.description.contains("locks"))
    }
}
