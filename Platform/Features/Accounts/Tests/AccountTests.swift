import Foundation
import GRDB
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Accounts")
struct AccountTests {
    private func problem<Value>(_ body: () async throws -> Value) async -> Problem? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test("The first account needs the terminal's code, and there is only one first account")
    func founding() async throws {
        let test = try TestHub()
        let accounts = test.services.accounts
        let code = accounts.foundingCode()
        func found(_ code: String) async throws -> PersonRecord {
            try await accounts.found(
                code: code, household: "Linden", name: "Ines", email: "ines@example.org", password: "correct horse",
                timeZone: "Europe/Vienna", address: "::1")
        }
        #expect(try await accounts.isEmpty())
        #expect(await problem { try await found("0000-0000") }?.field == "code")
        #expect(try await found(code).role == .adult)
        #expect(try await test.hub.household()?.timeZone == "Europe/Vienna")
        #expect(await problem { try await found(code) } != nil)
    }

    @Test("All that is wrong with a new account is said at once, and the code is still a guess")
    func allAtOnce() async throws {
        let test = try TestHub()
        let accounts = test.services.accounts
        let code = accounts.foundingCode()
        func found(_ code: String, household: String) async -> Problem? {
            await problem {
                try await accounts.found(
                    code: code, household: household, name: "Ines\n", email: "ines", password: "short",
                    timeZone: "Europe/Vienna", address: "::1")
            }
        }
        let all = await found("0000-0000-0000", household: "")
        #expect(all?.errors.map(\.field) == ["code", "household", "email", "password"])
        #expect(all?.field == "code")
        #expect(await found(code, household: "Linden")?.errors.map(\.field) == ["email", "password"])

        _ = try await test.seed()
        let joined = await problem {
            try await accounts.join(code: "nothing", name: "", email: "tom@example.org", password: "x", address: "::1")
        }
        #expect(joined?.errors.map(\.field) == ["code", "name", "password"])
        #expect(joined?.errors.first?.detail == joined?.detail)
    }

    @Test("Five wrong passwords in a minute, then it waits, also for the right one; a minute later it does not")
    func rateLimit() async throws {
        let test = try TestHub()
        _ = try await test.seed()
        func signIn(_ password: String) async throws -> PersonRecord {
            try await test.services.accounts.person(email: "ines@example.org", password: password, address: "::1")
        }
        for left in ["Four more tries", "Three more tries", "Two more tries", "One more try", "No more tries"] {
            let wrong = await problem { try await signIn("wrong") }
            #expect(wrong?.code == .unauthorized)
            #expect(wrong?.detail.english.contains(left) == true)
        }
        let waiting = await problem { try await signIn("correct horse") }
        #expect(waiting?.code == .tooManyRequests)
        #expect(waiting?.retryAfter != nil)
        test.advance(milliseconds: 61_000)
        #expect(try await signIn("correct horse").name == "Ines")
    }

