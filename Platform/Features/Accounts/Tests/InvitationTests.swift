import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Invitations")
struct InvitationTests {
    private let test: TestHub
    private let client: HTTPTestClient
    private let adult: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
        token = try await client.token(adult)
    }

    private func invite() async throws -> String {
        try #require(try await client.send(.post, "/api/invitations", "{}", token: token)["code"] as? String)
    }

    private func list() async throws -> [[String: Any]] {
        let text = try await client.send(.get, "/api/invitations", token: token).text
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    private func join(_ code: String, email: String = "tom@example.org") async throws -> HTTPTestClient.Answer {
        try await client.send(
            .post, "/api/accounts",
            "{\"code\":\"\(code)\",\"name\":\"Tom\",\"email\":\"\(email)\",\"password\":\"long enough\"}")
    }

    @Test(
        "Open invitations are listed with who made them and when they end, without their codes, and used ones are not")
    func listed() async throws {
        #expect(try await list().isEmpty)
        let first = try await invite()
        test.advance(milliseconds: 1_000)
        _ = try await invite()
        let both = try await list()
        #expect(both.compactMap { $0["inviter"] as? String } == ["Ines", "Ines"])
        let now = test.hub.clock.now()
        #expect(both.first?["createdAt"] as? Int64 == now)
        #expect(both.first?["expiresAt"] as? Int64 == now + Accounts.invitationMilliseconds)
        #expect(!"\(both)".contains(first))
        #expect(try await join(first).status == 201)
        #expect(try await list().count == 1)
        test.advance(milliseconds: Accounts.invitationMilliseconds)
        #expect(try await list().isEmpty)
    }

    @Test("The code of an invitation is nowhere stored")
    func stored() async throws {
        let code = try await invite()
        let rows = try await test.hub.database.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM invitation").map { "\($0)" }
        }
        #expect(rows.count == 1)
        let bare = code.replacingOccurrences(of: "-", with: "")
        for row in rows { #expect(!row.contains(code) && !row.contains(bare)) }
    }

    @Test("An invitation that was withdrawn lets nobody in, and says so to whoever comes with it")
    func withdrawn() async throws {
        let code = try await invite()
        let other = try await invite()
        let id = try #require(try await test.services.accounts.invitations(household: adult.household).last?.id)
        let isFirst = try await test.hub.database.pool.read { db in
            try InvitationRecord.fetchOne(db, key: AccessCode(code)?.hash)?.id == id
        }
        let (mine, left) = isFirst ? (code, other) : (other, code)
        #expect(try await client.send(.delete, "/api/invitations/\(id)", token: token).status == 204)
        for answer in [
            try await join(mine), try await client.send(.post, "/api/invitations/check", "{\"code\":\"\(mine)\"}"),
        ] {
            #expect(answer.status == 422)
            #expect(answer["field"] as? String == "code")
            #expect(answer.detail.contains("withdrawn"))
        }
        #expect(try await list().count == 1)
        #expect(try await client.send(.delete, "/api/invitations/\(id)", token: token).status == 404)
        #expect(try await join(left).status == 201)
    }

    @Test("An invitation withdrawn while somebody joins with it lets nobody in")
    func withdrawnMeanwhile() async throws {
        let code = try await invite()
        let hash = try #require(AccessCode(code)?.hash)
        let id = try #require(try await test.services.accounts.invitations(household: adult.household).first?.id)
        try await test.services.accounts.withdraw(invitation: id, household: adult.household)
        await #expect(throws: Problem.self) {
            try await test.services.accounts.addAdult(
                name: "Tom", email: "tom@example.org", password: "long enough", invitation: hash)
        }
        #expect(try await test.services.accounts.people(household: adult.household).count == 1)
    }

    @Test("An invitation of another household is not there")
    func neighbour() async throws {
        _ = try await invite()
        let id = try #require(try await test.services.accounts.invitations(household: adult.household).first?.id)
        await #expect(throws: Problem.self) {
            try await test.services.accounts.withdraw(invitation: id, household: "next")
        }
        #expect(try await test.services.accounts.invitations(household: "next").isEmpty)
        #expect(try await list().count == 1)
    }

    @Test("A household has twenty open invitations at most; one that is withdrawn makes room")
    func bounded() async throws {
        for _ in 0..<20 { _ = try await invite() }
        let refused = try await client.send(.post, "/api/invitations", "{}", token: token)
        #expect(refused.status == 409)
        let id = try #require(try await test.services.accounts.invitations(household: adult.household).first?.id)
        try await test.services.accounts.withdraw(invitation: id, household: adult.household)
        _ = try await invite()
    }

    @Test("Whoever has a code is told who invites them and to where; nobody else is told the household’s name")
    func check() async throws {
        let code = try await invite()
        let told = try await client.send(
            .post, "/api/invitations/check", "{\"code\":\"\(code.lowercased())\"}")
        #expect(told["household"] as? String == "Linden")
        #expect(told["inviter"] as? String == "Ines")
        let refused = try await client.send(.post, "/api/invitations/check", "{\"code\":\"0000-0000-0000\"}")
        #expect(refused["field"] as? String == "code")
        #expect(!refused.text.contains("Linden"))
        #expect(try await join(code).status == 201, "looking uses nothing up")
    }

    @Test(
        "A code is taken with or without hyphens and spaces, in capitals or small letters",
        arguments: ["", "-", " "], [true, false])
    func lenient(between: String, isSmall: Bool) async throws {
        let code = try await invite().replacingOccurrences(of: "-", with: between)
        #expect(try await join(isSmall ? code.lowercased() : code).status == 201)
    }
}
