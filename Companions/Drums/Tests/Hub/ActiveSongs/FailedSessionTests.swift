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
    private let sessions: ActiveSessions<DrumSessionDefinition>
    private let id: String

    init() async throws {
        app = try await DrumsTestApp(log: log.logger)
        sessions = ActiveSessions(DrumSessionDefinition(), hub: app.hub)
        let session = try DrumsTestApp.played("mila", at: app.now - 60_000, beats: 5, isFinished: false)
        id = session.origin.id
        let answer = try await app.append(session)
        #expect(answer.status == 201, "\(answer.text)")
        app.advance(milliseconds: DrumSessionDefinition.limits.patienceMilliseconds)
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
            try await sessions.closeLeft()
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
    func failed() async throws {
        try await block()
        try await look(minutes: 7)
        #expect(try await record()?.tries == 3)
        #expect(lines.count == 1)
        try await look(minutes: 600)
        let record = try #require(try await record())
        #expect(record.tries == DrumSessionDefinition.limits.tries)
        #expect(record.failedAt != nil)
        #expect(lines.count == 2, "\(log.text)")
        #expect(lines.allSatisfy { !$0.contains("Mila") && !$0.contains("mila") && !$0.contains(id) })
        // Nothing is lost: as the hub starts it is tried once more, without another word.
        try await sessions.closeLeft(withFailed: true)
        #expect(lines.count == 2)
        try await app.hub.database.pool.write { db in try db.execute(sql: "DROP TRIGGER blocked") }
        try await look(minutes: 3)
        #expect(try await app.count() == 0)
        try await sessions.closeLeft(withFailed: true)
        #expect(try await app.count() == 1)
        #expect(lines.count == 3)
        #expect(try await app.count("active_session") == 0)
    }

    @Test("An adult sees it with its reason and can fetch it; a child does not, and nobody goes on with it by mistake")
    func seen() async throws {
        try await block()
        try await look(minutes: 300)
        for path in ["/api/drums", "/api/drums/active"] {
            let seen = try await app.send(.get, path)
            #expect((seen["active"] as? [Any])?.isEmpty == true, "\(path)")
            #expect(seen["failed", "0", "id"] as? String == id)
            #expect(seen["failed", "0", "person"] as? String == "mila")
            #expect(seen["failed", "0", "tries"] as? Int == DrumSessionDefinition.limits.tries)
            #expect((seen["failed", "0", "reason"] as? String)?.contains("database") == true)
        }
        #expect(try await app.send(.get, "/api/drums/active/\(id)").status == 200)
        try await app.use("tom", profile: "theo")
        for path in ["/api/drums", "/api/drums/active"] {
            #expect((try await app.send(.get, path, as: "tom")["failed"] as? [Any])?.isEmpty == true, "\(path)")
        }
    }

    @Test("What today's engine cannot read is stored and marked as failed too, and its end is refused in words")
    func unreadable() async throws {
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE active_session_chunk SET bytes = x'544452FF'")
        }
        try await look(minutes: 300)
        let record = try #require(try await record())
        #expect(record.failedAt != nil)
        #expect(try await app.activeContent() == [0x54, 0x44, 0x52, 0xFF])
        #expect(record.reason?.contains("cannot read") == true)
        #expect(lines.count == 2)
        let ended = try await app.send(.delete, "/api/drums/active/\(id)")
        #expect(ended.status == 409)
        #expect(ended.detail.contains("kept as it is"))
    }

    @Test("A page that goes on with it after all begins anew")
    func goesOn() async throws {
        try await block()
        try await look(minutes: 300)
        let more = try DrumsTestApp.played(
            "mila", at: DrumsTestApp.start - 60_000, beats: 8, isFinished: false)
        let answer = try await app.append(more)
        #expect(answer.status == 200, "\(answer.text)")
        let record = try #require(try await record())
        #expect(record.tries == 0 && record.failedAt == nil && record.reason == nil)
    }
}
