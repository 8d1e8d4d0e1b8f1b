import Foundation
import GRDB
import HubInstruments
import HubServer
import Localization
import NIOCore
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import Outbound
@testable import Push

/// A companion whose people splash and whose pond freezes.
private struct Pond: Companion {
    static let slug = "pond"
    static let title = "Pond"
    static let migrations: [Migration] = []
    let hub: HubContext

    init(hub: HubContext) async throws { self.hub = hub }

    func addRoutes(to routes: Routes) {}

    func entities(household: String) async throws -> [Entity] {
        let people = try await hub.people(household: household).map { person in
            Entity(
                of: .init(id: person.id, name: person.name, kind: "Person", person: person.id), "splashed",
                LocalizedText("Splashed"),
                .trigger(EntityTrigger(topic: "tandem/pond/\(person.id)/splashed", event: "splashed")))
        }
        let pond = Entity(
            of: .init(id: "deep", name: "Deep", kind: "Pond"), "frozen", LocalizedText("Frozen"),
            .trigger(EntityTrigger(topic: "tandem/pond/deep/frozen", event: "frozen")))
        return people + [pond]
    }
}

@Suite("Webhooks")
struct WebhookTests {
    private let server: LocalPushService
    private let test: TestHub
    private let app: HubApplication
    private let client: HTTPTestClient
    private let token: String
    private let adult, child: PersonRecord

