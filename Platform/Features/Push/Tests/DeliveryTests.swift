import Foundation
import GRDB
import ServiceLifecycle
import Storage
import Synchronization
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Outbound
@testable import Push

@Suite("A message on its way")
struct DeliveryTests {
    @Test("It goes to every device that is told of the person, and to no other, encrypted for each")
    func everyDevice() async throws {
        let app = try await PushTestApp()
        try await app.subscribe()
        let other = try await app.client.token(app.adult)
        try await app.subscribe(people: [app.adult.id], path: "/send/other", token: other)
        await app.push.send(app.message("Mila"), to: app.child.id)
        #expect(try await app.push.deliverDue() == nil)
        #expect(try app.texts() == ["Mila"])
        await app.push.send(app.message("Ines"), to: app.adult.id)
        _ = try await app.push.deliverDue()
        #expect(try app.texts() == ["Mila", "Ines", "Ines"])
        #expect(try await app.count("push_message") == 0)
    }

    @Test("Its request is that of RFC 8030 and 8292, and nothing in it can be read")
    func request() async throws {
        let app = try await PushTestApp()
        try await app.subscribe()
        await app.push.send(app.message(topic: "reminder-x-of-Mila"), to: app.child.id)
        app.test.advance(milliseconds: 60_500)
        _ = try await app.push.deliverDue()
        let request = try #require(app.server.received.first)
        #expect(request.head.method == .POST)
        #expect(request.head.uri == "/send/abc")
        #expect(request.header("content-encoding") == "aes128gcm")
        #expect(request.header("content-type") == "application/octet-stream")
        #expect(request.header("content-length") == "2151")
        #expect(request.header("ttl") == "3539")
        #expect(request.header("urgency") == "high")
        #expect(request.header("topic")?.wholeMatch(of: /[\w-]{32}/) != nil)
        let claims = try VAPIDTests.claims(try #require(request.header("authorization")))
        #expect(claims["aud"] as? String == "https://push.test:\(app.server.port)")
        let all = "\(request.head)" + String(decoding: request.body, as: UTF8.self)
        for word in ["Mila", "brush", "Ines", "Linden", "ines@example.org", app.child.id] {
            #expect(!all.contains(word))
        }
    }

    @Test("It is done when the push service has taken it", arguments: [200, 201, 202, 204])
    func taken(status: Int) async throws {
        let app = try await PushTestApp(answers: [.status(status)])
        try await app.subscribe()
        await app.push.send(app.message(), to: app.child.id)
        #expect(try await app.push.deliverDue() == nil)
        #expect(try await app.lastError() == nil)
        _ = try await app.push.deliverDue()
        #expect(app.server.received.count == 1)
    }

    @Test(
        "RFC 8030, 7.3: a subscription that is over ends with all that waits, and the page is told",
        arguments: [404, 410])
    func gone(status: Int) async throws {
        let app = try await PushTestApp(answers: [.status(status)])
        let id = try await app.subscribe()
        let member = try #require(try await app.test.services.accounts.member(token: app.token))
        let (_, frames) = app.test.hub.live.listen(member, resume: nil, now: 0)
        for text in ["one", "two"] { await app.push.send(app.message(text), to: app.child.id) }
        #expect(try await app.push.deliverDue() == nil)
        #expect(try await app.count("push_subscription") == 0)
        #expect(try await app.count("push_message") == 0)
        app.test.hub.live.shutDown()
        var told: [String] = []
        for await frame in frames { if case .text(let text) = frame { told.append(text) } }
        #expect(told.contains { $0.contains("\"what\":\"push\"") && $0.contains(id) })
    }

    @Test("What may pass is tried again, later each time, and delivered once", arguments: [408, 429, 500, 502, 503])
    func later(status: Int) async throws {
        let app = try await PushTestApp(answers: [.status(status), .status(status), .status(201)])
        try await app.subscribe()
        await app.push.send(app.message(), to: app.child.id)
        let start = app.test.hub.clock.now()
        #expect(try await app.push.deliverDue() == start + 10_000)
        #expect(try await app.lastError()?.contains("push.test answered \(status)") == true)
        app.test.advance(milliseconds: 9_999)
        _ = try await app.push.deliverDue()
        #expect(app.server.received.count == 1)
        app.test.advance(milliseconds: 1)
        #expect(try await app.push.deliverDue() == start + 30_000)
        #expect(app.server.received.count == 2)
        app.test.advance(milliseconds: 20_000)
        #expect(try await app.push.deliverDue() == nil)
        #expect(app.server.received.count == 3)
        #expect(try await app.lastError() == nil)
    }

    @Test(
        "Retry-After is heeded, in seconds or as a date, but not beyond reason",
        arguments: [
            ("120", 120_000), ("Sat, 21 Nov 2026 00:23:20 GMT", 600_000), ("999999999999999999999", 21_600_000),
            ("soon", 10_000), ("0", 10_000), ("-5", 10_000), ("Sat, 21 Nov 2020 00:00:00 GMT", 10_000),
        ])
    func retryAfter(text: String, wait: Int64) async throws {
        let app = try await PushTestApp(answers: [.status(429, ["Retry-After": text]), .status(201)])
        try await app.subscribe()
        await app.push.send(app.message(ttlSeconds: 86_400), to: app.child.id)
        #expect(try await app.push.deliverDue() == app.test.hub.clock.now() + wait)
    }

    @Test("The waits grow to half an hour")
    func pauses() {
        #expect(
            (1...10).map { AttemptPause.milliseconds(afterAttempts: $0) / 1000 } == [
                10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800,
            ])
        #expect(AttemptPause.milliseconds(afterAttempts: 1_000_000) == 1_800_000)
    }

