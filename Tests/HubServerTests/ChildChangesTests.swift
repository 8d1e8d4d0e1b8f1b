import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("How much a child’s profile changes")
struct ChildChangesTests {
    private let test: TestHub
    private let client: HTTPTestClient
    private let adult, child: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub { $0.policyLimits.childChangesAnHour = 20 }
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
        child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: nil, face: nil)
        token = try await client.token(adult)
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "{}") async throws
        -> HTTPTestClient.Answer
    {
        try await client.send(method, path, body, token: token)
    }

    private func use(_ person: PersonRecord, password: String = "") async throws -> Int {
        try await send(
            .put, "/api/session/profile", "{\"personID\":\"\(person.id)\",\"password\":\"\(password)\"}"
        ).status
    }

    @Test("Beyond the limit of an hour it is told when it may go on, nothing is stored, and later it goes on")
    func limit() async throws {
        #expect(PolicyLimits().childChangesAnHour == 400)
        #expect(try await use(child) == 200)
        for _ in 0..<20 { #expect(try await send(.post, "/api/beats").status == 201) }
        test.advance(milliseconds: 600_000)
        let refused = try await send(.post, "/api/beats")
        #expect(refused.status == 429)
        #expect(refused.headers[.retryAfter] == "3000")
        #expect(refused.detail.hasPrefix("Mila’s profile has changed 20 things within an hour. Wait 50 minutes"))
        #expect(try await send(.get, "/api/people").status == 200, "reading is not counted")
        let stored = try await test.hub.database.pool.read { db in try Beats.count("beat", db) }
        #expect(stored == 20)
        test.advance(milliseconds: 3_000_000)
        #expect(try await send(.post, "/api/beats").status == 201)
    }

    @Test("An adult takes the device back at any time, and is not counted")
    func adults() async throws {
        #expect(try await use(child) == 200)
        for _ in 0..<25 { _ = try await send(.post, "/api/beats") }
        #expect(try await use(adult, password: "correct horse") == 200)
        for _ in 0..<25 { #expect(try await send(.post, "/api/beats").status == 201) }
    }
}
