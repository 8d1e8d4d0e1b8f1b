import Foundation
import GRDB
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer
@testable import Storage

@Suite("A hub that gets newer")
struct MigrationTests {
    private let path: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/tandem.sqlite"
    }

    @Test("A file that is opened again takes no step twice, and the step of a later version once")
    func steps() throws {
        let first = try HubDatabase(path: path)
        try first.pool.write { db in
            try HouseholdRecord(id: "linden", name: "Linden", timeZone: "Europe/Vienna", createdAt: 1).insert(db)
        }
        try first.close()
        let later = Migration("pond-1") { db in try db.execute(sql: "CREATE TABLE pond(id TEXT PRIMARY KEY)") }
        for _ in 0..<2 {
            let database = try HubDatabase(path: path, migrations: [later])
            try database.pool.read { (db: Database) throws in
                #expect(try HouseholdRecord.fetchAll(db).map(\.name) == ["Linden"])
                #expect(
                    try HubDatabase.steps(of: db) == [
                        "hub-0.1.0", "hub-0.1.0-retained", "hub-0.2.0-adopted", "hub-0.2.0-channels",
                        "hub-0.2.0-passkeys", "hub-0.2.0-firmware", "pond-1",
                    ])
                #expect(try db.tableExists("pond"))
            }
            #expect(try database.integrityProblems() == [])
            try database.close()
        }
    }

    @Test("A file of a build from before the first release is refused in words, and nothing in it is changed")
    func unreleased() throws {
        let before = try DatabasePool(path: path)
        // As builds of before left it: GRDB's own table, with the step that each of them took first.
        try before.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('hub-001'), ('hub-002');
                    CREATE TABLE household(id TEXT PRIMARY KEY, name TEXT NOT NULL);
                    INSERT INTO household VALUES ('linden', 'Linden');
                    """)
        }
        try before.close()
        let error = #expect(throws: HubDatabaseError.self) { try HubDatabase(path: path) }
        #expect(error?.description.contains("before 0.1.0") == true)
        #expect(error?.description.contains("--data") == true)
        let after = try DatabaseQueue(path: path)
        try after.read { (db: Database) throws in
            #expect(try String.fetchAll(db, sql: "SELECT name FROM household") == ["Linden"])
            #expect(try HubDatabase.steps(of: db) == ["hub-001", "hub-002"])
            let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
            #expect(try Int.fetchOne(db, sql: tables) == 2)
        }
        try after.close()
    }

    @Test("What the hub remembers of itself is there after a restart, changed and forgotten as it is told")
    func remembered() async throws {
        let before = try HubDatabase(path: path)
        let first = SettingsStore(database: before)
        #expect(try await first.get(.authorityFingerprint) == nil)
        try await first.set(.authorityFingerprint, "AB:CD")
        try await first.set(.authorityFingerprint, "12:34")
        try before.close()
        let after = try HubDatabase(path: path)
        let second = SettingsStore(database: after)
        #expect(try await second.get(.authorityFingerprint) == "12:34")
        try await second.set(.authorityFingerprint, nil)
        #expect(try await second.get(.authorityFingerprint) == nil)
        try after.close()
    }
}
