import Foundation
import GRDB
import HubInstruments
import Storage
import Synchronization
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Reminders

@Suite("The service that reminds")
struct ReminderServiceTests {
    /// The pauses of the service, which end when the test says.
    private final class Pauses: Sendable {
        let asked = AsyncStream.makeStream(of: Duration.self)
        private let waiting = Mutex<[AsyncStream<Void>.Continuation]>([])

        func pause(_ duration: Duration) async throws {
            let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
            waiting.withLock { $0.append(continuation) }
            asked.continuation.yield(duration)
            for await _ in ends {}
            try Task.checkCancellation()
        }

        func end() {
            let ended = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for continuation in ended { continuation.finish() }
        }
    }

    @Test("It sleeps until the next reminder or half a minute, and a change wakes it")
    func sleeps() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:59:00Z")
        let pauses = Pauses()
        let service = ReminderService(context: app.app.reminderContext) { try await pauses.pause($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var asked = pauses.asked.stream.makeAsyncIterator()
            #expect(await asked.next() == .seconds(30))
            app.test.advance(milliseconds: 50_000)
            try await app.set("morning", app.mila)
            // Woken while it slept: ten seconds are left.
            #expect(await asked.next() == .seconds(10))
            app.test.advance(milliseconds: 10_000)
            pauses.end()
            // It woke, reminded, and heard of that itself.
            #expect(await asked.next() == .seconds(30))
            #expect(try await app.visible() == ["Mila: Morning"])
            group.cancelAll()
        }
    }

    @Test("A clock that is put forward is noticed at the next look, and one put back reminds of nothing again")
    func clock() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T03:00:00Z")
        let pauses = Pauses()
        let service = ReminderService(context: app.app.reminderContext) { try await pauses.pause($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var asked = pauses.asked.stream.makeAsyncIterator()
            _ = await asked.next()
            try await app.set("morning", app.mila)
            _ = await asked.next()
            app.test.advance(milliseconds: 4 * 3_600_000)
            pauses.end()
            // It reminds, and looks again because it has.
            for _ in 0..<2 { _ = await asked.next() }
            let fired = try await app.record("morning", app.mila)?.firedAt
            #expect(fired == (try ReminderTestApp.time("2026-11-21T07:00:00Z")))
            for step: Int64 in [-2 * 3_600_000, 3_600_000, 1_800_000] {
                app.test.advance(milliseconds: step)
                pauses.end()
                _ = await asked.next()
            }
            #expect(try await app.record("morning", app.mila)?.firedAt == fired)
            group.cancelAll()
        }
    }

