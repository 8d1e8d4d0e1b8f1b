import Foundation
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Passkeys

@Suite("Passkeys")
struct PasskeyTests {
    private let log = RecordedLog()
    private let test: TestHub
    private let ines: Member
    private let party: RelyingParty

    private var passkeys: Passkeys { test.services.passkeys }

    init() async throws {
        test = try TestHub(log: log.logger)
        ines = try await test.member()
        party = try RelyingParty(
            RequestSource(peer: nil, isSecure: true, host: "linden.local:8443", trustedProxies: []) { _ in [] })
    }

    private func status(_ body: () async throws -> Void) async -> Int {
        do {
            try await body()
            return 200
        } catch {
            return (error as? Problem)?.code.code ?? 0
        }
    }

    private func device(of member: Member, id: UInt8 = 7) -> SoftwareAuthenticator {
        var made = SoftwareAuthenticator()
        made.user = Array(member.person.id.utf8)
        made.id = [UInt8](repeating: id, count: 16)
        return made
    }

    private func challenge(of member: Member) async throws -> [UInt8] {
        try await passkeys.challenge(of: member, password: "correct horse", at: party, address: "::1").challenge
    }

    private func made(of member: Member, id: UInt8 = 7) async throws -> (SoftwareAuthenticator, PasskeyRecord) {
        let authenticator = device(of: member, id: id)
        let answer = authenticator.make(try await challenge(of: member))
        return (
            authenticator,
            try await passkeys.add(answer, name: "Phone", transports: ["internal", "x,y"], of: member, at: party)
        )
    }

    private func asked() async throws -> [UInt8] {
        try #require(try await passkeys.challenge(at: party, address: "::1"))
    }

    private func comesIn(_ answer: Assertion, at other: RelyingParty? = nil, from address: String = "::1") async -> Int
    {
        await status { _ = try await passkeys.person(answer, at: other ?? party, address: address) }
    }

    private func tom() async throws -> Member {
        let person = try await test.services.accounts.addAdult(
            name: "Tom", email: "tom@example.org", password: "correct horse")
        return try await test.services.accounts.signIn(person, agent: "test").member
    }

    // MARK: Made and used

    @Test("A passkey is made, listed and opens the account, and says when it was used")
    func madeAndUsed() async throws {
        var (authenticator, record) = try await made(of: ines)
        #expect(record.relyingParty == "linden.local" && record.transports == "internal" && record.usedAt == nil)
        test.advance(milliseconds: 1_000)
        authenticator.signCount = 1
        let person = try await passkeys.person(
            try authenticator.use(try await asked()), at: party, address: "203.0.113.9")
        #expect(person.id == ines.person.id)
        let stored = try #require(try await passkeys.all(of: ines.person.id).first)
        #expect(stored.usedAt == test.hub.clock.now() && stored.signCount == 1)
        // From there a password may be typed as from home.
        let known = try await test.hub.database.pool.read { db in
            try Accounts.isKnown(address: "203.0.113.9", since: 0, db)
        }
        #expect(known)
    }

    @Test("A passkey wants the password first, and counts wrong ones as any other")
    func password() async throws {
        var answers: [Int] = []
        for _ in 0..<6 {
            answers.append(
                await status {
                    _ = try await passkeys.challenge(of: ines, password: "wrong", at: party, address: "::1")
                })
        }
        #expect(answers == [401, 401, 401, 401, 401, 429])
    }

    @Test("On a device that the family shares no passkey is made")
    func sharedDevice() async throws {
        let shared = try await test.services.accounts.setShared(true, of: ines)
        #expect(await status { _ = try await challenge(of: shared) } == 403)
    }

    @Test("Without a passkey at this name nobody is asked for one")
    func none() async throws {
        #expect(try await passkeys.challenge(at: party, address: "::1") == nil)
        _ = try await made(of: ines)
        let other = try RelyingParty(
            RequestSource(peer: nil, isSecure: true, host: "hub.example.org", trustedProxies: []) { _ in [] })
        #expect(try await passkeys.challenge(at: other, address: "::1") == nil)
        #expect(try await passkeys.challenge(at: party, address: "::1") != nil)
    }

    // MARK: Bad answers

    @Test("A passkey of another origin opens nothing")
    func anotherOrigin() async throws {
        var (authenticator, _) = try await made(of: ines)
        authenticator.origin = "https://linden.example"
        #expect(await comesIn(try authenticator.use(try await asked())) == 401)
    }

    @Test("An assertion that is replayed opens nothing, nor does one whose first try was wrong")
    func replayed() async throws {
        let (authenticator, _) = try await made(of: ines)
        let answer = try authenticator.use(try await asked())
        #expect(await comesIn(answer) == 200)
        #expect(await comesIn(answer) == 401)
        let good = try authenticator.use(try await asked())
        var bad = good
        bad.signature[8] ^= 1
        #expect(await comesIn(bad) == 401)
        #expect(await comesIn(good) == 401)
    }

