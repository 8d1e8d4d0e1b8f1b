import Foundation
import GRDB
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer
@testable import Storage

@Suite("A hub that gets newer")
struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A file as the first version of the hub left it, written by that version's own step of the schema.
    private func oldFile() throws -> String {
        let path = folder.path + "/tandem.sqlite"
        let pool = try DatabasePool(path: path)
        var migrator = DatabaseMigrator()
        let first = try #require(Schema.migrations.first)
        migrator.registerMigration(first.identifier) { db in try first.apply(db) }
        try migrator.migrate(pool)
        try pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO household(id, name, time_zone, created_at) VALUES ('linden', 'Linden', 'Europe/Vienna', 1);
                    INSERT INTO person VALUES ('ines', 'linden', 'Ines', 'adult', 'ines@example.org', x'00', NULL, NULL, 1);
                    INSERT INTO person VALUES ('mila', 'linden', 'Mila', 'child', NULL, NULL, 'fox', 2017, 2);
                    INSERT INTO sign_in VALUES ('s1', x'0102', 'ines', 'mila', 'phone', 3, 4);
                    INSERT INTO invitation VALUES (x'0405', 'linden', 'ines', 604800006);
                    INSERT INTO device(id, household, kind, name, token_hash, created_at)
                        VALUES ('d1', 'linden', 'plant-sensor', 'Soil', x'03', 5);
                    INSERT INTO series VALUES (1, 'linden', 'd1', 'moisture', '%');
                    INSERT INTO reading VALUES (1, 6, 41.5), (1, 7, 41.4);
                    """)
        }
        try pool.close()
        return path
    }

    @Test("A file of the first version keeps all that is in it, and its household has no first run")
    func old() throws {
        let database = try HubDatabase(path: oldFile())
        try database.pool.read { db in
            let household = try #require(try HouseholdRecord.fetchOne(db))
            #expect(household.name == "Linden")
            #expect(household.setupStep == nil)
            let signIn = try #require(try SignInRecord.fetchOne(db))
            #expect(signIn.id == "s1")
            #expect(signIn.profile == "mila")
            #expect(!signIn.isShared)
            let invitation = try #require(try InvitationRecord.fetchOne(db))
            #expect(invitation.id.count == 16)
            #expect(invitation.createdAt == 6)
            #expect(invitation.withdrawnAt == nil)
            #expect(try PersonRecord.fetchAll(db).map(\.name).sorted() == ["Ines", "Mila"])
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM reading") == 2)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM receipt") == 0)
        }
        #expect(try database.integrityProblems() == [])
        try database.close()
        // Opened again, nothing is done twice.
        try HubDatabase(path: database.path).close()
    }

    @Test("What the hub remembers of itself is there after a restart, changed and forgotten as it is told")
    func remembered() async throws {
        let path = folder.path + "/tandem.sqlite"
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
