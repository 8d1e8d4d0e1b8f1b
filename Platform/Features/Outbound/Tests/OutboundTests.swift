import Admission
import HubInstruments
import NIOSSL
import Storage
import Synchronization
import TLS
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Outbound

@Suite("A call beyond the house")
struct OutboundTests {
    private func outbound(_ policy: OutboundPolicy) async throws -> (Outbound, TestHub, String) {
        let test = try TestHub(outbound: policy)
        let household = try await test.seed().household
        return (test.services.outbound, test, household)
    }

    private func call(_ household: String, _ url: String, body: [UInt8] = [1, 2, 3]) -> OutboundCall {
        OutboundCall(household: household, url: url, purpose: "push", headers: [("TTL", "60")], body: body)
    }

    @Test("It is a POST over TLS with its headers and bytes; the answer’s status and Retry-After come back")
    func post() async throws {
        let server = try await LocalPushService(answers: [.status(429, ["Retry-After": "120"])])
        let (outbound, _, household) = try await outbound(server.policy())
        let answer = try await outbound.send(call(household, server.url("/send/a:B-c_d=?y=%2b&z")))
        #expect(answer.status == 429)
        #expect(answer.retryAfter == "120")
        let received = try #require(server.received.first)
        #expect(received.head.method == .POST)
        #expect(received.head.uri == "/send/a:B-c_d=?y=%2b&z")
        #expect(received.header("host") == "push.test:\(server.port)")
        #expect(received.header("ttl") == "60")
        #expect(received.body == [1, 2, 3])
    }

