import Foundation
import GRDB
import HubInstruments
import Testing

@testable import HubKit
@testable import HubServer
@testable import Readings
@testable import Storage

/// A companion that stores what it is sent.
private struct Shelf: Companion {
    static let slug = "shelf"
    static let title = "Shelf"
    static let migrations = [
        Migration("shelf-001") { db in try db.execute(sql: "CREATE TABLE shelf_thing(content BLOB NOT NULL)") }
    ]

    init(hub: HubContext) async throws {}

    func addRoutes(to routes: Routes) {
        routes.post("/api/shelf", .member, "Stores something.") { request in
            try await request.hub.database.pool.write { db in
                try db.execute(sql: "INSERT INTO shelf_thing VALUES (randomblob(200000))")
            }
            return .nothing
        }
        routes.get("/api/shelf", .member, "All of it.") { request in
            let count = try await request.hub.database.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT sum(length(content)) FROM shelf_thing") ?? 0
            }
            return try .json(["bytes": count])
        }
        routes.get("/api/shelf/readings", .member, "Readings of the first series.") { request in
            let count = try await request.hub.database.pool.read { db in
                var count = 0
                try db.forEachReading(series: 1) { _ in count += 1 }
                return count
            }
            return try .json(["readings": count])
        }
    }
}

/// What a hub says and does when its disk or its file is not what it should be.
@Suite("A broken disk or file")
struct StorageTroubleTests {
    private let test: TestHub
    private let client: HTTPTestClient
    private let token: String

    init() async throws {
        test = try TestHub(migrations: Shelf.migrations)
        client = try await HTTPTestClient(
            test, app: try await HubApplication(services: test.services, companions: [Shelf.self]))
        token = try await client.token(try await test.seed())
    }

