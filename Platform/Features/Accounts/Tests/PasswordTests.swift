import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Passwords: changed, forgotten, chosen anew")
struct PasswordTests {
    private static let old = "correct horse"
    private static let new = "battery staple"

    private let test: TestHub
    private let client: HTTPTestClient
    private let ines: PersonRecord
    private let tom: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        ines = try await test.seed()
        tom = try await test.services.accounts.addAdult(name: "Tom", email: "tom@example.org", password: Self.old)
        token = try await client.token(ines)
    }

    private func signIn(_ email: String, _ password: String) async throws -> Int {
        try await client.send(
            .post, "/api/session", "{\"email\":\"\(email)\",\"password\":\"\(password)\",\"bearer\":true}"
        ).status
    }

    private func change(_ password: String, to new: String) async throws -> HTTPTestClient.Answer {
        try await client.send(
            .put, "/api/account/password", "{\"password\":\"\(password)\",\"newPassword\":\"\(new)\"}", token: token)
    }

    private func code(for person: PersonRecord) async throws -> String {
        try #require(
            try await client.send(.post, "/api/people/\(person.id)/password-reset", "{}", token: token)["code"]
                as? String)
    }

    private func reset(_ code: String, _ password: String = Self.new) async throws -> HTTPTestClient.Answer {
        try await client.send(
            .post, "/api/password-reset", "{\"code\":\"\(code)\",\"password\":\"\(password)\"}")
    }

    // MARK: Changed

    @Test("Who changes it signs in with the new one from then on, and is signed out everywhere else")
    func changed() async throws {
        let other = try await client.token(ines)
        let toms = try await client.token(tom)
        let answer = try await change(Self.old, to: Self.new)
        #expect(answer.status == 200)
        #expect(answer["endedSignIns"] as? Int == 1)
        #expect(try await client.send(.get, "/api/session", token: token).status == 200)
        #expect(try await client.send(.get, "/api/session", token: other).status == 401)
        #expect(try await client.send(.get, "/api/session", token: toms).status == 200)
        #expect(try await signIn("ines@example.org", Self.old) == 401)
        #expect(try await signIn("ines@example.org", Self.new) == 200)
    }

    @Test("Without the password until now nothing changes: an open page is not its owner")
    func wrong() async throws {
        let answer = try await change("something else", to: Self.new)
        #expect(answer.status == 401)
        #expect(answer["field"] as? String == "password")
        #expect(try await signIn("ines@example.org", Self.old) == 200)
    }

    @Test("A new one that is too short is refused, and the old one stands")
    func short() async throws {
        let answer = try await change(Self.old, to: "seven77")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "newPassword")
        #expect(try await signIn("ines@example.org", Self.old) == 200)
    }

    @Test("Guesses at it are as few as at the door")
    func guessed() async throws {
        var statuses: [Int] = []
        for number in 0..<8 { statuses.append(try await change("wrong \(number) wrong", to: Self.new).status) }
        #expect(statuses.contains(429), "\(statuses)")
    }

    @Test("At a child’s profile nobody changes a password, nor makes a code")
    func child() async throws {
        let mila = try await test.services.accounts.addChild(
            household: ines.household, name: "Mila", birthYear: 2017, face: nil)
        _ = try await client.send(.put, "/api/session/profile", "{\"personID\":\"\(mila.id)\"}", token: token)
        #expect(try await change(Self.old, to: Self.new).status == 403)
        #expect(
            try await client.send(.post, "/api/people/\(tom.id)/password-reset", "{}", token: token).status == 403)
    }

    // MARK: Forgotten

    @Test("Another adult makes a code, with which a new password is chosen once; all sign-ins of before end")
    func forgotten() async throws {
        let toms = try await client.token(tom)
        let code = try await code(for: tom)
        let answer = try await reset(code)
        #expect(answer.status == 200)
        #expect(answer.text.contains("Tom"))
        #expect(try await client.send(.get, "/api/session", token: toms).status == 401)
        #expect(try await client.send(.get, "/api/session", token: token).status == 200)
        #expect(try await signIn("tom@example.org", Self.old) == 401)
        #expect(try await signIn("tom@example.org", Self.new) == 200)
        let again = try await reset(code, "yet another one")
        #expect(again.status == 422)
        #expect(again["field"] as? String == "code")
        #expect(try await signIn("tom@example.org", Self.new) == 200)
    }

    @Test("A password that is too short uses no code up")
    func shortReset() async throws {
        let code = try await code(for: tom)
        #expect(try await reset(code, "short").status == 422)
        #expect(try await reset(code).status == 200)
    }

    @Test("A code is good for a day, and only the newest")
    func outdated() async throws {
        let first = try await code(for: tom)
        let second = try await code(for: tom)
        #expect(try await reset(first).status == 422)
        test.advance(milliseconds: Accounts.resetMilliseconds)
        #expect(try await reset(second).status == 422)
        #expect(try await signIn("tom@example.org", Self.old) == 200)
        try await test.services.accounts.removeOutdated()
        let left = try await test.hub.database.pool.read { db in try PasswordResetRecord.fetchCount(db) }
        #expect(left == 0)
    }

    @Test("Nobody makes a code for themself: an unlocked phone would be enough to own the account")
    func own() async throws {
        let answer = try await client.send(.post, "/api/people/\(ines.id)/password-reset", "{}", token: token)
        #expect(answer.status == 422)
        #expect(answer.text.contains("another adult"))
    }

    @Test("There is no code for a child, for somebody of nowhere, nor without a sign-in")
    func nobody() async throws {
        let mila = try await test.services.accounts.addChild(
            household: ines.household, name: "Mila", birthYear: 2017, face: nil)
        #expect(
            try await client.send(.post, "/api/people/\(mila.id)/password-reset", "{}", token: token).status == 422)
        #expect(try await client.send(.post, "/api/people/none/password-reset", "{}", token: token).status == 404)
        #expect(try await client.send(.post, "/api/people/\(tom.id)/password-reset", "{}").status == 401)
    }

    @Test("The console’s code is for whoever signs in with that email")
    func console() async throws {
        let (code, _) = try await test.services.accounts.offerReset(email: "ines@example.org")
        #expect(try await reset(code).status == 200)
        #expect(try await signIn("ines@example.org", Self.new) == 200)
        await #expect(throws: Problem.self) { try await test.services.accounts.offerReset(email: "nobody@example.org") }
    }

    @Test("Codes are guessed as slowly as invitations, and what is no code is refused in words")
    func guessedCodes() async throws {
        for text in ["", "7K4M-Q2XD-9HTF", String(repeating: "A", count: 5_000), "12345678"] {
            let answer = try await reset(text)
            #expect(answer.status == 422)
            #expect(answer["field"] as? String == "code")
        }
        var last = try await reset("7K4M-Q2XD-9HTG")
        for _ in 0..<5 where last.status != 429 { last = try await reset("7K4M-Q2XD-9HTG") }
        #expect(last.status == 429)
    }

    @Test("The code of a reset is nowhere stored, and is no invitation")
    func stored() async throws {
        let code = try await code(for: tom)
        let rows = try await test.hub.database.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM password_reset").map { "\($0)" }
        }
        #expect(rows.count == 1)
        let bare = code.replacingOccurrences(of: "-", with: "")
        for row in rows { #expect(!row.contains(code) && !row.contains(bare)) }
        #expect(
            try await client.send(.post, "/api/invitations/check", "{\"code\":\"\(code)\"}").status == 422)
    }

    // MARK: While a password is checked

    @Test("Who changes the password or leaves while the old one is checked: it lets nobody in, and nothing fails")
    func meanwhile() async throws {
        let accounts = test.services.accounts
        let checked = try await accounts.person(email: "tom@example.org", password: Self.old, address: "10.0.0.7")
        try await accounts.setPassword(email: "tom@example.org", password: Self.new)
        let changed = await #expect(throws: Problem.self) { try await accounts.signIn(checked, agent: "test") }
        #expect(changed?.status == .unauthorized)
        try await accounts.remove(person: tom.id, household: ines.household)
        let gone = await #expect(throws: Problem.self) { try await accounts.signIn(checked, agent: "test") }
        #expect(gone?.status == .unauthorized)
        try await accounts.failed(person: checked, address: "10.0.0.7")
        let lines = try await accounts.failedSignIns(household: ines.household)
        #expect(lines.map(\.person) == [nil])
    }

    // MARK: Leaving

    @Test("An adult leaves, and what is stored of them goes or stays, as they say", arguments: ["delete", "keep"])
    func leaves(data: String) async throws {
        let toms = try await client.token(tom)
        let answer = try await client.send(.delete, "/api/people/\(tom.id)?data=\(data)", token: toms)
        #expect(answer.status == 204)
        #expect(try await client.send(.get, "/api/session", token: toms).status == 401)
        #expect(try await signIn("tom@example.org", Self.old) == 401)
        let names = try await test.services.accounts.people(household: ines.household).map(\.name)
        #expect(names.contains("Tom") == (data == "keep"))
        // The email is free again.
        _ = try await test.services.accounts.addAdult(name: "Tom", email: "tom@example.org", password: Self.new)
    }

    @Test("Who cannot sign in any more is no second adult: the last one who can stays, and is told how to hand over")
    func last() async throws {
        #expect(try await client.send(.delete, "/api/people/\(tom.id)?data=keep", token: token).status == 204)
        let answer = try await client.send(.delete, "/api/people/\(ines.id)", token: token)
        #expect(answer.status == 409)
        #expect(answer.text.contains("invite another adult"))
        // Who stays only by name can be removed with the rest.
        #expect(try await client.send(.delete, "/api/people/\(tom.id)", token: token).status == 204)
    }

    @Test("A child’s data cannot be stored without the child, and no other word is understood")
    func keptChild() async throws {
        let mila = try await test.services.accounts.addChild(
            household: ines.household, name: "Mila", birthYear: 2017, face: nil)
        for data in ["keep", "shred"] {
            let answer = try await client.send(.delete, "/api/people/\(mila.id)?data=\(data)", token: token)
            #expect(answer.status == 422)
            #expect(answer["field"] as? String == "data")
        }
        #expect(try await test.services.accounts.people(household: ines.household).count == 3)
    }
}
