import Foundation
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("The family’s own device, and where the household is signed in")
struct SharedDeviceTests {
    private let test: TestHub
    private let client: HTTPTestClient
    private let adult: PersonRecord
    private let child: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
        child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
        token = try await client.token(adult)
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil)
        async throws -> HTTPTestClient.Answer
    {
        try await client.send(method, path, body, token: token ?? self.token)
    }

    private func profile(_ id: String, password: String? = nil) async throws -> HTTPTestClient.Answer {
        let word = password.map { ",\"password\":\"\($0)\"" } ?? ""
        return try await send(.put, "/api/session/profile", "{\"personID\":\"\(id)\"\(word)}")
    }

    @Test("A device is shared when an adult says so, and stays it; another of the same adult’s is not")
    func shared() async throws {
        let other = try await client.token(adult)
        #expect(try await send(.get, "/api/session")["signIn", "isShared"] as? Bool == false)
        let answer = try await send(.put, "/api/session/shared", "{\"isShared\":true}")
        #expect(answer["signIn", "isShared"] as? Bool == true)
        #expect(try await send(.get, "/api/session")["signIn", "isShared"] as? Bool == true)
        #expect(try await profile(child.id)["signIn", "isShared"] as? Bool == true)
        #expect(try await send(.get, "/api/session", token: other)["signIn", "isShared"] as? Bool == false)
    }

    @Test("On a shared device a child leaves its profile for an adult’s only with the password")
    func password() async throws {
        _ = try await send(.put, "/api/session/shared", "{\"isShared\":true}")
        #expect(try await profile(child.id).status == 200)
        #expect(try await profile(adult.id)["field"] as? String == "password")
        #expect(try await profile(adult.id, password: "guess").status == 401)
        #expect(try await profile(adult.id, password: "correct horse").status == 200)
    }

    @Test("On a shared device an adult’s tile wants the password, also that of who was here last")
    func adultOnSharedDevice() async throws {
        #expect(try await profile(adult.id).status == 200)
        _ = try await send(.put, "/api/session/shared", "{\"isShared\":true}")
        #expect(try await profile(adult.id)["field"] as? String == "password")
        #expect(try await profile(adult.id, password: "correct horse").status == 200)
    }

    /// Everything that an adult decides, as a child at an adult's phone would try it.
    private static let forAdults: [(HTTPRequest.Method, String, String?)] = [
        (.patch, "/api/household", "{\"name\":\"Mine\"}"),
        (.put, "/api/household/setup-step", "{\"step\":\"done\"}"),
        (.put, "/api/household/companions", "{\"slugs\":[\"beats\"]}"),
        (.patch, "/api/people/ID", "{\"name\":\"Nobody\"}"),
        (.post, "/api/people", "{\"name\":\"Another\"}"),
        (.delete, "/api/people/ID", nil),
        (.put, "/api/session/shared", "{\"isShared\":false}"),
        (.post, "/api/invitations", "{}"),
        (.get, "/api/invitations", nil),
        (.delete, "/api/invitations/ID", nil),
        (.get, "/api/failed-sign-ins", nil),
        (.get, "/api/sign-ins", nil),
        (.delete, "/api/sign-ins/ID", nil),
    ]

    @Test(
        "A child’s profile changes nothing of the household; nobody does who is not signed in",
        arguments: forAdults.indices)
    func policies(index: Int) async throws {
        let (method, path, body) = Self.forAdults[index]
        let place = path.replacingOccurrences(of: "ID", with: adult.id)
        #expect(try await client.send(method, place, body).status == 401)
        #expect(try await client.send(method, place, body, token: "x").status == 401)
        _ = try await send(.put, "/api/session/shared", "{\"isShared\":true}")
        _ = try await profile(child.id)
        let refused = try await send(method, place, body)
        #expect(refused.status == 403)
        #expect((refused["detail"] as? String)?.isEmpty == false)
        #expect(try await test.hub.household()?.name == "Linden")
        #expect(try await test.services.accounts.people(household: adult.household).map(\.name) == ["Ines", "Mila"])
        #expect(try await send(.get, "/api/session")["signIn", "isShared"] as? Bool == true)
    }

    @Test("A child may still say who it is, see who lives here, and do what is for everybody")
    func forMembers() async throws {
        _ = try await profile(child.id)
        #expect(try await send(.get, "/api/people").status == 200)
        #expect(try await send(.post, "/api/beats", "{}").status == 201)
        #expect(try await profile(child.id).status == 200)
    }

    @Test("A child’s profile does not sign the family’s device out; an adult’s does, and a child a phone of its own")
    func signingOut() async throws {
        let phone = try await client.token(adult)
        _ = try await send(.put, "/api/session/shared", "{\"isShared\":true}")
        _ = try await profile(child.id)
        let refused = try await send(.delete, "/api/session")
        #expect(refused.status == 403)
        #expect(refused["detail"] as? String == "An adult of the household can do this.")
        #expect(try await send(.get, "/api/session")["profile", "name"] as? String == "Mila")
        _ = try await profile(adult.id, password: "correct horse")
        #expect(try await send(.delete, "/api/session").status == 204)
        #expect(try await send(.get, "/api/session").status == 401)
        _ = try await send(.put, "/api/session/profile", "{\"personID\":\"\(child.id)\"}", token: phone)
        #expect(try await send(.delete, "/api/session", token: phone).status == 204)
    }

    @Test("Sign-ins are listed with the one in use marked, and shared ones told")
    func list() async throws {
        _ = try await client.token(adult)
        _ = try await send(.put, "/api/session/shared", "{\"isShared\":true}")
        #expect(try await profile(adult.id, password: "correct horse").status == 200)
        let text = try await send(.get, "/api/sign-ins").text
        let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(list.count == 2)
        #expect(list.compactMap { $0["current"] as? Bool }.filter { $0 }.count == 1)
        for entry in list { #expect(entry["current"] as? Bool == (entry["isShared"] as? Bool)) }
    }

    @Test("Ending a sign-in ends its token and its open page, and no other")
    func end() async throws {
        let (other, member) = try await test.services.accounts.signIn(adult, agent: "tablet")
        let mine = try #require(try await test.services.accounts.member(token: token))
        let (_, ended) = test.hub.live.listen(member, resume: nil, now: 0)
        let (_, staying) = test.hub.live.listen(mine, resume: nil, now: 0)
        let answer = try await send(.delete, "/api/sign-ins/\(member.signIn)")
        #expect(answer.status == 204)
        #expect(answer.headers[.setCookie] == nil)
        #expect(try await send(.get, "/api/session", token: other).status == 401)
        #expect(try await send(.get, "/api/session").status == 200)
        // Finishes what is still open, so that both can be read to their end.
        test.hub.live.shutDown()
        #expect(await isPutOut(ended))
        #expect(await !isPutOut(staying))
        #expect(try await send(.delete, "/api/sign-ins/\(member.signIn)").status == 404)
    }

    @Test("Ending one’s own sign-in forgets the cookie, too")
    func endOwn() async throws {
        let mine = try #require(try await test.services.accounts.member(token: token))
        let answer = try await send(.delete, "/api/sign-ins/\(mine.signIn)")
        #expect(answer.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(try await send(.get, "/api/session").status == 401)
    }

    @Test("A sign-in of another household is not there, and its page stays open")
    func neighbour() async throws {
        let neighbour = PersonRecord(id: "neighbour", household: "next", name: "Jo", role: .adult, createdAt: 0)
        try await test.hub.database.pool.write { db in
            try HouseholdRecord(id: "next", name: "Next door", timeZone: "UTC", createdAt: 0).insert(db)
            try neighbour.insert(db)
        }
        let (other, member) = try await test.services.accounts.signIn(neighbour, agent: "phone")
        let (_, frames) = test.hub.live.listen(member, resume: nil, now: 0)
        #expect(try await send(.delete, "/api/sign-ins/\(member.signIn)").status == 404)
        #expect(try await test.services.accounts.member(token: other) != nil)
        test.hub.live.shutDown()
        #expect(await !isPutOut(frames))
    }

    private func isPutOut(_ frames: AsyncStream<LiveEvents.Frame>) async -> Bool {
        for await frame in frames { if case .ended = frame { return true } }
        return false
    }
}