    /// The file may have so many pages more.
    private func setRoom(pages: Int?) async throws {
        try await test.hub.database.pool.writeWithoutTransaction { db in
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages.map { count + $0 } ?? 1_000_000)")
        }
    }

    private func fault() async throws -> String? {
        let session = try await client.send(.get, "/api/session", token: token)
        return (session["hub"] as? [String: Any])?["storageFault"] as? String
    }

    @Test("On a full disk nothing is stored and that is said in words, pages too; with room it goes on by itself")
    func full() async throws {
        #expect(try await fault() == nil)
        try await setRoom(pages: 2)
        let refused = try await client.send(
            .post, "/api/shelf", token: token, headers: ["Accept-Language": "de"])
        #expect(refused.status == 503)
        #expect(
            refused.detail
                == "Der Speicher des Hubs ist voll. Nichts wurde geändert; mach Platz und versuch es dann noch einmal.")
        #expect(try await fault() == "full", "reading goes on, and the page is told")
        let watch = StorageWatch(hub: test.hub)
        await watch.look()
        #expect(test.hub.storage.fault == .full)
        try await setRoom(pages: nil)
        await watch.look()
        #expect(try await fault() == nil)
        #expect(try await client.send(.post, "/api/shelf", token: token).status == 204)
        #expect(try await client.send(.get, "/api/shelf", token: token)["bytes"] as? Int == 200_000, "stored once")
    }

    /// As where its disk was mounted anew to be read only, after too many errors.
    private func setReadOnly(_ isReadOnly: Bool) async throws {
        try await test.hub.database.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA query_only = \(isReadOnly ? 1 : 0)")
        }
    }

    @Test(
        "Where the disk can only be read, what is there is shown, nothing is stored, and that is said; then it goes on")
    func readOnly() async throws {
        #expect(try await client.send(.post, "/api/shelf", token: token).status == 204)
        try await setReadOnly(true)
        let refused = try await client.send(.post, "/api/shelf", token: token)
        #expect(refused.status == 503)
        #expect(refused.detail.contains("Nothing was changed"), "\(refused.text)")
        #expect(try await fault() == "refused", "reading goes on, and the page is told")
        let watch = StorageWatch(hub: test.hub)
        await watch.look()
        #expect(test.hub.storage.fault == .refused)
        #expect(try await client.send(.get, "/api/shelf", token: token)["bytes"] as? Int == 200_000)
        try await setReadOnly(false)
        await watch.look()
        #expect(try await fault() == nil)
        #expect(try await client.send(.post, "/api/shelf", token: token).status == 204)
        #expect(try await client.send(.get, "/api/shelf", token: token)["bytes"] as? Int == 400_000)
    }

    @Test("Pages hear that nothing can be stored, and that it can again", .timeLimit(.minutes(1)))
    func told() async throws {
        var changes = test.hub.storage.changes.makeAsyncIterator()
        test.hub.storage.failed(DatabaseError(resultCode: .SQLITE_FULL))
        test.hub.storage.failed(DatabaseError(resultCode: .SQLITE_FULL))
        await changes.next()
        #expect(test.hub.storage.fault == .full)
        test.hub.storage.worked()
        await changes.next()
        #expect(test.hub.storage.fault == nil)
    }

    @Test("Sealed readings that are damaged are said to be so, with what to do, and the hub knows of it")
    func damagedBlock() async throws {
        let device = try await test.device()
        let day = RollupSpan.day.rawValue
        let now = test.hub.clock.now()
        try await test.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.add(
                SeriesRecord(id: 1, household: device.household, device: device.id, quantity: "moisture", unit: "%"))
            try writer.insert(
                stride(from: now - 9 * day, to: now, by: 600_000).map { Reading(series: 1, at: $0, value: 40) })
            try writer.finish()
        }
        try await Sealing(test.hub.database, olderThanDays: 3, now: now, isPatient: false).seal()
        #expect(try await client.send(.get, "/api/shelf/readings", token: token)["readings"] as? Int == 9 * 144)
        try await test.hub.database.pool.write { db in try db.execute(sql: "UPDATE reading_block SET content = x'00'") }
        let refused = try await client.send(.get, "/api/shelf/readings", token: token)
        #expect(refused.status == 503)
        #expect(refused.detail.contains("damaged") && refused.detail.contains("backup"))
        #expect(try await fault() == "damaged")
    }

    @Test("Damage outlasts a full disk that has room again, and is not erased by what is stored at the same moment")
    func damageStays() async {
        let storage = test.hub.storage
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<2_000 { storage.worked() } } }
            group.addTask { storage.failed(DatabaseError(resultCode: .SQLITE_CORRUPT)) }
        }
        #expect(storage.fault == .damaged)
        #expect(!storage.isPassing)
        storage.failed(DatabaseError(resultCode: .SQLITE_FULL))
        #expect(storage.fault == .full)
        #expect(storage.isPassing)
        storage.worked()
        #expect(storage.fault == .damaged)
    }

    @Test("A torn page is said to be damage where somebody asks for what is in it, and the rest is there")
    func tornPage() async throws {
        for _ in 0..<5 { #expect(try await client.send(.post, "/api/shelf", token: token).status == 204) }
        try await test.hub.database.emptyLog()
        let root = try await test.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'shelf_thing'") ?? 0
        }
        let file = try #require(FileHandle(forUpdatingAtPath: test.hub.database.path))
        try file.seek(toOffset: UInt64(root - 1) * 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 2_048))
        try await test.hub.database.pool.writeWithoutTransaction { db in db.releaseMemory() }
        test.hub.database.pool.releaseMemory()
        let refused = try await client.send(.get, "/api/shelf", token: token)
        #expect(refused.status == 503)
        #expect(refused.detail.contains("damaged") && refused.detail.contains("backup"))
        #expect(try await fault() == "damaged", "and the household is still read")
        // What can be stored elsewhere makes no page whole again.
        test.hub.storage.worked()
        #expect(test.hub.storage.fault == .damaged)
        try file.close()
    }

    @Test(
        "Each way in which a file cannot be used is a sentence that says what to do",
        arguments: [
            (ResultCode.SQLITE_FULL, "Free some space"), (.SQLITE_CORRUPT, "restore a copy"),
            (.SQLITE_NOTADB, "restore a copy"), (.SQLITE_BUSY, "Close whatever has it open"),
            (.SQLITE_CANTOPEN, "Check that its folder"), (.SQLITE_READONLY, "Check that its folder"),
        ])
    func words(code: ResultCode, said: String) {
        let error = HubDatabaseError(DatabaseError(resultCode: code), path: "/tmp")
        #expect(error.description.contains(said), "\(error)")
    }

    @Test("A folder on a disk that can only be read, or that is full, is said to be so")
    func folders() {
        for (code, said) in [(EROFS, "read but not written"), (ENOSPC, "full"), (EACCES, "cannot be made")] {
            errno = code
            #expect(DataFolderError(notWritten: "/mnt/x").description.contains(said))
        }
    }
}
