import Foundation
import GRDB
import ServiceLifecycle
import Storage
import Synchronization
import Testing

@testable import HubKit

@Suite("A message on its way")
struct DeliveryTests {
    @Test("It goes to every device that is told of the person, and to no other, encrypted for each")
    func everyDevice() async throws {
        let house = try await PushHouse()
        try await house.subscribe()
        let other = try await house.visitor.token(house.adult)
        try await house.subscribe(people: [house.adult.id], path: "/send/other", token: other)
        await house.push.send(house.message("Mila"), to: house.child.id)
        #expect(try await house.push.deliverDue() == nil)
        #expect(try house.texts() == ["Mila"])
        await house.push.send(house.message("Ines"), to: house.adult.id)
        _ = try await house.push.deliverDue()
        #expect(try house.texts() == ["Mila", "Ines", "Ines"])
        #expect(try await house.count("push_message") == 0)
    }

    @Test("Its request is that of RFC 8030 and 8292, and nothing in it can be read")
    func request() async throws {
        let house = try await PushHouse()
        try await house.subscribe()
        await house.push.send(house.message(topic: "reminder-x-of-Mila"), to: house.child.id)
        house.test.advance(milliseconds: 60_500)
        _ = try await house.push.deliverDue()
        let request = try #require(house.server.received.first)
        #expect(request.head.method == .POST)
        #expect(request.head.uri == "/send/abc")
        #expect(request.header("content-encoding") == "aes128gcm")
        #expect(request.header("content-type") == "application/octet-stream")
        #expect(request.header("content-length") == "2151")
        #expect(request.header("ttl") == "3539")
        #expect(request.header("urgency") == "high")
        #expect(request.header("topic")?.wholeMatch(of: /[\w-]{32}/) != nil)
        let claims = try VAPIDTests.claims(try #require(request.header("authorization")))
        #expect(claims["aud"] as? String == "https://push.test:\(house.server.port)")
        let all = "\(request.head)" + String(decoding: request.body, as: UTF8.self)
        for word in ["Mila", "brush", "Ines", "Linden", "ines@example.org", house.child.id] {
            #expect(!all.contains(word))
        }
    }

    @Test("It is done when the push service has taken it", arguments: [200, 201, 202, 204])
    func taken(status: Int) async throws {
        let house = try await PushHouse(answers: [.status(status)])
        try await house.subscribe()
        await house.push.send(house.message(), to: house.child.id)
        #expect(try await house.push.deliverDue() == nil)
        #expect(try await house.lastError() == nil)
        _ = try await house.push.deliverDue()
        #expect(house.server.received.count == 1)
    }

    @Test(
        "RFC 8030, 7.3: a subscription that is over ends with all that waits, and the page is told",
        arguments: [404, 410])
    func gone(status: Int) async throws {
        let house = try await PushHouse(answers: [.status(status)])
        let id = try await house.subscribe()
        let member = try #require(try await house.test.hub.accounts.member(token: house.token))
        let (_, frames) = house.test.hub.live.listen(member, resume: nil, now: 0)
        for text in ["one", "two"] { await house.push.send(house.message(text), to: house.child.id) }
        #expect(try await house.push.deliverDue() == nil)
        #expect(try await house.count("push_subscription") == 0)
        #expect(try await house.count("push_message") == 0)
        house.test.hub.live.shutDown()
        var told: [String] = []
        for await frame in frames { if case .text(let text) = frame { told.append(text) } }
        #expect(told.contains { $0.contains("\"what\":\"push\"") && $0.contains(id) })
    }

    @Test("What may pass is tried again, later each time, and delivered once", arguments: [408, 429, 500, 502, 503])
    func later(status: Int) async throws {
        let house = try await PushHouse(answers: [.status(status), .status(status), .status(201)])
        try await house.subscribe()
        await house.push.send(house.message(), to: house.child.id)
        let start = house.test.hub.clock.now()
        #expect(try await house.push.deliverDue() == start + 10_000)
        #expect(try await house.lastError()?.contains("push.test answered \(status)") == true)
        house.test.advance(milliseconds: 9_999)
        _ = try await house.push.deliverDue()
        #expect(house.server.received.count == 1)
        house.test.advance(milliseconds: 1)
        #expect(try await house.push.deliverDue() == start + 30_000)
        #expect(house.server.received.count == 2)
        house.test.advance(milliseconds: 20_000)
        #expect(try await house.push.deliverDue() == nil)
        #expect(house.server.received.count == 3)
        #expect(try await house.lastError() == nil)
    }

    @Test(
        "Retry-After is heeded, in seconds or as a date, but not beyond reason",
        arguments: [
            ("120", 120_000), ("Sat, 21 Nov 2026 00:23:20 GMT", 600_000), ("999999999999999999999", 21_600_000),
            ("soon", 10_000), ("0", 10_000), ("-5", 10_000), ("Sat, 21 Nov 2020 00:00:00 GMT", 10_000),
        ])
    func retryAfter(text: String, wait: Int64) async throws {
        let house = try await PushHouse(answers: [.status(429, ["Retry-After": text]), .status(201)])
        try await house.subscribe()
        await house.push.send(house.message(ttlSeconds: 86_400), to: house.child.id)
        #expect(try await house.push.deliverDue() == house.test.hub.clock.now() + wait)
    }

    @Test("The waits grow to half an hour")
    func pauses() {
        #expect(
            (1...10).map { Push.pause(attempts: $0) / 1000 } == [10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800])
        #expect(Push.pause(attempts: 1_000_000) == 1_800_000)
    }