    @Test("A challenge that has expired opens nothing, and a millisecond before it does")
    func expired() async throws {
        let (authenticator, _) = try await made(of: ines)
        let late = try authenticator.use(try await asked())
        test.advance(milliseconds: PasskeyChallenges.milliseconds)
        #expect(await comesIn(late) == 401)
        let inTime = try authenticator.use(try await asked())
        test.advance(milliseconds: PasskeyChallenges.milliseconds - 1)
        #expect(await comesIn(inTime) == 200)
        let made = device(of: ines, id: 9).make(try await challenge(of: ines))
        test.advance(milliseconds: PasskeyChallenges.milliseconds)
        #expect(
            await status { _ = try await passkeys.add(made, name: "P", transports: [], of: ines, at: party) } == 422)
    }

    @Test("A challenge of a clock that was set back since opens nothing")
    func clockSetBack() async throws {
        let (authenticator, _) = try await made(of: ines)
        let answer = try authenticator.use(try await asked())
        test.advance(milliseconds: -1)
        #expect(await comesIn(answer) == 401)
    }

    @Test("A challenge is for one purpose, one name and one sign-in")
    func bound() async throws {
        let (authenticator, _) = try await made(of: ines)
        let other = try RelyingParty(
            RequestSource(peer: nil, isSecure: true, host: "hub.example.org", trustedProxies: []) { _ in [] })
        #expect(await comesIn(try authenticator.use(try await challenge(of: ines))) == 401)
        #expect(await comesIn(try authenticator.use(try await asked()), at: other) == 401)
        let asked = device(of: ines, id: 9).make(try await asked())
        #expect(
            await status { _ = try await passkeys.add(asked, name: "P", transports: [], of: ines, at: party) } == 422)
        let tom = try await tom()
        let made = device(of: tom, id: 9).make(try await challenge(of: ines))
        #expect(await status { _ = try await passkeys.add(made, name: "P", transports: [], of: tom, at: party) } == 422)
    }

    @Test("A counter that goes back is refused, told and logged, and the next good one opens")
    func counterBack() async throws {
        var (authenticator, record) = try await made(of: ines)
        authenticator.signCount = 5
        #expect(await comesIn(try authenticator.use(try await asked())) == 200)
        authenticator.signCount = 4
        let copied = try authenticator.use(try await asked())
        do {
            _ = try await passkeys.person(copied, at: party, address: "::1")
            Issue.record("a copy came in")
        } catch {
            #expect((error as? Problem)?.title.english == "Perhaps a copy")
        }
        let stored = try #require(try await passkeys.all(of: ines.person.id).first { $0.id == record.id })
        #expect(stored.counterBackAt == test.hub.clock.now() && stored.signCount == 5)
        #expect(log.text.contains("counter has not gone on"))
        authenticator.signCount = 6
        #expect(await comesIn(try authenticator.use(try await asked())) == 200)
    }

    @Test("A passkey of the wrong name opens nothing")
    func wrongRelyingParty() async throws {
        var (authenticator, _) = try await made(of: ines)
        authenticator.relyingParty = "example.org"
        #expect(await comesIn(try authenticator.use(try await asked())) == 401)
    }

    @Test("The signature of another key opens nothing")
    func anotherKey() async throws {
        var (authenticator, _) = try await made(of: ines)
        authenticator.key = .init()
        #expect(await comesIn(try authenticator.use(try await asked())) == 401)
    }

    @Test("A device that did not look who it is opens nothing")
    func notVerified() async throws {
        var (authenticator, _) = try await made(of: ines)
        authenticator.isUserVerified = false
        #expect(await comesIn(try authenticator.use(try await asked())) == 401)
    }

    @Test("A passkey that says it is another person’s opens nothing")
    func anotherPerson() async throws {
        var (authenticator, _) = try await made(of: ines)
        authenticator.user = Array(try await tom().person.id.utf8)
        #expect(await comesIn(try authenticator.use(try await asked())) == 401)
    }

    @Test("A passkey that nobody has opens nothing")
    func unknown() async throws {
        _ = try await made(of: ines)
        #expect(await comesIn(try device(of: ines, id: 1).use(try await asked())) == 401)
    }

    @Test("The same credential is not stored twice, for another person neither")
    func registeredTwice() async throws {
        _ = try await made(of: ines)
        #expect(await status { _ = try await made(of: ines) } == 409)
        let tom = try await tom()
        #expect(await status { _ = try await made(of: tom) } == 409)
        #expect(try await passkeys.all(of: tom.person.id).isEmpty)
    }

    @Test("Of the same registration twice at once one is stored")
    func madeTwiceAtOnce() async throws {
        let answer = device(of: ines).make(try await challenge(of: ines))
        async let one = status { _ = try await passkeys.add(answer, name: "A", transports: [], of: ines, at: party) }
        async let other = status { _ = try await passkeys.add(answer, name: "B", transports: [], of: ines, at: party) }
        #expect(await [one, other].sorted() == [200, 422])
        #expect(try await passkeys.all(of: ines.person.id).count == 1)
    }

    @Test("Of the same assertion twice at once one opens, and of two with one count one")
    func usedTwiceAtOnce() async throws {
        var (authenticator, _) = try await made(of: ines)
        let answer = try authenticator.use(try await asked())
        async let one = comesIn(answer)
        async let other = comesIn(answer)
        #expect(await [one, other].sorted() == [200, 401])
        authenticator.signCount = 3
        let (first, second) = (try authenticator.use(try await asked()), try authenticator.use(try await asked()))
        async let three = comesIn(first)
        async let again = comesIn(second)
        #expect(await [three, again].sorted() == [200, 401])
    }

    // MARK: Limits

    @Test("An adult has twenty passkeys at most")
    func most() async throws {
        for id in 0..<UInt8(Passkeys.most) { _ = try await made(of: ines, id: id) }
        #expect(await status { _ = try await challenge(of: ines) } == 409)
    }

    @Test("From one address thirty assertions are looked at, and then it waits")
    func tries() async throws {
        let (authenticator, _) = try await made(of: ines)
        let answer = try authenticator.use([1])
        var answers: [Int: Int] = [:]
        for _ in 0..<40 { answers[await comesIn(answer, from: "203.0.113.9"), default: 0] += 1 }
        #expect(answers == [401: 30, 429: 10])
    }

    @Test("Challenges of one address are sixteen, and those of others stay, whoever asks for thousands")
    func challengesAreBounded() throws {
        let challenges = PasskeyChallenges()
        func make(_ owner: String, now: Int64) -> [UInt8] {
            challenges.make(.signIn, relyingParty: "a", owner: owner, now: now)
        }
        func isOpen(_ challenge: [UInt8]) -> Bool {
            (try? challenges.take(challenge, .signIn, relyingParty: "a", now: 10_000)) != nil
        }
        let mine = make("home", now: 0)
        let flood = (0..<5_000).map { make("stranger \($0 / 16)", now: Int64($0)) }
        #expect(isOpen(mine))
        #expect(flood.count(where: isOpen) <= PasskeyChallenges.most)
        let many = (0..<17).map { make("one", now: Int64($0)) }
        #expect(!isOpen(many[0]) && many[1...].allSatisfy(isOpen))
    }

    // MARK: Looking after them

    @Test("A passkey is named and removed by its owner alone, and opens nothing afterwards")
    func lookedAfter() async throws {
        let (authenticator, record) = try await made(of: ines)
        let tom = try await tom()
        #expect(await status { _ = try await passkeys.rename(record.id, to: "Mine", of: tom.person.id) } == 404)
        #expect(await status { try await passkeys.remove(record.id, of: tom.person.id) } == 404)
        #expect(await status { _ = try await passkeys.rename(record.id, to: " ", of: ines.person.id) } == 422)
        #expect(try await passkeys.rename(record.id, to: "Old phone", of: ines.person.id).name == "Old phone")
        let waiting = try authenticator.use(try await asked())
        try await passkeys.remove(record.id, of: ines.person.id)
        #expect(await comesIn(waiting) == 401)
    }

    @Test("Who leaves takes their passkeys with them, also where their data stays")
    func leaving() async throws {
        let tom = try await tom()
        let (authenticator, _) = try await made(of: tom)
        _ = try await made(of: ines, id: 8)
        try await test.services.accounts.remove(person: tom.person.id, data: .keep, household: tom.household)
        #expect(await comesIn(try authenticator.use(try await asked())) == 401)
        #expect(try await passkeys.all(of: tom.person.id).isEmpty)
    }

    @Test("A password that was forgotten and chosen anew ends the passkeys; one that was changed does not")
    func newPassword() async throws {
        _ = try await made(of: ines)
        let accounts = test.services.accounts
        _ = try await accounts.changePassword(
            of: ines, current: "correct horse", new: "a better horse", address: "::1")
        #expect(try await passkeys.all(of: ines.person.id).count == 1)
        let code = try await accounts.offerReset(email: "ines@example.org").code
        _ = try await accounts.resetPassword(code: code, password: "the best horse", address: "::1")
        #expect(try await passkeys.all(of: ines.person.id).isEmpty)
    }
}
