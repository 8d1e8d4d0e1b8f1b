import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Outbound
@testable import Push

/// A household with an adult, a child, a phone that has subscribed for both, and a push service of its own.
struct PushTestApp {
    let server: LocalPushService
    let test: TestHub
    let client: HTTPTestClient
    let adult: PersonRecord
    let child: PersonRecord
    let token: String
    let phone = TestPhone()

    init(answers: [LocalPushService.Answer] = [.status(201)], configure: (inout OutboundPolicy) -> Void = { _ in })
        async throws
    {
        server = try await LocalPushService(answers: answers)
        var policy = server.policy()
        configure(&policy)
        test = try TestHub(outbound: policy)
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
        child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
        token = try await client.token(adult)
    }

    var push: Push { test.services.push }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil) async throws
        -> HTTPTestClient.Answer
    {
        try await client.send(method, path, body, token: token ?? self.token)
    }

    /// Subscribes the phone, for everybody unless said otherwise, and returns the subscription's id.
    @discardableResult
    func subscribe(people: [String]? = nil, path: String = "/send/abc", token: String? = nil) async throws -> String {
        let answer = try await send(
            .post, "/api/push/subscriptions",
            phone.offer(server.url(path), people: people ?? [adult.id, child.id]), token: token)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer["id"] as? String)
    }

    func message(_ text: String = "Time to brush, Mila", ttlSeconds: Int = 3_600, topic: String? = nil) -> PushMessage {
        PushMessage(content: Array(text.utf8), ttlSeconds: ttlSeconds, topic: topic)
    }

    /// What the phone was sent, opened.
    func texts() throws -> [String] {
        try server.received.map { String(decoding: try phone.open($0.body), as: UTF8.self) }
    }

    /// How many rows a table has.
    func count(_ table: String) async throws -> Int {
        try await test.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    /// What the page shows of the last try.
    func lastError() async throws -> String? {
        try await send(.get, "/api/push")["subscription", "lastError"] as? String
    }
}
