import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Archive
@testable import HubKit
@testable import HubServer

/// What is kept of one person, taken out of a hub.
@Suite("An archive of one person")
struct PersonArchiveTests {
    private let test: TestHub
    private let place: TemporaryFolder
    private let people: [PersonRecord]
    private var file: String { place.path + "/person.zip" }

    init() async throws {
        place = try TemporaryFolder()
        let test = try await ArchiveTests.house.value.test
        self.test = test
        people = try Self.people(of: test)
    }

    /// Waits for its turn at the database as the tests do that share it: whoever is given a connection goes on at once.
    private static func people(of test: TestHub) throws -> [PersonRecord] {
        try test.hub.database.pool.read { db in try PersonRecord.fetchAll(db, sql: "SELECT * FROM person") }
    }

    private func export(_ id: String) throws -> [String: [UInt8]] {
        _ = try ArchiveExport.write(
            test.hub.database, in: DataFolder(path: test.folder.path), companions: ArchiveTests.companions, to: file,
            of: id, now: test.hub.clock.now())
        let reader = try ZipReader(ArchiveBytes(path: file))
        var files: [String: [UInt8]] = [:]
        for (name, entry) in reader.files { try reader.read(entry) { files[name, default: []] += $0 } }
        return files
    }

    private func lines(_ bytes: [UInt8]?) -> Int { bytes?.count { $0 == UInt8(ascii: "\n") } ?? 0 }

    /// SQLite itself is asked: in a copy of the database the person is removed, and what is then gone or another was theirs.
    @Test("It has each row that would go or change if the person were removed, and no other")
    func rows() throws {
        let copy = try DatabaseQueue()
        try test.hub.database.pool.backup(to: copy)
        for person in people {
            let files = try export(person.id)
            let theirs = try copy.writeWithoutTransaction { db in try Self.rowsThatGo(with: person.id, db) }
            for (table, count) in theirs {
                #expect(lines(files["data/\(table).jsonl"]) == count, "\(table) of \(person.name)")
            }
        }
    }

    /// The number of rows of each archived table that go or change when a person is removed, which is undone.
    private static func rowsThatGo(with person: String, _ db: Database) throws -> [String: Int] {
        let parts = [ArchivePart.platform] + ArchiveTests.companions.map { $0.archivePart }
        func rows() throws -> [String: Set<String>] {
            var all: [String: Set<String>] = [:]
            for table in parts.flatMap(\.tables).map(\.name) {
                let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)")
                all[table] = Set(rows.map(\.debugDescription))
            }
            return all
        }
        let before = try rows()
        var after: [String: Set<String>] = [:]
        try db.inSavepoint {
            try db.execute(sql: "DELETE FROM person WHERE id = ?", arguments: [person])
            after = try rows()
            return .rollback
        }
        return Dictionary(uniqueKeysWithValues: before.map { ($0, $1.subtracting(after[$0, default: []]).count) })
    }

    @Test("Of the others nothing is in it: no identifier, no e-mail address, no password")
    func others() throws {
        let child = try #require(people.first { $0.role == .child })
        let all = try export(child.id).values.reduce(into: [UInt8]()) { $0 += $1 }
        let text = String(decoding: all, as: UTF8.self)
        #expect(text.contains(child.id) && text.contains("Müller"))
        for other in people where other.id != child.id { #expect(!text.contains(other.id)) }
        #expect(!text.contains("ines@example.org") && !text.contains("scrypt$"))
    }

    @Test("Its FHIR has an observation for each session that the tables have, with a UUID that stays")
    func observations() throws {
        for person in people {
            let files = try export(person.id)
            let fhir = try #require(files["fhir.json"])
            #expect(fhir == (try export(person.id)["fhir.json"]))
            let bundle = try #require(JSONSerialization.jsonObject(with: Data(fhir)) as? [String: Any])
            let entries = try #require(bundle["entry"] as? [[String: Any]])
            let kinds = entries.compactMap { ($0["resource"] as? [String: Any])?["resourceType"] as? String }
            let sessions =
                lines(files["data/brushing_session.jsonl"]) + lines(files["data/drums_session.jsonl"])
                + lines(files["data/drums_clinic_score.jsonl"])
            #expect(kinds.count { $0 == "Observation" } == sessions)
            #expect(kinds.count { $0 == "Patient" } == 1)
            #expect(Set(entries.compactMap { $0["fullUrl"] as? String }).count == entries.count)
        }
    }

    @Test("An identifier's UUID is of version 8 and variant 10 (RFC 9562, 5.8), and another for each companion")
    func identifiers() throws {
        let urn = FHIRBundle.urn("drums", "one")
        #expect(
            urn.wholeMatch(of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(urn == FHIRBundle.urn("drums", "one") && urn != FHIRBundle.urn("brushing", "one"))
    }

    @Test("Of somebody who is not there none is made, and what was there stays")
    func nobody() throws {
        try Data("before".utf8).write(to: URL(filePath: file))
        #expect(throws: ArchiveError.nobody("stranger")) { try export("stranger") }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
    }

    @Test("A hub is not made of it, and says so")
    func noHub() throws {
        _ = try export(try #require(people.first).id)
        #expect(throws: ArchiveError.noArchive(file)) {
            try ArchiveImport.read(
                file, into: DataFolder(path: place.path + "/home"), companions: ArchiveTests.companions,
                now: test.hub.clock.now())
        }
    }
}