    @Test("What no try will mend is dropped, and the page says why", arguments: [400, 401, 403, 413, 301, 307])
    func refused(status: Int) async throws {
        let house = try await PushHouse(answers: [.status(status, ["Location": "https://127.0.0.1/"])])
        try await house.subscribe()
        await house.push.send(house.message(), to: house.child.id)
        #expect(try await house.push.deliverDue() == nil)
        #expect(try await house.lastError()?.contains("\(status)") == true)
        #expect(house.server.received.count == 1)
        #expect(try await house.count("push_subscription") == 1)
    }

    @Test("Network trouble is tried again")
    func trouble() async throws {
        let house = try await PushHouse(answers: [.hangUp, .status(201)])
        try await house.subscribe()
        await house.push.send(house.message(), to: house.child.id)
        #expect(try await house.push.deliverDue() == house.test.hub.clock.now() + 10_000)
        #expect(try await house.lastError() == "push.test broke the connection off.")
        house.test.advance(milliseconds: 10_000)
        #expect(try await house.push.deliverDue() == nil)
        #expect(try house.texts() == ["Time to brush, Mila", "Time to brush, Mila"])
    }

    @Test("A message that is too old is dropped, in the queue and between two tries")
    func tooOld() async throws {
        let house = try await PushHouse(answers: [.status(503)])
        try await house.subscribe()
        await house.push.send(house.message(ttlSeconds: 15), to: house.child.id)
        _ = try await house.push.deliverDue()
        house.test.advance(milliseconds: 10_000)
        #expect(try await house.push.deliverDue() == nil)
        #expect(house.server.received.count == 2)
        #expect(try await house.lastError()?.contains("too old") == true)
        await house.push.send(house.message(ttlSeconds: 60), to: house.child.id)
        house.test.advance(milliseconds: 60_000)
        #expect(try await house.push.deliverDue() == nil)
        #expect(house.server.received.count == 2)
    }

    @Test("A later message of the same topic takes the place of one that waits; others stand beside it")
    func topics() async throws {
        let house = try await PushHouse()
        try await house.subscribe()
        for (text, topic) in [("one", "a"), ("two", "b"), ("three", "a"), ("four", nil), ("five", nil)] {
            await house.push.send(house.message(text, topic: topic), to: house.child.id)
        }
        _ = try await house.push.deliverDue()
        #expect(try Set(house.texts()) == ["two", "three", "four", "five"])
    }