    init() async throws {
        server = try await LocalPushService(answers: [.status(200)])
        test = try TestHub(outbound: server.policy())
        adult = try await test.seed()
        child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: nil, face: nil)
        app = try await HubApplication(services: test.services, companions: [Pond.self])
        client = try await HTTPTestClient(test, app: app)
        token = try await client.token(adult)
    }

    private func add(
        events: String = #"[{"companion":"pond","event":"splashed"},{"companion":"pond","event":"frozen"}]"#,
        people: [String] = [], address: String? = nil
    ) async throws -> HTTPTestClient.Answer {
        let list = people.map { "\"\($0)\"" }.joined(separator: ",")
        let body = """
            {"name":"Node-RED","address":"\(address ?? server.url("/hook?key=1"))","events":\(events),"people":[\(list)]}
            """
        return try await client.send(.post, "/api/webhooks", body, token: token)
    }

    private func say(_ topic: String, _ payload: String) async throws {
        try await app.webhooks.take(.init(topic: topic, payload: Array(payload.utf8)))
        _ = try await test.services.push.channels.deliverDue()
    }

    private func body(_ index: Int = 0) throws -> [String: Any] {
        let received = try #require(server.received.dropFirst(index).first)
        return try #require(try JSONSerialization.jsonObject(with: Data(received.body)) as? [String: Any])
    }

    @Test("RFC 4231, test case 2: the signature is HMAC-SHA256 in hexadecimal digits")
    func signature() {
        #expect(
            WebhookSignature.value(of: Array("what do ya want for nothing?".utf8), key: "Jefe")
                == "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("An event is a POST of JSON, with its id, and signed with the key that was shown once")
    func event() async throws {
        let added = try await add()
        try #require(added.status == 201, "\(added.text)")
        let key = try #require(added["key"] as? String)
        try await say("tandem/pond/deep/frozen", #"{"ice":3}"#)
        let received = try #require(server.received.first)
        #expect(received.head.method == .POST && received.head.uri == "/hook?key=1")
        #expect(received.header("content-type") == "application/json")
        #expect(received.header("x-hub-signature") == WebhookSignature.value(of: received.body, key: key))
        let body = try body()
        #expect(body["id"] as? String == received.header("idempotency-key"))
        #expect(body["event"] as? String == "frozen" && body["companion"] as? String == "pond")
        #expect(body["owner"] as? String == "deep" && (body["data"] as? [String: Int]) == ["ice": 3])
        #expect(body["at"] as? Int64 == test.hub.clock.now())
        let list = try await client.send(.get, "/api/webhooks", token: token)
        #expect(!list.text.contains(key))
    }

    @Test("People are told of where an adult has chosen them, and nothing is told beyond what the event has")
    func people() async throws {
        let id = try #require(try await add()["webhook", "id"] as? String)
        try await say("tandem/pond/\(child.id)/splashed", #"{"person":"x"}"#)
        #expect(server.received.isEmpty)
        let change = #"{"events":[{"companion":"pond","event":"splashed"}],"people":["\#(child.id)"]}"#
        #expect(try await client.send(.put, "/api/webhooks/\(id)", change, token: token).status == 200)
        try await say("tandem/pond/\(child.id)/splashed", #"{"person":"x"}"#)
        try await say("tandem/pond/\(adult.id)/splashed", #"{"person":"y"}"#)
        // Not chosen any more.
        try await say("tandem/pond/deep/frozen", "{}")
        #expect(server.received.count == 1)
        #expect(Set(try body().keys) == ["id", "event", "companion", "owner", "at", "data"])
        #expect(!String(decoding: server.received[0].body, as: UTF8.self).contains("Mila"))
    }

    @Test("Other messages of the hub are no events")
    func others() async throws {
        _ = try await add()
        for topic in ["tandem/pond/deep/state", "homeassistant/x", "tandem/pond/deep/frozen/more"] {
            try await say(topic, "{}")
        }
        #expect(try await client.send(.get, "/api/webhooks", token: token)["webhooks", "0", "lastAt"] == nil)
        #expect(server.received.isEmpty)
    }

    @Test("What is no JSON is told as text")
    func text() async throws {
        _ = try await add()
        try await say("tandem/pond/deep/frozen", "told")
        #expect(try body()["data"] as? String == "told")
    }

    @Test("It is told again until it is taken, with the same id and bytes", arguments: [400, 401, 404, 429, 500, 503])
    func again(status: Int) async throws {
        _ = try await add()
        server.answer(.status(status), .status(204))
        try await say("tandem/pond/deep/frozen", "{}")
        test.advance(milliseconds: 10_000)
        _ = try await test.services.push.channels.deliverDue()
        #expect(server.received.count == 2)
        #expect(server.received[0].body == server.received[1].body)
        #expect(server.received[0].header("idempotency-key") == server.received[1].header("idempotency-key"))
        #expect(try await client.send(.get, "/api/webhooks", token: token)["webhooks", "0", "lastError"] == nil)
    }

    @Test("A receiver that has gone for good is told nothing again, and after three days nobody is")
    func gone() async throws {
        _ = try await add()
        server.answer(.status(410))
        try await say("tandem/pond/deep/frozen", "{}")
        #expect(try await test.services.push.channels.deliverDue() == nil)
        let words = try await client.send(.get, "/api/webhooks", token: token)["webhooks", "0", "lastError"] as? String
        #expect(words?.contains("410") == true)
        server.answer(.status(503))
        try await say("tandem/pond/deep/frozen", "{}")
        test.advance(milliseconds: Int64(Webhooks.ttlSeconds) * 1_000)
        #expect(try await test.services.push.channels.deliverDue() == nil)
    }

    @Test("Unknown events, nobody’s people, no event at all and an http address elsewhere are refused at their fields")
    func refused() async throws {
        for (answer, field) in [
            (try await add(events: #"[{"companion":"pond","event":"dried"}]"#), "events"),
            (try await add(events: "[]"), "events"), (try await add(people: ["nobody"]), "people"),
            (try await add(address: "http://push.test/x"), "address"), (try await add(address: ""), "address"),
        ] { #expect(answer.status == 422 && answer["field"] as? String == field, "\(answer.text)") }
        for _ in 0..<Webhooks.most { #expect(try await add().status == 201) }
        #expect(try await add().status == 422)
    }

    @Test("With the webhook goes what waits for it; the button sends an event that says nothing")
    func removed() async throws {
        let id = try #require(try await add()["webhook", "id"] as? String)
        #expect(try await client.send(.post, "/api/webhooks/\(id)/try", token: token).status == 204)
        _ = try await test.services.push.channels.deliverDue()
        #expect(try body()["event"] as? String == "try")
        server.answer(.status(503))
        try await say("tandem/pond/deep/frozen", "{}")
        #expect(try await client.send(.delete, "/api/webhooks/\(id)", token: token).status == 204)
        #expect(try await test.services.push.channels.deliverDue() == nil)
        #expect(try await client.send(.delete, "/api/webhooks/\(id)", token: token).status == 404)
    }
}
