import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Whoever guesses")
struct GuessTests {
    private let log = RecordedLog()
    private let test: TestHub
    private let adult: PersonRecord

    init() async throws {
        test = try TestHub(log: log.logger)
        adult = try await test.seed()
    }

    private func code(_ body: () async throws -> Void) async -> Int {
        do {
            try await body()
            return 200
        } catch {
            return (error as? Problem)?.code.code ?? 0
        }
    }

    private func signIn(
        _ password: String = "correct horse", email: String = "ines@example.org", from address: String,
        signIn: String? = nil
    ) async -> Int {
        await code {
            _ = try await test.services.accounts.person(
                email: email, password: password, address: address, signIn: signIn)
        }
    }

    /// Guesses at once, one from each of so many addresses, and how often which status was answered.
    private func guesses(_ count: Int, email: String = "ines@example.org") async -> [Int: Int] {
        await withTaskGroup(of: Int.self) { group in
            for index in 0..<count {
                group.addTask { await signIn("guess \(index)", email: email, from: "203.0.113.\(index)") }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    // MARK: Passwords

    @Test(
        "Guesses at one email from 120 addresses are twenty, whether somebody has it or not",
        arguments: ["ines@example.org", "nobody@example.org"])
    func manyAddresses(email: String) async throws {
        var wrong = 0
        for _ in 0..<4 {
            let answers = await guesses(120, email: email)
            #expect(Set(answers.keys).isSubset(of: [401, 429]))
            wrong += answers[401] ?? 0
        }
        #expect(wrong == 20)
    }

    @Test("They hold nobody up who comes from where somebody has signed in before, nor a device that is signed in")
    func ownAllowance() async throws {
        #expect(await signIn(from: "192.168.1.7") == 200)
        for _ in 0..<4 { _ = await guesses(120) }
        #expect(await signIn(from: "198.51.100.1") == 429)
        #expect(await signIn(from: "192.168.1.7") == 200)
        #expect(await signIn(from: "198.51.100.1", signIn: "tablet") == 200)
    }

    @Test("They hold up strangers to that account alone, and not for good")
    func others() async throws {
        let (code, _) = try await test.services.accounts.invite(
            from: try await test.services.accounts.signIn(adult, agent: "phone").member)
        for _ in 0..<4 { _ = await guesses(120) }
        _ = try await test.services.accounts.join(
            code: code, name: "Tom", email: "tom@example.org", password: "long enough", address: "198.51.100.2")
        #expect(await signIn("long enough", email: "tom@example.org", from: "198.51.100.3") == 200)
        #expect(await signIn(from: "198.51.100.1") == 429)
        test.advance(milliseconds: 300_000)
        #expect(await signIn(from: "198.51.100.1") == 200)
    }

    @Test("A right password gives others none of what they have used up")
    func rightOne() async throws {
        for index in 0..<19 { #expect(await signIn("guess", from: "203.0.113.\(index)") == 401) }
        for index in 0..<5 { #expect(await signIn(from: "198.51.100.\(index)") == 200) }
        #expect(await signIn("guess", from: "203.0.113.19") == 401)
        #expect(await signIn("guess", from: "203.0.113.20") == 429)
    }

    @Test("Guesses on a known device slow down to one in two minutes")
    func knownDevice() async throws {
        var wrong = 0
        for _ in 0..<60 {
            while await signIn("guess", from: "192.168.1.7", signIn: "tablet") == 401 { wrong += 1 }
            test.advance(milliseconds: 12_000)
        }
        // Thirty at once, and one each two minutes of the twelve.
        #expect((30...36).contains(wrong))
    }

    @Test("An email in other letters is the same account")
    func letters() async throws {
        for index in 0..<5 {
            #expect(
                await signIn("guess", email: index % 2 == 0 ? "INES@example.org" : "ines@EXAMPLE.ORG", from: "::1")
                    == 401)
        }
        #expect(await signIn("guess", from: "::1") == 429)
    }

    // MARK: Codes

    @Test("Codes from many addresses are slowed down, and whoever has the right one still comes in")
    func codes() async throws {
        let accounts = test.services.accounts
        let (right, _) = try await accounts.invite(
            from: try await accounts.signIn(adult, agent: "phone").member)
        var answers: [Int: Int] = [:]
        for _ in 0..<10 {
            for index in 0..<100 {
                let status = await code {
                    _ = try await accounts.invitation(code: "0000-0000-0000", address: "203.0.113.\(index)")
                }
                answers[status, default: 0] += 1
            }
        }
        // Sixty for all, and three more for each of those who had none or few of them.
        #expect(answers[422] ?? 0 <= 60 + 3 * 100)
        #expect((answers[422] ?? 0) + (answers[429] ?? 0) == 1_000)
        _ = try await accounts.join(
            code: right, name: "Tom", email: "tom@example.org", password: "long enough", address: "198.51.100.2")
    }

    @Test("The first account’s code is held to the same, and stays what it is however often somebody guesses")
    func firstCode() async throws {
        let test = try TestHub()
        let accounts = test.services.accounts
        let right = accounts.foundingCode()
        func found(_ typed: String, from address: String) async -> Int {
            await code {
                _ = try await accounts.found(
                    code: typed, household: "Linden", name: "Ines", email: "ines@example.org",
                    password: "correct horse", timeZone: "Europe/Vienna", address: address)
            }
        }
        var wrong = 0
        for _ in 0..<2_000 where await found("0000-0000-0000", from: "127.0.0.1") == 422 { wrong += 1 }
        #expect(wrong == 5)
        for index in 0..<250 { _ = await found("0000-0000-0000", from: "127.0.0.\(index)") }
        #expect(await found(right.lowercased().replacingOccurrences(of: "-", with: " "), from: "127.0.1.1") == 200)
    }

    // MARK: What the owner sees

    private func lines() async throws -> [FailedSignInRecord] {
        try await test.services.accounts.failedSignIns(household: adult.household)
    }

    @Test("Wrong passwords are written down: an account, an address and an hour are one line")
    func writtenDown() async throws {
        for _ in 0..<3 { _ = await signIn("guess", from: "203.0.113.1") }
        test.advance(milliseconds: 1_000)
        _ = await signIn("guess", from: "203.0.113.2")
        let two = try await lines()
        #expect(two.map(\.address) == ["203.0.113.2", "203.0.113.1"])
        #expect(two.map(\.tries) == [1, 3])
        #expect(two.allSatisfy { $0.person == adult.id })
        test.advance(milliseconds: 3_600_000)
        _ = await signIn("guess", from: "203.0.113.1")
        #expect(try await lines().count == 3)
    }

    @Test("Of an email that nobody has, nothing is stored but that it was tried")
    func unknownEmail() async throws {
        for email in ["my secret password", "other@example.org"] {
            #expect(await signIn("guess", email: email, from: "203.0.113.1") == 401)
        }
        let line = try #require(try await lines().first)
        #expect(line.person == nil)
        #expect(line.tries == 2)
        let rows = try await test.hub.database.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM failed_sign_in").map { "\($0)" }
        }
        #expect(rows.count == 1)
        #expect(!rows.joined().contains("secret"))
        #expect(!log.text.contains("secret") && !log.text.contains("example.org"))
    }

    @Test("A hundred lines are stored; tries for invented emails push out none of a real account’s")
    func bounded() async throws {
        _ = await signIn("guess", from: "192.168.1.7")
        for index in 0..<110 { _ = await signIn("guess", email: "nobody \(index)", from: "203.0.113.\(index)") }
        let all = try await lines()
        #expect(all.filter { $0.person == nil }.count == 100)
        #expect(all.filter { $0.person == adult.id }.count == 1)
    }

    @Test("The log has one line at first and one a minute, with the count and no email")
    func logged() async throws {
        for index in 0..<15 { _ = await signIn("guess", from: "203.0.113.\(index)") }
        test.advance(milliseconds: 60_000)
        _ = await signIn("guess", from: "203.0.113.15")
        let written = log.text.split(separator: "\n").filter { $0.contains("wrong password") }
        #expect(written.map { $0.split(separator: " ").last ?? "" } == ["count=1", "count=15"])
        #expect(!log.text.contains("ines@"))
    }

    @Test("An adult sees them in Settings with the account’s own email; a child does not")
    func routes() async throws {
        let client = try await HTTPTestClient(test)
        let token = try await client.token(adult)
        _ = await signIn("guess", from: "203.0.113.1")
        let answer = try await client.send(.get, "/api/failed-sign-ins", token: token)
        #expect(answer["0", "person"] as? String == "Ines")
        #expect(answer["0", "email"] as? String == "ines@example.org")
        #expect(answer["0", "address"] as? String == "203.0.113.1")
        #expect(answer["0", "tries"] as? Int == 1)
        #expect(try await client.send(.get, "/api/failed-sign-ins").status == 401)
    }
}