    @Test("The name is looked up once, and the connection made to that address although the name leads elsewhere then")
    func rebinding() async throws {
        let server = try await LocalPushService()
        let lookUps = Mutex(0)
        var policy = server.policy(resolve: { _ in
            let number = lookUps.withLock {
                $0 += 1
                return $0
            }
            return [IPAddress(number == 1 ? "127.0.0.2" : "127.0.0.3")!]
        })
        // Stands for "public", which no address of a test's machine is.
        policy.isAllowed = { $0.description == "127.0.0.2" }
        let (outbound, _, household) = try await outbound(policy)
        _ = try await outbound.send(call(household, server.url()))
        #expect(lookUps.withLock { $0 } == 1)
        #expect(server.received.map(\.address) == ["127.0.0.2"])
        await #expect {
            try await outbound.send(call(household, server.url()))
        } throws: {
            if case .refused? = $0 as? OutboundError { true } else { false }
        }
        #expect(lookUps.withLock { $0 } == 2)
        #expect(server.connections == 1)
    }

    @Test("A name that is not found, and a call that is given up, are listed as calls without an answer")
    func failed() async throws {
        let server = try await LocalPushService(answers: [.silence])
        struct NotFound: Error {}
        let lookUps = Mutex(0)
        let policy = server.policy(resolve: { _ in
            let number = lookUps.withLock {
                $0 += 1
                return $0
            }
            guard number > 1 else { throw NotFound() }
            return [IPAddress("127.0.0.1")!]
        })
        let (outbound, _, household) = try await outbound(policy)
        await #expect(throws: OutboundError.unreachable("push.test was not found")) {
            try await outbound.send(call(household, server.url()))
        }
        var calls = try await outbound.calls(household: household)
        #expect(calls.map(\.calls) == [1] && calls.map(\.bytes) == [0] && calls.first?.lastStatus == nil)
        let given = Task { try await outbound.send(call(household, server.url())) }
        while server.received.isEmpty { await Task.yield() }
        given.cancel()
        await #expect(throws: CancellationError.self) { try await given.value }
        calls = try await outbound.calls(household: household)
        #expect(calls.map(\.calls) == [2] && calls.map(\.bytes) == [3] && calls.first?.lastStatus == nil)
    }

    @Test("A redirect is an answer like others, and leads nowhere", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let server = try await LocalPushService()
        server.answer(.status(status, ["Location": server.url("/elsewhere")]))
        let (outbound, _, household) = try await outbound(server.policy())
        #expect(try await outbound.send(call(household, server.url())).status == status)
        #expect(server.received.map(\.head.uri) == ["/send/abc"])
    }

    @Test("An answer without end is left unread after its beginning")
    func flood() async throws {
        let server = try await LocalPushService(answers: [.flood])
        let (outbound, _, household) = try await outbound(server.policy())
        #expect(try await outbound.send(call(household, server.url())).status == 201)
        await server.connectionClosed()
        // What the sockets of both sides hold, and no more.
        #expect(server.bytesWritten < 32 << 20)
    }

    @Test("A server that says nothing, or stops in the middle, is given up", arguments: [true, false])
    func slow(isSilent: Bool) async throws {
        let server = try await LocalPushService(answers: [isSilent ? .silence : .stall])
        let (outbound, _, household) = try await outbound(server.policy(patience: .milliseconds(300)))
        await #expect(throws: OutboundError.unreachable("push.test did not answer in time")) {
            try await outbound.send(call(household, server.url()))
        }
        await server.connectionClosed()
    }

    @Test("A server that hangs up is not reachable")
    func hangUp() async throws {
        let server = try await LocalPushService(answers: [.hangUp])
        let (outbound, _, household) = try await outbound(server.policy())
        await #expect(throws: OutboundError.unreachable("push.test broke the connection off")) {
            try await outbound.send(call(household, server.url()))
        }
    }

    @Test("Where nobody listens at the first family of addresses, the other is tried, from the same look-up")
    func families() async throws {
        let server = try await LocalPushService()
        let lookUps = Mutex(0)
        let (outbound, _, household) = try await outbound(
            server.policy(resolve: { _ in
                lookUps.withLock { $0 += 1 }
                return [IPAddress("::1")!, IPAddress("127.0.0.1")!]
            }))
        #expect(try await outbound.send(call(household, server.url())).status == 201)
        #expect(lookUps.withLock { $0 } == 1)
    }

    @Test("A certificate for another name, and one that nobody vouches for, end the call before a byte is said")
    func certificates() async throws {
        let other = try await LocalPushService(name: "other.test")
        var (outbound, _, household) = try await outbound(other.policy())
        let words = "push.test has no certificate that this machine trusts"
        await #expect(throws: OutboundError.unreachable(words)) {
            try await outbound.send(call(household, other.url()))
        }
        #expect(other.received.isEmpty)
        let stranger = try await LocalPushService()
        var policy = stranger.policy()
        policy.trust = .certificates([other.certificate])
        (outbound, _, household) = try await self.outbound(policy)
        await #expect(throws: OutboundError.unreachable(words)) {
            try await outbound.send(call(household, stranger.url()))
        }
        #expect(stranger.received.isEmpty)
    }

    @Test("Another port, plain HTTP and an unknown host are refused without a look-up")
    func refused() async throws {
        let server = try await LocalPushService()
        let lookUps = Mutex(0)
        let (outbound, _, household) = try await outbound(
            server.policy(resolve: { _ in
                lookUps.withLock { $0 += 1 }
                return []
            }))
        for url in [
            "https://push.test:\(server.port &+ 1)/x", "https://push.test/x", "http://push.test:\(server.port)/x",
            "https://other.test:\(server.port)/x", "https://127.0.0.1:\(server.port)/x",
        ] {
            await #expect {
                try await outbound.send(call(household, url))
            } throws: {
                if case .refused? = $0 as? OutboundError { true } else { false }
            }
        }
        #expect(lookUps.withLock { $0 } == 0)
        #expect(try await outbound.calls(household: household).isEmpty)
    }

    @Test("So many calls an hour and no more; then it says how long to wait")
    func limit() async throws {
        let server = try await LocalPushService()
        var policy = server.policy()
        policy.push.callsAnHour = 2
        let (outbound, test, household) = try await outbound(policy)
        _ = try await outbound.send(call(household, server.url()))
        test.advance(milliseconds: 600_000)
        _ = try await outbound.send(call(household, server.url()))
        await #expect(throws: OutboundError.tooMany(retryAfterSeconds: 3_001)) {
            try await outbound.send(call(household, server.url()))
        }
        #expect(server.received.count == 2)
        test.advance(milliseconds: 3_000_000)
        _ = try await outbound.send(call(household, server.url()))
        #expect(server.received.count == 3)
    }

    @Test("What was 400 days ago is in no list any more")
    func old() async throws {
        let server = try await LocalPushService()
        let (outbound, test, household) = try await outbound(server.policy())
        _ = try await outbound.send(call(household, server.url()))
        let day: Int64 = 86_400_000
        test.advance(milliseconds: 400 * day)
        _ = try await outbound.send(call(household, server.url()))
        #expect(try await outbound.calls(household: household).count == 2)
        test.advance(milliseconds: day)
        _ = try await outbound.send(call(household, server.url()))
        #expect(try await outbound.calls(household: household).count == 2)
    }

    @Test("Calls are counted by host and day of the household, with what left the house, and shown to adults alone")
    func counted() async throws {
        let server = try await LocalPushService(answers: [.status(201), .status(503), .hangUp])
        let test = try TestHub(outbound: server.policy())
        let client = try await HTTPTestClient(test)
        let adult = try await test.seed()
        let token = try await client.token(adult)
        try await test.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE household SET time_zone = 'America/Los_Angeles'")
        }
        #expect(try await client.send(.get, "/api/outbound", token: token)["calls", "0"] == nil)
        for body in [[UInt8](repeating: 0, count: 100), [1], [2]] {
            _ = try? await test.services.outbound.send(call(adult.household, server.url(), body: body))
        }
        let answer = try await client.send(.get, "/api/outbound", token: token)
        let line = try #require((answer["calls"] as? [[String: Any]])?.first)
        #expect(line["host"] as? String == "push.test")
        #expect(line["purpose"] as? String == "push")
        #expect(line["calls"] as? Int == 3)
        #expect(line["bytes"] as? Int == 102)
        #expect(line["lastStatus"] == nil)
        #expect(line["day"] as? String == "2026-11-20")
        #expect(try await client.send(.get, "/api/outbound").status == 401)
        let child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: nil, face: nil)
        _ = try await client.send(.put, "/api/session/profile", "{\"personID\":\"\(child.id)\"}", token: token)
        #expect(try await client.send(.get, "/api/outbound", token: token).status == 403)
    }
}