    @Test("What no try will mend is dropped, and the page says why", arguments: [400, 401, 403, 413, 301, 307])
    func refused(status: Int) async throws {
        let app = try await PushTestApp(answers: [.status(status, ["Location": "https://127.0.0.1/"])])
        try await app.subscribe()
        await app.push.send(app.message(), to: app.child.id)
        #expect(try await app.push.deliverDue() == nil)
        #expect(try await app.lastError()?.contains("\(status)") == true)
        #expect(app.server.received.count == 1)
        #expect(try await app.count("push_subscription") == 1)
    }

    @Test("Network trouble is tried again")
    func trouble() async throws {
        let app = try await PushTestApp(answers: [.hangUp, .status(201)])
        try await app.subscribe()
        await app.push.send(app.message(), to: app.child.id)
        #expect(try await app.push.deliverDue() == app.test.hub.clock.now() + 10_000)
        #expect(try await app.lastError() == "push.test broke the connection off.")
        app.test.advance(milliseconds: 10_000)
        #expect(try await app.push.deliverDue() == nil)
        #expect(try app.texts() == ["Time to brush, Mila", "Time to brush, Mila"])
    }

    @Test("A message that is too old is dropped, in the queue and between two tries")
    func tooOld() async throws {
        let app = try await PushTestApp(answers: [.status(503)])
        try await app.subscribe()
        await app.push.send(app.message(ttlSeconds: 15), to: app.child.id)
        _ = try await app.push.deliverDue()
        app.test.advance(milliseconds: 10_000)
        #expect(try await app.push.deliverDue() == nil)
        #expect(app.server.received.count == 2)
        #expect(try await app.lastError()?.contains("too old") == true)
        await app.push.send(app.message(ttlSeconds: 60), to: app.child.id)
        app.test.advance(milliseconds: 60_000)
        #expect(try await app.push.deliverDue() == nil)
        #expect(app.server.received.count == 2)
    }

    @Test("A later message of the same topic takes the place of one that waits; others stand beside it")
    func topics() async throws {
        let app = try await PushTestApp()
        try await app.subscribe()
        for (text, topic) in [("one", "a"), ("two", "b"), ("three", "a"), ("four", nil), ("five", nil)] {
            await app.push.send(app.message(text, topic: topic), to: app.child.id)
        }
        _ = try await app.push.deliverDue()
        #expect(try Set(app.texts()) == ["two", "three", "four", "five"])
    }

    @Test("Fifty wait for a device; beyond it the oldest go. What is too long is not stored")
    func most() async throws {
        let app = try await PushTestApp()
        try await app.subscribe()
        for number in 0..<55 { await app.push.send(app.message("\(number)"), to: app.child.id) }
        await app.push.send(app.message(String(repeating: "x", count: 2_049)), to: app.child.id)
        _ = try await app.push.deliverDue()
        #expect(try Set(app.texts()) == Set((5..<55).map(String.init)))
    }

    @Test("A clock that was set back does not keep a message for ever")
    func clock() async throws {
        let app = try await PushTestApp(answers: [.status(503), .status(201)])
        try await app.subscribe()
        await app.push.send(app.message(), to: app.child.id)
        _ = try await app.push.deliverDue()
        app.test.advance(milliseconds: -30 * 86_400_000)
        #expect(try await app.push.deliverDue() == nil)
        #expect(app.server.received.count == 2)
    }

    @Test("A name that leads into the house by the time of sending is not called")
    func rebound() async throws {
        let isHome = Mutex(false)
        let app = try await PushTestApp { policy in
            policy.isAllowed = { _ in !isHome.withLock { $0 } }
        }
        try await app.subscribe()
        isHome.withLock { $0 = true }
        await app.push.send(app.message(), to: app.child.id)
        #expect(try await app.push.deliverDue() == nil)
        #expect(app.server.connections == 0)
        #expect(try await app.lastError()?.contains("not on the internet") == true)
    }

    @Test("What was stored is sent by the next run of the hub")
    func restart() async throws {
        let app = try await PushTestApp()
        try await app.subscribe()
        await app.push.send(app.message(), to: app.child.id)
        let next = ServerContext(
            hub: HubContext(
                database: app.test.hub.database, settings: app.test.hub.settings, clock: app.test.hub.clock,
                log: app.test.hub.log), outbound: app.server.policy())
        _ = try await next.push.deliverDue()
        #expect(try app.texts() == ["Time to brush, Mila"])
    }

    @Test("The service sends at once, waits as long as it has to, tries again, and ends when it is told")
    func service() async throws {
        let app = try await PushTestApp(answers: [.status(503), .status(201)])
        let id = try await app.subscribe()
        let (waits, waiting) = AsyncStream.makeStream(of: Duration.self)
        let test = app.test
        let service = PushService(push: test.services.push) { duration in
            waiting.yield(duration)
            test.advance(milliseconds: Int64(duration / .milliseconds(1)))
        }
        let (delivered, delivering) = AsyncStream.makeStream(of: Void.self)
        let member = try #require(try await test.services.accounts.member(token: app.token))
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
        #expect(try await app.send(.post, "/api/push/subscriptions/\(id)/try", "{}").status == 204)
        for await _ in delivered {}
        await group.triggerGracefulShutdown()
        try await running
        listening.cancel()
        #expect(app.server.received.count == 2)
        #expect(try app.texts().allSatisfy { $0.contains("It will tell of Ines and Mila.") })
        waiting.finish()
        var slept: [Duration] = []
        for await wait in waits { slept.append(wait) }
        // A message that comes between the last look and the reckoning of the pause is due at once: no pause at all.
        #expect(slept.first { $0 > .zero } == .milliseconds(10_000))
    }
}
