import Foundation
import GRDB
import HTTPTypes
import ServiceLifecycle
import Storage
import Synchronization
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("A session is recorded while it is played")
struct ActiveSongTests {
    private let app: DrumsTestApp
    private let at = DrumsTestApp.start - 120_000

    init() async throws { app = try await DrumsTestApp() }

    private func part(_ beats: Int, of person: String = "mila") throws -> DrumSession {
        try DrumsTestApp.played(person, at: at, beats: beats, isFinished: false)
    }

    @Test("It grows, is listed with how far it is, and can be fetched to go on with")
    func grows() async throws {
        let first = try await app.append(try part(3))
        #expect(first.status == 201, "\(first.text)")
        #expect(first["isNew"] as? Bool == true)
        #expect(try await app.append(try part(7))["isNew"] as? Bool == false)
        let list = try await app.send(.get, "/api/drums")
        #expect(list["active", "0", "person"] as? String == "mila")
        #expect(list["active", "0", "song", "title"] as? String == "Ode to Joy")
        #expect(list["active", "0", "beats"] as? Int == 16)
        #expect(list["active", "0", "beat"] as? Int == 7)
        #expect(list["active", "0", "isHere"] as? Bool == true)
        #expect(list["active", "0", "since"] as? Int64 == at)
        #expect((list["active"] as? [Any])?.count == 1)
        #expect(try await app.activeContent() == part(7).encoded())
        #expect(try await app.send(.get, "/api/drums/active/\(try part(3).origin.id)").status == 200)
    }

    @Test("What is delivered at its end is a session, and runs no longer")
    func delivered() async throws {
        _ = try await app.append(try part(7))
        let whole = try DrumsTestApp.played("mila", at: at)
        #expect(try await app.deliver(whole.encoded()).status == 201)
        #expect(try await app.count("active_session") == 0)
        let late = try await app.append(try takenUp(try part(9)))
        #expect(late.status == 409)
        #expect(late["title"] as? String == "Over already")
        #expect(try await app.send(.get, "/api/drums/active/\(whole.origin.id)").status == 404)
    }