    @Test("A hundred guesses at once are no more than five")
    func parallelGuesses() async throws {
        let test = try TestHub()
        _ = try await test.seed()
        let answers = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await self.problem {
                        try await test.services.accounts.person(
                            email: "ines@example.org", password: "wrong", address: "::1")
                    }?.code.code
                }
            }
            return await group.reduce(into: [Int: Int]()) { $0[$1 ?? 0, default: 0] += 1 }
        }
        #expect(answers == [401: 5, 429: 95])
    }

    @Test("An email of a megabyte is refused without being remembered, and is no error of the hub's")
    func longEmail() async throws {
        let test = try TestHub()
        let long = String(repeating: "a", count: 1 << 20)
        let refused = await problem {
            try await test.services.accounts.person(email: long, password: "x", address: "::1")
        }
        #expect(refused?.code == .unauthorized)
    }

    @Test("One invitation used twice at once makes one account")
    func parallelInvitations() async throws {
        let test = try TestHub()
        let (code, _) = try await test.services.accounts.invite(from: try await test.member())
        let made = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<4 {
                group.addTask {
                    let person = try? await test.services.accounts.join(
                        code: code, name: "Tom", email: "tom\(index)@example.org", password: "long enough",
                        address: "::1")
                    return person != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
    }

    @Test("A token signs in until it is ended, and is stored only as a hash")
    func tokens() async throws {
        let test = try TestHub()
        let person = try await test.seed()
        let (token, member) = try await test.services.accounts.signIn(person, agent: "test")
        #expect(try await test.services.accounts.member(token: token)?.person.id == person.id)
        #expect(try await test.services.accounts.member(token: token + "x") == nil)
        let stored = try await test.hub.database.pool.read { db in
            try Data.fetchAll(db, sql: "SELECT token_hash FROM sign_in")
        }
        #expect(stored == [Secret.hash(token)])
        try await test.services.accounts.end(signIn: member.signIn, household: person.household)
        #expect(try await test.services.accounts.member(token: token) == nil)
    }

    @Test("An invitation lets one person in, once, within a week")
    func invitation() async throws {
        let test = try TestHub()
        let member = try await test.member()
        let (code, _) = try await test.services.accounts.invite(from: member)
        func join(_ code: String, _ email: String) async throws -> PersonRecord {
            try await test.services.accounts.join(
                code: code, name: "Tom", email: email, password: "long enough", address: "::1")
        }
        #expect(await problem { try await join("1111-1111", "a@example.org") }?.field == "code")
        #expect(await problem { try await join(code, "ines@example.org") }?.field == "email")
        #expect(try await join(code, "tom@example.org").household == member.household)
        #expect(await problem { try await join(code, "b@example.org") }?.field == "code")
        let (late, _) = try await test.services.accounts.invite(from: member)
        test.advance(milliseconds: Accounts.invitationMilliseconds + 1)
        #expect(await problem { try await join(late, "c@example.org") }?.field == "code")
    }

    @Test("Leaving a child's profile takes the account's password")
    func profiles() async throws {
        let test = try TestHub()
        var member = try await test.member()
        let child = try await test.services.accounts.addChild(
            household: member.household, name: "Mila", birthYear: 2017, face: "fox")
        let adult = member.person.id
        member = try await test.services.accounts.setProfile(child.id, of: member, password: nil, address: "::1")
        #expect(!test.hub.policy.allows(.person(member), .adult, now: test.hub.clock.now()))
        let asChild = member
        #expect(
            await problem {
                try await test.services.accounts.setProfile(adult, of: asChild, password: nil, address: "::1")
            }?
            .field == "password")
        #expect(
            await problem {
                try await test.services.accounts.setProfile(adult, of: asChild, password: "wrong", address: "::1")
            } != nil)
        let back = try await test.services.accounts.setProfile(
            adult, of: asChild, password: "correct horse", address: "::1")
        #expect(test.hub.policy.allows(.person(back), .adult, now: test.hub.clock.now()))
    }

    @Test("The last adult cannot be removed")
    func lastAdult() async throws {
        let test = try TestHub()
        let person = try await test.seed()
        let refused = await problem {
            try await test.services.accounts.remove(person: person.id, household: person.household)
        }
        #expect(refused?.code == .conflict)
    }

    @Test(
        "Names with emoji, HTML and quotes are stored as they are; empty, endless and many-lined ones are refused",
        arguments: [
            ("Ines 🌱", true), ("<script>alert(1)</script>", true), ("O’Brien \"x\"; DROP TABLE person;--", true),
            ("", false),
            ("   ", false), (String(repeating: "a", count: 61), false), ("two\nlines", false), ("nul\u{0}", false),
        ])
    func names(name: String, isFine: Bool) async throws {
        let test = try TestHub()
        let household = try await test.seed().household
        let added = try? await test.services.accounts.addChild(
            household: household, name: name, birthYear: nil, face: nil)
        #expect((added?.name == name) == isFine)
    }

    @Test("A password matches its own hash and no other, composed or decomposed")
    func passwords() throws {
        let hash = try PasswordHash.make("caf\u{e9} au lait", cost: .low)
        #expect(PasswordHash.matches("cafe\u{301} au lait", hash))
        #expect(!PasswordHash.matches("cafe au lait", hash))
        #expect(!PasswordHash.matches("x", Data("scrypt$1".utf8)))
        #expect(try PasswordHash.make("a", cost: .low) != PasswordHash.make("a", cost: .low))
    }
}
