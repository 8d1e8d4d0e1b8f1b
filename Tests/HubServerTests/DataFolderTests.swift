import Foundation
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("The folder that holds everything")
struct DataFolderTests {
    /// A folder whose owner is not root, whoever runs the tests.
    private func folder() throws -> (path: String, owner: String) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("folder-\(UUID().uuidString)").path
        _ = try DataFolder(path: path)
        if geteuid() == 0 { try #require(chown(path, 65_533, 65_533) == 0) }
        let name = try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountName] as? String
        return (path, name ?? "'#65533'")
    }

    @Test("Root is refused in another’s folder, with the command as its owner gives it")
    func root() throws {
        let (path, owner) = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = ["tandem", "device", "add", "--name", "Ines’s fern; it's", "--data", path]
        let error = #expect(throws: DataFolderError.self) {
            try DataFolder.checkOwner(of: path, user: 0, command: command)
        }
        let words = "\(try #require(error))"
        #expect(words.contains(path))
        #expect(
            words.hasSuffix(
                "sudo -u \(owner) tandem device add --name 'Ines’s fern; it'\\''s' --data \(path)"), "\(words)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test("Its owner, root in a folder of root’s, and whoever makes a new one are not")
    func owner() throws {
        let (path, _) = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: Never.self) {
            try DataFolder.checkOwner(of: path, user: 65_533)
            try DataFolder.checkOwner(of: "/", user: 0)
            try DataFolder.checkOwner(of: path + "/new", user: 0)
        }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("In a folder that was there, and is open to others, all files of the database are for their owner alone")
    func newFiles() async throws {
        let folder = try TemporaryFolder()
        try #require(chmod(folder.path, 0o755) == 0)
        let data = try DataFolder(path: folder.path)
        let lock = try data.lock()
        let database = try HubDatabase(path: data.databasePath)
        try await database.pool.write { db in try db.execute(sql: "CREATE TABLE a(b)") }
        for end in ["", "-wal", "-shm"] { #expect(try mode(data.databasePath + end) == 0o600, "\(end)") }
        #expect(try mode(folder.path + "/tandem.lock") == 0o600)
        try database.close()
        withExtendedLifetime(lock) {}
    }

    @Test("Files that others could read are named, and made the owner's alone; those of anybody else stay")
    func tightened() throws {
        let folder = try TemporaryFolder()
        for name in ["tandem.sqlite", "tandem.sqlite-wal", "tandem.lock"] {
            _ = try folder.write("", to: name, mode: 0o644)
        }
        try #require(chmod(folder.path, 0o755) == 0)
        let data = try DataFolder(path: folder.path)
        #expect(data.exposed().count == 4)
        #expect(
            Set(data.tighten())
                == Set(["", "/tandem.sqlite", "/tandem.sqlite-wal", "/tandem.lock"].map { folder.path + $0 }))
        #expect(try mode(folder.path) == 0o700)
        #expect(try mode(folder.path + "/tandem.sqlite-wal") == 0o600)
        #expect(data.exposed().isEmpty && data.tighten().isEmpty)
        // A folder that is used for more than the hub.
        let note = try folder.write("", to: "notes.txt", mode: 0o644)
        try #require(chmod(folder.path, 0o755) == 0)
        #expect(data.tighten().isEmpty)
        #expect(try mode(folder.path) == 0o755)
        #expect(try mode(note) == 0o644)
    }

    @Test("The log of the database is emptied later where somebody reads while it should be")
    func emptiedLater() async throws {
        let test = try TestHub()
        let adult = try await test.seed()
        let pool = test.hub.database.pool
        // A look at the database as it is now, such as a download that takes its time.
        let snapshot = try pool.makeSnapshot()
        _ = try await snapshot.read { db in try PersonRecord.fetchCount(db) }
        _ = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: nil, face: nil)
        let further = try #require(try await test.hub.database.emptyLog(retryingEvery: .milliseconds(10)))
        try snapshot.close()
        try await further.value
        let log = try FileManager.default.attributesOfItem(atPath: test.hub.database.path + "-wal")[.size] as? Int
        #expect(log == 0)
    }

    @Test("Who was removed is named in no byte of the data folder, nor in the log")
    func removedName() async throws {
        let log = RecordedLog()
        let test = try TestHub(log: log.logger)
        let adult = try await test.seed()
        let client = try await HTTPTestClient(
            test, app: try await HubApplication(services: test.services, companions: []))
        let name = "Xaverl\(UUID().uuidString)"
        // With a key, so that the answer with the name in it is stored.
        let answer = try await client.send(
            .post, "/api/people", "{\"name\":\"\(name)\"}", token: try await client.token(adult),
            headers: ["Idempotency-Key": "a"])
        try #require(answer.status == 201)
        let child = (id: try #require(answer["id"] as? String), household: adult.household)
        func holds() throws -> Bool {
            let files = try FileManager.default.subpathsOfDirectory(atPath: test.folder.path)
            return files.contains { file in
                FileManager.default.contents(atPath: test.folder.appendingPathComponent(file).path)?
                    .range(of: Data(name.utf8)) != nil
            }
        }
        #expect(try holds())
        // In the file too, not only in its log.
        #expect(try await test.hub.database.emptyLog())
        #expect(try holds())
        try await test.services.accounts.remove(person: child.id, household: child.household)
        #expect(try !holds())
        #expect(!log.text.contains(name))
    }
}
