import Foundation
import GRDB
import Storage
import TestInstruments
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("A song that nobody came back to and that cannot be stored")
struct FailedSessionTests {
    private let log = RecordedLog()
    private let app: DrumsTestApp
    private let running: ActiveSessions<DrumSessionFormat>
    private let id: String

    init() async throws {
        app = try await DrumsTestApp(log: log.logger)
        running = ActiveSessions(DrumSessionFormat(), hub: app.hub)
        let session = try DrumsTestApp.played("mila", at: app.now - 60_000, beats: 5, isFinished: false)
        id = session.origin.id
        let answer = try await app.send(.put, "/api/drums/running/\(id)", bytes: session.encoded())
        #expect(answer.status == 200, "\(answer.text)")
        app.advance(milliseconds: DrumSessionFormat.limits.patienceMilliseconds)
    }

    /// The database takes no session.
    private func block() async throws {
        try await app.hub.database.pool.write { db in
            try db.execute(
                sql: "CREATE TRIGGER blocked BEFORE INSERT ON session BEGIN SELECT RAISE(ABORT, 'Mila is there'); END")
        }
    }

    /// Looks each minute for so long, and counts the tries.
    private func look(minutes: Int) async throws {
        for _ in 0..<minutes {
            try await running.closeLeft()
            app.advance(milliseconds: 60_000)
        }
    }

    private func record() async throws -> ActiveSessionRecord? {
        try await app.hub.database.pool.read { db in try ActiveSessionRecord.fetchOne(db) }
    }

    private var lines: [String] {
        log.text.split(separator: "\n").filter { $0.contains("drum session") }.map(String.init)
    }

    @Test(
        "It is tried after longer and longer pauses and marked as failed at last, with one line in the log for each change"
    )
    func parked() async throws {
        try await block()
        try await look(minutes: 7)
        #expect(try await record()?.tries == 3)
        #expect(lines.count == 1)
        try await look(minutes: 600)
        let record = try #require(try await record())
        #expect(record.tries == DrumSessionFormat.limits.tries)
        #expect(record.parkedAt != nil)
        #expect(lines.count == 2, "\(log.text)")
        #expect(lines.allSatisfy { !$0.contains("Mila") && !$0.contains("mila") && !$0.contains(id) })
        // Nothing is lost: as the hub starts it is tried once more, without another word.
        try await running.closeLeft(withFailed: true)
        #expect(lines.count == 2)
        try await app.hub.database.pool.write { db in try db.execute(sql: "DROP TRIGGER blocked") }
        try await look(minutes: 3)
        #expect(try await app.count() == 0)
        try await running.closeLeft(withFailed: true)
        #expect(try await app.count() == 1)
        #expect(lines.count == 3)
        #expect(try await app.count("active_session") == 0)
    }

    @Test("An adult sees it with its reason and can fetch it; a child does not, and nobody goes on with it by mistake")
    func seen() async throws {
        try await block()
        try await look(minutes: 300)
        let seen = try await app.send(.get, "/api/drums/running")
        #expect((seen["running"] as? [Any])?.isEmpty == true)
        #expect(seen["parked", "0", "id"] as? String == id)
        #expect(seen["parked", "0", "person"] as? String == "mila")
        #expect(seen["parked", "0", "tries"] as? Int == DrumSessionFormat.limits.tries)
        #expect((seen["parked", "0", "reason"] as? String)?.contains("database") == true)
        #expect(try await app.send(.get, "/api/drums")["parked", "0", "id"] as? String == id)
        #expect(try await app.send(.get, "/api/drums/running/\(id)").status == 200)
        try await app.use("tom", profile: "theo")
        #expect((try await app.send(.get, "/api/drums/running", as: "tom")["parked"] as? [Any])?.isEmpty == true)
        #expect((try await app.send(.get, "/api/drums", as: "tom")["parked"] as? [Any])?.isEmpty == true)
    }

    @Test("What today's engine cannot read is stored and marked as failed too, and its end is refused in words")
    func unreadable() async throws {
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE active_session_chunk SET bytes = x'544452FF'")
        }
        try await look(minutes: 300)
        let record = try #require(try await record())
        #expect(record.parkedAt != nil)
        #expect(try await app.activeContent() == [0x54, 0x44, 0x52, 0xFF])
        #expect(record.reason?.contains("cannot read") == true)
        #expect(lines.count == 2)
        let ended = try await app.send(.delete, "/api/drums/running/\(id)")
        #expect(ended.status == 409)
        #expect(ended.detail.contains("kept as it is"))
    }

    @Test("A page that goes on with it after all begins anew")
    func goesOn() async throws {
        try await block()
        try await look(minutes: 300)
        let more = try DrumsTestApp.played(
            "mila", at: DrumsTestApp.start - 60_000, beats: 8, isFinished: false)
        let answer = try await app.send(.put, "/api/drums/running/\(id)", bytes: more.encoded())
        #expect(answer.status == 200, "\(answer.text)")
        let record = try #require(try await record())
        #expect(record.tries == 0 && record.parkedAt == nil && record.reason == nil)
    }
}