    @Test("Another device takes it up; the one before is refused in words, and loses nothing of what was acknowledged")
    func takenUp() async throws {
        let before = try part(5)
        _ = try await app.append(before)
        #expect(try await app.append(before, as: "tom").status == 200)
        var taken = try DrumSession.decoded(before.encoded())
        _ = taken.handle(.opened(wall: at + 60_000), atMicroseconds: 9_000_000)
        #expect(try await app.append(taken, as: "tom").status == 200)
        let refused = try await app.append(try part(6))
        #expect(refused.status == 409)
        #expect(refused["title"] as? String == "Played elsewhere")
        #expect(refused.detail.contains("Another device"))
        // What it played beyond that is a session of its own, and the other's goes on.
        let own = try await app.deliver(try part(6).encoded())
        #expect(own.status == 201, "\(own.text)")
        #expect(own["fork", "of"] as? String == before.origin.id)
        _ = taken.handle(.resume, atMicroseconds: 9_500_000)
        _ = taken.handle(.stop, atMicroseconds: 10_000_000)
        _ = taken.handle(.finish, atMicroseconds: 10_000_000)
        let answer = try await app.deliver(taken.encoded(), as: "tom")
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["answered"] as? Int == 5)
        let shown = try await app.send(.get, "/api/drums/sessions/\(taken.origin.id)")
        #expect(shown["happened", "0", "what"] as? String == "takenUp")
    }

    /// What the page of another device makes of a part: it takes it up, and answers as far as so many beats.
    private func takenUp(_ part: DrumSession, beats: Int = 0, isFinished: Bool = false) throws -> DrumSession {
        var taken = try DrumSession.decoded(part.encoded())
        var now: Int64 = 9_000_000
        _ = taken.handle(.opened(wall: at + 60_000), atMicroseconds: now)
        guard beats > 0 else { return taken }
        _ = taken.handle(.resume, atMicroseconds: now)
        DrumsTestApp.go(on: &taken, beats: beats, from: &now)
        if isFinished { _ = taken.handle(.finish, atMicroseconds: now) }
        return taken
    }

    @Test(
        "Taken up elsewhere and left there, it is what the first device played to the end, closed by the hub or not",
        arguments: [false, true])
    func takenUpAndLeft(isClosed: Bool) async throws {
        _ = try await app.append(try part(5))
        #expect(try await app.append(try takenUp(try part(5)), as: "tom").status == 200)
        if isClosed {
            app.advance(milliseconds: DrumSessionDefinition.limits.patienceMilliseconds)
            try await ActiveSessions(DrumSessionDefinition(), hub: app.hub).closeLeft()
            #expect(try await app.count() == 1)
        }
        let whole = try DrumsTestApp.played("mila", at: at)
        let answer = try await app.deliver(whole.encoded())
        #expect(answer.status == (isClosed ? 200 : 201), "\(answer.text)")
        #expect(answer["id"] as? String == whole.origin.id)
        #expect(answer["answered"] as? Int == 16)
        #expect(answer["isClosedByHub"] as? Bool == false)
        #expect(try await app.count("active_session") == 0)
        #expect(try await app.count() == 1)
        // The other device has nothing that the hub has not.
        let late = try await app.deliver(try takenUp(try part(5)).encoded(), as: "tom")
        #expect(late.status == 200)
        #expect(late["answered"] as? Int == 16)
    }

    @Test("Played on two devices at once, both are stored, the second under an id of its own, once")
    func playedTwice() async throws {
        _ = try await app.append(try part(5))
        #expect(try await app.append(try takenUp(try part(5), beats: 7), as: "tom").status == 200)
        let whole = try DrumsTestApp.played("mila", at: at)
        let first = try await app.deliver(whole.encoded())
        #expect(first.status == 201, "\(first.text)")
        #expect(first["id"] as? String != whole.origin.id)
        // Five were played before the two went apart: they count in the other.
        #expect(first["answered"] as? Int == 11)
        #expect(first["claim"] == nil)
        let again = try await app.deliver(whole.encoded())
        #expect(again.status == 200)
        #expect(again["id"] as? String == first["id"] as? String)
        let other = try await app.deliver(try takenUp(try part(5), beats: 9, isFinished: true).encoded(), as: "tom")
        #expect(other.status == 201, "\(other.text)")
        #expect(other["id"] as? String == whole.origin.id)
        #expect(other["answered"] as? Int == 9)
        #expect(try await app.deliver(whole.encoded())["id"] as? String == first["id"] as? String)
        #expect(try await app.count() == 2)
        #expect(try await app.count("drums_session") == 2)
    }

    @Test("A child's profile takes up and ends another's song on the family's own device only, and sees nothing of it")
    func sibling() async throws {
        _ = try await app.append(try part(5))
        let id = try part(5).origin.id
        try await app.use("tom", profile: "theo")
        let list = try await app.send(.get, "/api/drums", as: "tom")
        #expect(list["active", "0", "mayGoOn"] as? Bool == false)
        #expect(try await app.send(.get, "/api/drums/active/\(id)", as: "tom").status == 403)
        #expect(try await app.send(.delete, "/api/drums/active/\(id)", as: "tom").status == 403)
        #expect(try await app.count("active_session") == 1)
        let whole = try DrumsTestApp.played("mila", at: at)
        let told = try await app.deliver(whole.encoded(), as: "tom")
        #expect(told.status == 201)
        #expect(Set(try Self.names(told)) == ["id", "day", "song"])
        #expect(told["id"] as? String == id)

        let other = DrumsTestApp.setup("mila", id: 9)
        _ = try await app.append(try DrumsTestApp.played("mila", at: at, beats: 3, setup: other, isFinished: false))
        let name = SessionOrigin.name(of: other.id)
        try await app.use("tom", profile: "theo", isShared: true)
        #expect(try await app.send(.get, "/api/drums/active/\(name)", as: "tom").status == 200)
        let ended = try await app.send(.delete, "/api/drums/active/\(name)", as: "tom")
        #expect(ended.status == 200, "\(ended.text)")
        #expect(Set(try Self.names(ended)) == ["id", "day", "song"])
    }

    private static func names(_ answer: DrumsTestApp.Answer) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        return (object ?? [:]).keys.sorted()
    }

    @Test("A day that takes no more holds up nothing that the hub closes, and one that cannot be stored no other")
    func closesAll() async throws {
        for number in 1...2 {
            let setup = DrumsTestApp.setup("mila", id: UInt8(number))
            let played = try DrumsTestApp.played(
                "mila", at: at + Int64(number), beats: 2, setup: setup, isFinished: false)
            #expect(try await app.append(played).status == 201)
        }
        let blocked = SessionOrigin.name(of: DrumsTestApp.setup("mila", id: 1).id)
        let template = try DrumsTestApp.played("mila", at: at, setup: DrumsTestApp.setup("mila", id: 99))
        _ = try await app.deliver(template.encoded())
        try await app.hub.database.pool.write { db in
            // A full day, and a database that refuses the first.
            guard var row = try ResultRecord.fetchOne(db) else {
                throw Problem.notFound("There is no session here. It may have been removed.")
            }
            guard var session = try SessionRecord.fetchOne(db) else {
                throw Problem.notFound("There is no session here. It may have been removed.")
            }
            for number in 1..<DrumSessionDefinition.limits.perDay {
                row.id = "full-\(number)"
                session.id = row.id
                try session.insert(db)
                try row.insert(db)
            }
            try db.execute(
                sql: """
                    CREATE TRIGGER blocked BEFORE INSERT ON session WHEN NEW.id = '\(blocked)'
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        app.advance(milliseconds: DrumSessionDefinition.limits.patienceMilliseconds)
        try await ActiveSessions(DrumSessionDefinition(), hub: app.hub).closeLeft()
        let left = try await app.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM active_session")
        }
        #expect(left == [blocked])
        #expect(try await app.count() == DrumSessionDefinition.limits.perDay + 1)
    }

    @Test("A part that comes late changes nothing")
    func late() async throws {
        _ = try await app.append(try part(8))
        #expect(try await app.append(try part(4)).status == 200)
        #expect(try await app.activeContent() == part(8).encoded())
    }

    @Test("Ended from another device, it is a session with its reason; the longer one of the phone replaces it")
    func ended() async throws {
        _ = try await app.append(try part(5))
        let closed = try await app.send(.delete, "/api/drums/active/\(try part(5).origin.id)", as: "tom")
        #expect(closed.status == 200, "\(closed.text)")
        #expect(closed["end"] as? String == "left")
        #expect(closed["answered"] as? Int == 5)
        #expect(closed["isClosedByHub"] as? Bool == true)
        // Once more, as when the answer was lost, it is the same; what never was is nowhere.
        let again = try await app.send(.delete, "/api/drums/active/\(try part(5).origin.id)", as: "tom")
        #expect(again.status == 200)
        #expect(again["id"] as? String == closed["id"] as? String)
        #expect(try await app.send(.delete, "/api/drums/active/00").status == 404)
        let answer = try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded())
        #expect(answer["answered"] as? Int == 16)
        #expect(answer["isClosedByHub"] as? Bool == false)
    }

    @Test(
        "What does not grow for half an hour is closed by the hub, with the lost link as its reason where it was lost last"
    )
    func left() async throws {
        _ = try await app.append(try part(5))
        let lost = try DrumsTestApp.played("theo", at: at, beats: 4, isFinished: false) { session, now in
            _ = session.handle(.linkLost, atMicroseconds: now + 10_000)
        }
        _ = try await app.append(lost)
        let sessions = ActiveSessions(DrumSessionDefinition(), hub: app.hub)
        app.advance(milliseconds: DrumSessionDefinition.limits.patienceMilliseconds - 1)
        try await sessions.closeLeft()
        #expect(try await app.count("active_session") == 2)
        app.advance(milliseconds: 1)
        try await sessions.closeLeft()
        #expect(try await app.count("active_session") == 0)
        let ends = try await app.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT \"end\" FROM drums_session ORDER BY person")
        }
        #expect(ends == ["left", "linkLost"])
    }

    @Test("The service looks at once and again, tells the pages, and stops with the hub", .timeLimit(.minutes(5)))
    func service() async throws {
        _ = try await app.append(try part(5))
        app.advance(milliseconds: DrumSessionDefinition.limits.patienceMilliseconds)
        let ines = try await app.person("ines")
        let (_, frames) = app.hub.live.listen(
            Member(person: ines, profile: ines, signIn: "s"), resume: nil, now: app.now)
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let service = ActiveSessionService(ActiveSessions(DrumSessionDefinition(), hub: app.hub)) { _ in
            looked.yield()
            for await _ in AsyncStream(Void.self, { _ in }) {}  // until the hub stops, which cancels it
            try Task.checkCancellation()
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: app.hub.log))
        async let running: Void = group.run()
        for await _ in looks { break }
        #expect(try await app.count("drums_session") == 1)
        await group.triggerGracefulShutdown()
        try await running
        app.hub.live.publish(.device("the last"), household: "linden")
        var told: [String] = []
        for await frame in frames {
            if case .text(let text) = frame { told.append(text) }
            if told.last?.contains("the last") == true { break }
        }
        let id = try part(5).origin.id
        #expect(told.contains { $0.contains("\"what\":\"active\"") && $0.contains(id) })
        #expect(told.contains { $0.contains("\"what\":\"session\"") && $0.contains("\"item\":\"mila\"") })
    }

    @Test("Two that begin at once with one id are one, and what is no session is refused")
    func together() async throws {
        let (app, session) = (app, try part(3))
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for account in ["ines", "tom", "ines"] {
                group.addTask { try await app.append(session, as: account).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.sorted() == [200, 200, 201])
        #expect(try await app.count("active_session") == 1)
        #expect(try await app.append(session, id: "00").status == 422)
        let nothing = try await app.send(
            .patch, "/api/drums/active/aa", bytes: Array("nothing".utf8), headers: ["Upload-Offset": "0"])
        #expect(nothing.status == 422)
        #expect(try await app.append(try part(2, of: "jo")).status == 422)
        try await app.use("ines", profile: "mila")
        #expect(try await app.append(try part(2, of: "tom")).status == 403)
    }

    @Test("A household plays so many songs at once, and no more")
    func many() async throws {
        for number in 0..<DrumSessionDefinition.limits.perHousehold {
            let setup = DrumsTestApp.setup("mila", id: UInt8(number + 1))
            let session = try DrumsTestApp.played("mila", at: at, beats: 0, setup: setup, isFinished: false)
            #expect(try await app.append(session).status == 201)
        }
        let setup = DrumsTestApp.setup("mila", id: 200)
        let answer = try await app.append(
            try DrumsTestApp.played("mila", at: at, beats: 0, setup: setup, isFinished: false))
        #expect(answer.status == 422)
        #expect(answer.detail.contains("End some of them"))
    }
}