    @Test("Where a companion cannot say what was put off, it sleeps half a minute and does not hurry")
    func muddledSnooze() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        try await app.look(at: "2026-11-21T06:00:00Z")
        let until = app.hub.clock.now() + 300_000
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE reminder SET is_visible = 0, snoozed_until = ?", arguments: [until])
        }
        app.bells.isMuddled.withLock { $0 = true }
        app.test.advance(milliseconds: 300_000)
        let pauses = Pauses()
        let service = ReminderService(context: app.app.reminderContext) { try await pauses.pause($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var asked = pauses.asked.stream.makeAsyncIterator()
            #expect(await asked.next() == .seconds(30))
            app.bells.isMuddled.withLock { $0 = false }
            app.test.advance(milliseconds: 30_000)
            pauses.end()
            _ = await asked.next()
            let visible = try await app.visible()
            #expect(visible == ["Mila: Morning"])
            group.cancelAll()
        }
    }

    private func waiting(_ app: ReminderTestApp) async throws -> [PushMessageRecord] {
        try await app.hub.database.pool.read { db in try PushMessageRecord.fetchAll(db) }
    }

    /// A household with a phone for Mila and one for Theo.
    private func appWithPhones() async throws -> ReminderTestApp {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        for (id, person) in [("a", app.mila), ("b", app.theo)] {
            let (_, member) = try await app.services.accounts.signIn(app.ines, agent: id)
            try await app.hub.database.pool.write { db in
                try PushSubscriptionRecord(
                    id: id, household: app.ines.household, signIn: member.signIn,
                    endpoint: "https://push.example/\(id)", p256dh: Data(), auth: Data(), createdAt: 0
                ).insert(db)
                try db.execute(sql: "INSERT INTO push_person VALUES (?, ?)", arguments: [id, person.id])
            }
        }
        return app
    }

    @Test(
        "What is done, dismissed, put off, switched off or set to another time does not wait for phones any longer",
        arguments: ["done", "dismiss", "snooze", "off", "elsewhen"])
    func withdrawn(how: String) async throws {
        let app = try await appWithPhones()
        let client = try await HTTPTestClient(app.test, app: app.app)
        let token = try await client.token(app.ines)
        for person in [app.mila, app.theo] { try await app.set("morning", person) }
        try await app.look(at: "2026-11-21T06:00:00Z")
        #expect(Set(try await waiting(app).map(\.subscription)) == ["a", "b"])
        switch how {
        case "done": try await app.settle(companion: "bells", person: app.mila.id)
        case "off": try await app.set("morning", app.mila, isOn: false)
        case "elsewhen": try await app.set("morning", app.mila, at: 9 * 60)
        default:
            let id = Reminders.id(companion: "bells", name: "morning", person: app.mila.id)
            #expect(try await client.send(.post, "/api/reminders/\(id)/\(how)", token: token).status < 300)
        }
        #expect(try await waiting(app).map(\.subscription) == ["b"])
    }

    @Test("Each phone is told in the language of its page, else in the household’s, and each page in its own")
    func languages() async throws {
        let app = try await appWithPhones()
        let client = try await HTTPTestClient(app.test, app: app.app)
        let token = try await client.token(app.ines)
        func bodies(a: String?, household: String?) async throws -> [String] {
            try await app.hub.database.pool.write { db in
                try db.execute(
                    sql: "DELETE FROM push_message; INSERT OR IGNORE INTO push_person VALUES ('b', ?)",
                    arguments: [app.mila.id])
                try db.execute(sql: "UPDATE push_subscription SET language = ? WHERE id = 'a'", arguments: [a])
                try db.execute(sql: "UPDATE household SET language = ?", arguments: [household])
            }
            let path = "/api/reminders/bells/morning/\(app.mila.id)/try"
            #expect(try await client.send(.post, path, token: token).status == 200)
            return try await waiting(app).sorted { $0.subscription < $1.subscription }.compactMap {
                (try JSONSerialization.jsonObject(with: $0.content) as? [String: Any])?["body"] as? String
            }
        }
        #expect(try await bodies(a: nil, household: nil) == ["It is time.", "It is time."])
        #expect(try await bodies(a: "de", household: nil) == ["Es ist Zeit.", "It is time."])
        #expect(try await bodies(a: "en", household: "de") == ["It is time.", "Es ist Zeit."])
        // One that the hub does not speak is answered in English.
        #expect(try await bodies(a: "fr", household: "de") == ["It is time.", "Es ist Zeit."])
        for (wanted, body) in [("de", "Es ist Zeit."), ("fr", "It is time.")] {
            let due = try await client.send(.get, "/api/reminders", token: token, headers: ["Accept-Language": wanted])
            #expect(due["due", "0", "body"] as? String == body)
        }
    }

    @Test("The list says when a reminder next says something, not when it will be silent because it is done")
    func nextSpoken() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T12:00:00Z")
        let client = try await HTTPTestClient(app.test, app: app.app)
        let token = try await client.token(app.ines)
        for person in [app.mila, app.theo] { try await app.set("evening", person) }
        func next(_ person: PersonRecord) async throws -> String? {
            let list = try await client.send(.get, "/api/reminders", token: token)["reminders"] as? [[String: Any]]
            let one = list?.first { $0["name"] as? String == "evening" && $0["person"] as? String == person.id }
            return (one?["next"] as? Int64).map(ReminderTestApp.text)
        }
        #expect(try await next(app.theo) == "2026-11-21T18:30:00Z")
        app.bells.done.withLock { $0 = ["evening Theo 2026-11-21"] }
        #expect(try await next(app.theo) == "2026-11-22T18:30:00Z")
        #expect(try await next(app.mila) == "2026-11-21T18:30:00Z")
        try await app.hub.database.pool.write { db in
            _ = try app.reminders.setDaily(
                companion: "bells", name: "evening", person: app.theo.id, minute: 19 * 60 + 30, silencedByDone: false,
                db)
        }
        #expect(try await next(app.theo) == "2026-11-21T18:30:00Z", "who wants to hear it all the same does")
    }

    @Test("What is said is in the queue for phones when it is stored, and nothing of another person's")
    func push() async throws {
        let app = try await appWithPhones()
        try await app.set("morning", app.mila)
        try await app.look(at: "2026-11-21T06:00:00Z")
        let messages = try await waiting(app)
        #expect(messages.map(\.subscription) == ["a"])
        let content = try #require(messages.first?.content)
        let object = try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
        let id = Reminders.id(companion: "bells", name: "morning", person: app.mila.id)
        #expect(object["type"] as? String == "reminder")
        #expect(object["id"] as? String == id)
        #expect(object["tag"] as? String == id)
        #expect(object["title"] as? String == "Mila: Morning")
        #expect(object["path"] as? String == "/bells?person=\(app.mila.id)")
        #expect(object["at"] as? Int64 == app.hub.clock.now())
        #expect((object["actions"] as? [[String: String]])?.map { $0["action"] } == ["start", "snooze"])
    }
}
