import GRDB
import HubKit
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub

@Suite("What follows a song")
struct AfterSongTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    /// Plays the same song some minutes after the last; the page's id of the session in hexadecimal.
    private func play(_ number: UInt8, beats: Int = 16, mode: PlayMode = .wait) async throws -> String {
        let at = app.now - 3_600_000 + Int64(number) * 300_000
        let setup = DrumsTestApp.setup("mila", id: number, mode: mode)
        let session = try DrumsTestApp.played("mila", at: at, beats: beats, setup: setup)
        #expect(try await app.deliver(session.encoded()).status == 201)
        return setup.id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func comparison(_ id: String) async throws -> String? {
        try await app.send(.get, "/api/drums/sessions/\(id)/after")["comparison"] as? String
    }

    private func setRight(_ right: Int, of id: String) async throws {
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE drums_session SET right = ? WHERE id = ?", arguments: [right, id])
        }
    }

    @Test("Better is told, as many is told, and a worse day is not")
    func compared() async throws {
        let first = try await play(1)
        let second = try await play(2)
        #expect(try await comparison(first) == nil)
        let right =
            try await app.hub.database.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT right FROM drums_session WHERE id = ?", arguments: [second])
            } ?? 0
        #expect(try await comparison(second) == "As many as last time: \(right) of 16.")
        try await setRight(right - 3, of: first)
        #expect(try await comparison(second) == "3 better than last time: \(right) of 16 right at the first try.")
        try await setRight(16, of: first)
        #expect(try await comparison(second) == nil)
    }

    @Test("A song that was broken off, or played in another mode, is compared with none")
    func incomparable() async throws {
        _ = try await play(1, beats: 7)
        let second = try await play(2)
        #expect(try await comparison(second) == nil)
        let third = try await play(3, mode: .flow)
        #expect(try await comparison(third) == nil)
    }

    @Test("The next song is one that was never played, and of the plan where there is one")
    func next() async throws {
        let id = try await play(1)
        let answer = try await app.send(.get, "/api/drums/sessions/\(id)/after")
        #expect(answer["next", "song"] as? String == "twinkle-twinkle", "the one after Ode to Joy")
        #expect(answer["next", "isNew"] as? Bool == true)
        _ = try await app.send(
            .put, "/api/drums/people/mila/plan",
            #"{"setBy":"Ms Okafor","minutesPerWeek":90,"songs":["ode-to-joy","silent-night"]}"#)
        let planned = try await app.send(.get, "/api/drums/sessions/\(id)/after")
        #expect(planned["next", "title"] as? String == "Silent Night")
    }

    @Test("A session that is none is not found")
    func none() async throws {
        let answer = try await app.send(.get, "/api/drums/sessions/0123456789abcdef0123456789abcdef/after")
        #expect(answer.status == 404)
        #expect(answer.detail == "There is no session here. It may have been removed.")
    }
}
