import Foundation
import HubInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("What the hub tells whom it does not know")
struct StrangerTests {
    private func stranger() async throws -> HTTPTestClient {
        let test = try TestHub()
        _ = try await test.seed()
        return try await HTTPTestClient(test, app: HubApplication(services: test.services, companions: []))
    }

    @Test("No route for strangers names the household or anybody in it")
    func names() async throws {
        let client = try await stranger()
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(try await client.send(.get, "/openapi.json").text.utf8))
                as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        // Those that say so in what they are described by: no security at all.
        let open = paths.filter { ($0.value["get"]?["security"] as? [Any])?.isEmpty == true }.keys
        #expect(open.contains("/api/setup") && open.contains("/api/welcome"))
        for path in open.map({ $0.replacing("{token}", with: "none") }) {
            let text = try await client.send(.get, path).text
            for name in ["Linden", "Ines", "ines@example.org"] { #expect(!text.contains(name), "\(path)") }
        }
        #expect(try await client.send(.get, "/api/setup")["name"] as? String == "Tandem")
        #expect(try await client.send(.get, "/api/welcome")["name"] as? String == "Tandem")
    }

    @Test("Before a sign-in a body is small, whatever the route; after it, it may be large")
    func bodies() async throws {
        let client = try await stranger()
        func body(_ count: Int) -> String {
            "{\"email\": \"a@example.org\", \"password\": \"\(String(repeating: "x", count: count))\"}"
        }
        #expect(try await client.send(.post, "/api/session", body(100)).status == 401)
        let refused = try await client.send(.post, "/api/session", body(17_000))
        #expect(refused.status == 413)
        #expect(refused.detail.contains("16,384"))
        let person = try await client.test.services.accounts.person(
            email: "ines@example.org", password: "correct horse", address: "x")
        let token = try await client.token(person)
        #expect(try await client.send(.post, "/api/session", body(17_000), token: token).status != 413)
    }

    @Test("Where the bodies of others leave no room, a body is refused in words, and taken once there is room again")
    func memory() async throws {
        let test = try TestHub { $0.connectionLimits.bodyMemoryBytes = 100 }
        let client = try await HTTPTestClient(test, app: HubApplication(services: test.services, companions: []))
        let body = "{\"email\": \"a@example.org\", \"password\": \"\(String(repeating: "x", count: 40))\"}"
        #expect(test.hub.bodyMemory.take(60))
        let refused = try await client.send(.post, "/api/session", body)
        #expect(refused.status == 503)
        #expect(refused.headers[.retryAfter] == "5")
        #expect(test.hub.bodyMemory.heldBytes == 60)
        test.hub.bodyMemory.giveBack(60)
        #expect(try await client.send(.post, "/api/session", body).status == 401)
        #expect(test.hub.bodyMemory.heldBytes == 0, "it holds nothing once it is answered")
    }
}
