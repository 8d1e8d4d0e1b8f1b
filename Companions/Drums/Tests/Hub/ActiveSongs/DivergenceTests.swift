import Foundation
import GRDB
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("Two devices go on with one song")
struct DivergenceTests {
    private let app: DrumsTestApp
    private let at = DrumsTestApp.start - 120_000

    init() async throws { app = try await DrumsTestApp() }

    private func append(_ session: DrumSession, as account: String) async throws {
        let answer = try await app.append(session, as: account)
        #expect(answer.status < 300, "\(answer.text)")
    }

    private func part(_ beats: Int, mode: PlayMode = .wait) throws -> DrumSession {
        try DrumsTestApp.played(
            "mila", at: at, beats: beats, setup: DrumsTestApp.setup("mila", mode: mode), isFinished: false)
    }

    /// What the page of another device makes of a part: it takes it up, and answers as far as so many beats.
    private func takenUp(_ part: DrumSession, beats: Int, after milliseconds: Int64 = 60_000, isFinished: Bool = false)
        throws -> DrumSession
    {
        var taken = try DrumSession.decoded(part.encoded())
        var now: Int64 = 9_000_000
        _ = taken.handle(.opened(wall: at + milliseconds), atMicroseconds: now)
        _ = taken.handle(.resume, atMicroseconds: now)
        DrumsTestApp.go(on: &taken, beats: beats, from: &now)
        if isFinished { _ = taken.handle(.finish, atMicroseconds: now) }
        return taken
    }

    private func sums() async throws -> (answered: Int, milliseconds: Int64) {
        try await app.hub.database.pool.read { db in
            let row = try Row.fetchOne(db, sql: "SELECT sum(answered), sum(milliseconds) FROM drums_session")
            return (row?[0] ?? 0, row?[1] ?? 0)
        }
    }

    @Test("The beats of their common beginning count once, in the numbers, the charts and the tables")
    func once() async throws {
        try await append(try part(5), as: "ines")
        try await append(try takenUp(try part(5), beats: 7), as: "tom")
        let whole = try DrumsTestApp.played("mila", at: at)
        let first = try await app.deliver(whole.encoded())
        #expect(first["fork", "of"] as? String == whole.origin.id)
        #expect(first["fork", "beats"] as? Int == 5)
        #expect(first["answered"] as? Int == 11)
        #expect(first["reaction", "n"] as? Int == 11)
        let other = try takenUp(try part(5), beats: 9, isFinished: true)
        let second = try await app.deliver(other.encoded(), as: "tom")
        #expect(second["fork"] == nil)
        #expect(second["answered"] as? Int == 9)
        let sums = try await sums()
        #expect(sums.answered == 16 + 4)
        let common = try DrumSession.decoded(try part(5).encoded()).result.milliseconds
        let parts = whole.result.milliseconds - common + other.result.milliseconds
        #expect(abs(sums.milliseconds - parts) <= 1)
        let data = try await app.send(.get, "/api/drums/data?person=mila")
        #expect(data["totals", "beats"] as? Int == 20)
        let table = try await app.send(.get, "/api/drums/export?person=mila&format=csv")
        #expect(table.text.split(separator: "\r\n").count { $0.contains("Ode to Joy") } == 20)
        // Its own page has all of it.
        let score = try await app.send(.get, "/api/drums/sessions/\(try #require(first["id"] as? String))")
        #expect((score["beatList"] as? [Any])?.count == 16)
        #expect(score["fork", "beats"] as? Int == 5)
        // The mean, like the median beside it, is of what is not the other's: 435 to 505 ms.
        #expect(score["reaction", "median"] as? Double == 470)
        #expect(score["reaction", "mean"] as? Double == 470)
    }

    @Test("The losing device's part is stored though it did not end, and grows when more of it comes")
    func unfinished() async throws {
        try await append(try part(5), as: "ines")
        try await append(try takenUp(try part(5), beats: 7), as: "tom")
        let lost = try await app.deliver(try part(8).encoded())
        #expect(lost.status == 201, "\(lost.text)")
        let id = try #require(lost["id"] as? String)
        #expect(lost["answered"] as? Int == 3)
        #expect(lost["isClosedByHub"] as? Bool == true)
        #expect(try await app.deliver(try part(8).encoded())["id"] as? String == id)
        #expect(try await app.deliver(try part(7).encoded())["id"] as? String == id)
        let more = try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded())
        #expect(more.status == 200)
        #expect(more["id"] as? String == id)
        #expect(more["answered"] as? Int == 11)
        #expect(more["isClosedByHub"] as? Bool == false)
        #expect(more["fork", "beats"] as? Int == 5)
        #expect(try await app.count() == 1)
        #expect(try await app.count("active_session") == 1)
    }

    @Test("What holds no hit that the other device's copy lacks is nothing to store, and no reason to refuse")
    func nothingNew() async throws {
        try await append(try part(5), as: "ines")
        let other = try takenUp(try part(5), beats: 7)
        try await append(other, as: "tom")
        var paused = try part(5)
        _ = paused.handle(.pause, atMicroseconds: 60_000_000)
        for session in [try part(5), paused, try part(3)] {
            let answer = try await app.deliver(session.encoded())
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["isRunning"] as? Bool == true)
            #expect(answer["id"] as? String == other.origin.id)
            #expect(answer["day"] as? String == "2026-11-21")
        }
        #expect(try await app.count() == 0)
        #expect(try await app.count("active_session") == 1)
    }

    @Test("A third device shares most with the second: its beats count once too")
    func three() async throws {
        let second = try takenUp(try part(5), beats: 9)
        let third = try takenUp(second, beats: 12, after: 90_000, isFinished: true)
        // The first played to the end, and was there first.
        _ = try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded())
        let two = try await app.deliver(second.encoded(), as: "tom")
        #expect(two["answered"] as? Int == 4)
        let three = try await app.deliver(third.encoded(), as: "tom")
        #expect(three["id"] as? String == two["id"] as? String)
        #expect(three["answered"] as? Int == 7)
        var other = try takenUp(second, beats: 11, after: 91_000)
        _ = other.handle(.stop, atMicroseconds: 100_000_000)
        let four = try await app.deliver(other.encoded(), as: "tom")
        #expect(four.status == 201, "\(four.text)")
        #expect(four["fork", "of"] as? String == three["id"] as? String)
        #expect(four["answered"] as? Int == 2)
        #expect(try await sums().answered == 16 + 7 + 2)
    }

    @Test("A timing window learns nothing twice")
    func window() async throws {
        let whole = try DrumsTestApp.played("mila", at: at, setup: DrumsTestApp.setup("mila", mode: .flow))
        _ = try await app.deliver(whole.encoded())
        let hits = try await timing()
        #expect(hits > 8)
        let other = try takenUp(try part(5, mode: .flow), beats: 9, isFinished: true)
        let second = try await app.deliver(other.encoded(), as: "tom")
        #expect(second["fork", "beats"] as? Int == 5, "\(second.text)")
        let answered = try #require(second["answered"] as? Int)
        #expect(try await timing() == hits + answered)
    }

    private func timing() async throws -> Int {
        try await app.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT sum(length(timing)) / 4 FROM drums_session") ?? 0
        }
    }
}