    @Test("Fifty wait for a device; beyond it the oldest go. What is too long is not kept")
    func most() async throws {
        let house = try await PushHouse()
        try await house.subscribe()
        for number in 0..<55 { await house.push.send(house.message("\(number)"), to: house.child.id) }
        await house.push.send(house.message(String(repeating: "x", count: 2_049)), to: house.child.id)
        _ = try await house.push.deliverDue()
        #expect(try Set(house.texts()) == Set((5..<55).map(String.init)))
    }

    @Test("A clock that was set back does not keep a message for ever")
    func clock() async throws {
        let house = try await PushHouse(answers: [.status(503), .status(201)])
        try await house.subscribe()
        await house.push.send(house.message(), to: house.child.id)
        _ = try await house.push.deliverDue()
        house.test.advance(milliseconds: -30 * 86_400_000)
        #expect(try await house.push.deliverDue() == nil)
        #expect(house.server.received.count == 2)
    }

    @Test("A name that leads into the house by the time of sending is not called")
    func rebound() async throws {
        let isHome = Mutex(false)
        let house = try await PushHouse { policy in
            policy.isAllowed = { _ in !isHome.withLock { $0 } }
        }
        try await house.subscribe()
        isHome.withLock { $0 = true }
        await house.push.send(house.message(), to: house.child.id)
        #expect(try await house.push.deliverDue() == nil)
        #expect(house.server.connections == 0)
        #expect(try await house.lastError()?.contains("not on the internet") == true)
    }

    @Test("What was stored is sent by the next run of the hub")
    func restart() async throws {
        let house = try await PushHouse()
        try await house.subscribe()
        await house.push.send(house.message(), to: house.child.id)
        let next = Hub(
            database: house.test.hub.database, settings: house.test.hub.settings, clock: house.test.hub.clock,
            log: house.test.hub.log, outbound: house.server.policy())
        _ = try await next.push.deliverDue()
        #expect(try house.texts() == ["Time to brush, Mila"])
    }

    @Test("The service sends at once, waits as long as it has to, tries again, and ends when it is told")
    func service() async throws {
        let house = try await PushHouse(answers: [.status(503), .status(201)])
        let id = try await house.subscribe()
        let (waits, waiting) = AsyncStream.makeStream(of: Duration.self)
        let test = house.test
        let service = PushService(hub: test.hub) { duration in
            waiting.yield(duration)
            test.advance(milliseconds: Int64(duration / .milliseconds(1)))
        }
        let (delivered, delivering) = AsyncStream.makeStream(of: Void.self)
        let member = try #require(try await test.hub.accounts.member(token: house.token))
        let (_, frames) = test.hub.live.listen(member, resume: nil, now: 0)
        let listening = Task {
            var news = 0
            for await frame in frames {
                guard case .text(let text) = frame, text.contains("\"what\":\"push\"") else { continue }
                news += 1
                // The trouble, and its end.
                if news == 2 { delivering.finish() }
            }
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: service)], logger: test.hub.log))
        async let running: Void = group.run()
        #expect(try await house.send(.post, "/api/push/subscriptions/\(id)/try", "{}").status == 204)
        for await _ in delivered {}
        await group.triggerGracefulShutdown()
        try await running
        listening.cancel()
        #expect(house.server.received.count == 2)
        #expect(try house.texts().allSatisfy { $0.contains("It will tell of Ines and Mila.") })
        waiting.finish()
        var slept: [Duration] = []
        for await wait in waits { slept.append(wait) }
        // A message that comes between the last look and the reckoning of the pause is due at once: no pause at all.
        #expect(slept.first { $0 > .zero } == .milliseconds(10_000))
    }
}
