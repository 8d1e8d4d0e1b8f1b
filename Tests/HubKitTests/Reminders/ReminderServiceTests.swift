import Foundation
import GRDB
import HubInstruments
import Storage
import Synchronization
import Testing

@testable import HubKit

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
        let house = try await ReminderHouse(at: "2026-11-21T05:59:00Z")
        let pauses = Pauses()
        let service = ReminderService(house: house.house) { try await pauses.pause($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var asked = pauses.asked.stream.makeAsyncIterator()
            #expect(await asked.next() == .seconds(30))
            house.test.advance(milliseconds: 50_000)
            try await house.set("morning", house.mila)
            // Woken while it slept: ten seconds are left.
            #expect(await asked.next() == .seconds(10))
            house.test.advance(milliseconds: 10_000)
            pauses.end()
            // It woke, reminded, and heard of that itself.
            #expect(await asked.next() == .seconds(30))
            #expect(try await house.visible() == ["Mila: Morning"])
            group.cancelAll()
        }
    }

    @Test("A clock that is put forward is noticed at the next look, and one put back reminds of nothing again")
    func clock() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T03:00:00Z")
        let pauses = Pauses()
        let service = ReminderService(house: house.house) { try await pauses.pause($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var asked = pauses.asked.stream.makeAsyncIterator()
            _ = await asked.next()
            try await house.set("morning", house.mila)
            _ = await asked.next()
            house.test.advance(milliseconds: 4 * 3_600_000)
            pauses.end()
            // It reminds, and looks again because it has.
            for _ in 0..<2 { _ = await asked.next() }
            let fired = try await house.record("morning", house.mila)?.firedAt
            #expect(fired == (try ReminderHouse.time("2026-11-21T07:00:00Z")))
            for step: Int64 in [-2 * 3_600_000, 3_600_000, 1_800_000] {
                house.test.advance(milliseconds: step)
                pauses.end()
                _ = await asked.next()
            }
            #expect(try await house.record("morning", house.mila)?.firedAt == fired)
            group.cancelAll()
        }
    }

    @Test("Where a companion cannot say what was put off, it sleeps half a minute and does not hurry")
    func muddledSnooze() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        try await house.look(at: "2026-11-21T06:00:00Z")
        let until = house.hub.clock.now() + 300_000
        try await house.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE reminder SET is_visible = 0, snoozed_until = ?", arguments: [until])
        }
        house.bells.isMuddled.withLock { $0 = true }
        house.test.advance(milliseconds: 300_000)
        let pauses = Pauses()
        let service = ReminderService(house: house.house) { try await pauses.pause($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var asked = pauses.asked.stream.makeAsyncIterator()
            #expect(await asked.next() == .seconds(30))
            house.bells.isMuddled.withLock { $0 = false }
            house.test.advance(milliseconds: 30_000)
            pauses.end()
            _ = await asked.next()
            let visible = try await house.visible()
            #expect(visible == ["Mila: Morning"])
            group.cancelAll()
        }
    }

    private func waiting(_ house: ReminderHouse) async throws -> [PushMessageRecord] {
        try await house.hub.database.pool.read { db in try PushMessageRecord.fetchAll(db) }
    }

    /// A household with a phone for Mila and one for Theo.
    private func houseWithPhones() async throws -> ReminderHouse {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        for (id, person) in [("a", house.mila), ("b", house.theo)] {
            let (_, member) = try await house.hub.accounts.signIn(house.ines, agent: id)
            try await house.hub.database.pool.write { db in
                try PushSubscriptionRecord(
                    id: id, household: house.ines.household, signIn: member.signIn,
                    endpoint: "https://push.example/\(id)", p256dh: Data(), auth: Data(), createdAt: 0
                ).insert(db)
                try db.execute(sql: "INSERT INTO push_person VALUES (?, ?)", arguments: [id, person.id])
            }
        }
        return house
    }

    @Test(
        "What is done, dismissed, put off, switched off or set to another time does not wait for phones any longer",
        arguments: ["done", "dismiss", "snooze", "off", "elsewhen"])
    func withdrawn(how: String) async throws {
        let house = try await houseWithPhones()
        let visitor = try await Visitor(house.test, house: house.house)
        let token = try await visitor.token(house.ines)
        for person in [house.mila, house.theo] { try await house.set("morning", person) }
        try await house.look(at: "2026-11-21T06:00:00Z")
        #expect(Set(try await waiting(house).map(\.subscription)) == ["a", "b"])
        switch how {
        case "done": await house.reminders.settled(companion: "bells", person: house.mila.id)
        case "off": try await house.set("morning", house.mila, isOn: false)
        case "elsewhen": try await house.set("morning", house.mila, at: 9 * 60)
        default:
            let id = Reminders.id(companion: "bells", name: "morning", person: house.mila.id)
            #expect(try await visitor.send(.post, "/api/reminders/\(id)/\(how)", token: token).status < 300)
        }
        #expect(try await waiting(house).map(\.subscription) == ["b"])
    }

    @Test("What is said is in the queue for phones when it is stored, and nothing of another person's")
    func push() async throws {
        let house = try await houseWithPhones()
        try await house.set("morning", house.mila)
        try await house.look(at: "2026-11-21T06:00:00Z")
        let messages = try await waiting(house)
        #expect(messages.map(\.subscription) == ["a"])
        let content = try #require(messages.first?.content)
        let object = try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
        let id = Reminders.id(companion: "bells", name: "morning", person: house.mila.id)
        #expect(object["type"] as? String == "reminder")
        #expect(object["id"] as? String == id)
        #expect(object["tag"] as? String == id)
        #expect(object["title"] as? String == "Mila: Morning")
        #expect(object["path"] as? String == "/bells?person=\(house.mila.id)")
        #expect(object["at"] as? Int64 == house.hub.clock.now())
        #expect((object["actions"] as? [[String: String]])?.map { $0["action"] } == ["start", "snooze"])
    }
}
