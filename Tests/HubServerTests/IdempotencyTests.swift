import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("What is sent again is done once")
struct IdempotencyTests {
    private let test: TestHub
    private let client: HTTPTestClient
    private let token: String
    private let frames: AsyncStream<LiveEvents.Frame>

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        let person = try await test.seed()
        token = try await client.token(person)
        let page = try await test.services.accounts.signIn(person, agent: "test").member
        frames = test.hub.live.listen(page, resume: nil, now: 0).frames
    }

    private func beat(_ key: String?, _ body: String = "{}", token: String? = nil) async throws -> HTTPTestClient.Answer
    {
        try await client.send(
            .post, "/api/beats", body, token: token ?? self.token, headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    }

    /// The number of beats that a page was told of.
    private func heard() async throws -> Int {
        let live = test.hub.live
        live.publish(.device("the last"), household: try await test.hub.requiredHousehold().id)
        var count = 0
        for await frame in frames {
            guard case .text(let text) = frame, !text.contains("the last") else { break }
            if text.contains("\"beat\"") { count += 1 }
        }
        return count
    }

    private func count(_ kind: String) async throws -> Int {
        try await test.hub.database.pool.read { db in try Beats.count(kind, db) }
    }

    @Test("Five deliveries are one effect, and each gets the first answer")
    func replayed() async throws {
        let first = try await beat("a")
        #expect(first.status == 201)
        #expect(first.headers[.idempotentReplayed] == nil)
        for _ in 0..<4 {
            let again = try await beat("a")
            #expect(again.status == 201)
            #expect(again.text == first.text)
            #expect(again.headers[.contentType] == "application/json")
            #expect(again.headers[.idempotentReplayed] == "true")
        }
        #expect(try await count("beat") == 1)
        #expect(try await heard() == 1)
    }

    @Test("Every answer carries its key back, as no other machine’s does; what came without a key gets none")
    func echoed() async throws {
        for _ in 0..<2 { #expect(try await beat("a").headers[.idempotencyKey] == "a") }
        #expect(try await beat("\"b\"").headers[.idempotencyKey] == "b")
        #expect(try await beat(nil).headers[.idempotencyKey] == nil)
    }

    @Test("Twenty deliveries at once are one effect")
    func parallel() async throws {
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await beat("a").text } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers == ["{\"beats\":1}"])
        #expect(try await count("beat") == 1)
    }

    @Test("Without a key each request is one of its own, and so is each key")
    func distinct() async throws {
        for key in [nil, nil, "a", "b"] { #expect(try await beat(key).headers[.idempotentReplayed] == nil) }
        #expect(try await count("beat") == 4)
    }

    @Test("A key that came with other content, or to another place, is refused in words and does nothing")
    func otherContent() async throws {
        let body = "{\"name\":\"Mila\"}"
        _ = try await beat("a", body)
        let other = try await beat("a", "{\"name\":\"Milo\"}")
        #expect(other.status == 422)
        #expect((other["detail"] as? String)?.contains("another request") == true)
        let place = try await client.send(
            .post, "/api/people", body, token: token, headers: ["Idempotency-Key": "a"])
        #expect(place.status == 422)
        #expect(try await count("beat") == 1)
        #expect(try await test.services.accounts.people(household: test.hub.requiredHousehold().id).count == 1)
        #expect(try await beat("a", body).status == 201)
    }

    @Test("A problem leaves no idempotency record and no effect: the same key succeeds when the cause is gone")
    func problem() async throws {
        #expect(try await beat("a", "{\"fails\":true}").status == 409)
        #expect(try await count("beat") == 0)
        #expect(try await heard() == 0)
        #expect(try await beat("a").status == 201)
        #expect(try await count("beat") == 1)
    }

    @Test("Another household’s key is another key")
    func households() async throws {
        _ = try await beat("a")
        let neighbour = PersonRecord(id: "neighbour", household: "next", name: "Jo", role: .adult, createdAt: 0)
        try await test.hub.database.pool.write { db in
            try HouseholdRecord(id: "next", name: "Next door", timeZone: "UTC", createdAt: 0).insert(db)
            try neighbour.insert(db)
        }
        let answer = try await beat("a", token: try await client.token(neighbour))
        #expect(answer.headers[.idempotentReplayed] == nil)
        #expect(answer.text == "{\"beats\":2}")
    }

    @Test(
        "The idempotency record is another’s of the household too: who uses the page may have changed between two deliveries"
    )
    func profiles() async throws {
        _ = try await beat("a")
        let household = try await test.hub.requiredHousehold().id
        let child = try await test.services.accounts.addChild(
            household: household, name: "Mila", birthYear: nil, face: nil)
        let changed = try await client.send(
            .put, "/api/session/profile", "{\"personID\":\"\(child.id)\"}", token: token)
        #expect(changed.status == 200)
        #expect(try await beat("a").headers[.idempotentReplayed] == "true")
    }

    @Test(
        "What an answer says of somebody is given again to who made it, to them and to adults; to others, that it was done"
    )
    func anothers() async throws {
        let theo = try await add("Theo", "a")
        let id = try #require(theo["id"] as? String)
        let household = try await test.hub.requiredHousehold().id
        let mila = try await test.services.accounts.addChild(
            household: household, name: "Mila", birthYear: nil, face: nil)
        // The route is for adults: what is looked at here is the answer that was stored, as a route for all would give
        // it.
        let ines = try #require(try await test.services.accounts.member(token: token))
        func member(_ profile: String, account: PersonRecord? = nil) async throws -> Member {
            let people = try await test.services.accounts.people(household: household)
            var member = ines
            member.profile = try #require(people.first { $0.id == profile })
            if let account { (member.person, member.signIn) = (account, "another") }
            return member
        }
        func answer(to member: Member) async throws -> AnyAPIResponse? {
            let kept = try await test.hub.database.pool.read { db in try #require(try IdempotencyRecord.fetchOne(db)) }
            let store = IdempotencyStore(
                household: household, key: try IdempotencyKey("a"), digest: kept.digest, member: member,
                policy: test.hub.policy, now: test.hub.clock.now())
            return try await test.hub.database.pool.read { db in try store.answered(db) }
        }
        let tom = try await test.services.accounts.addAdult(
            name: "Tom", email: "tom@example.org", password: "correct horse")
        for whole in [ines, try await member(id), try await member(tom.id, account: tom)] {
            let again = try #require(try await answer(to: whole))
            #expect(again.body.map { String(buffer: $0) } == theo.text, "\(whole.profile.name)")
        }
        for other in [try await member(mila.id), try await member(mila.id, account: tom)] {
            let again = try #require(try await answer(to: other))
            #expect(again.status == .created, "the outbox may forget what waits")
            #expect(again.body == nil)
        }
    }

    @Test("An idempotency record outlives a year in a drawer, and not two")
    func expiry() async throws {
        _ = try await beat("a")
        try await laterOnADeviceInUse(days: 365)
        _ = try await beat("b")
        #expect(try await beat("a").headers[.idempotentReplayed] == "true")
        try await laterOnADeviceInUse(days: 365)
        _ = try await beat("c")
        #expect(try await beat("a").headers[.idempotentReplayed] == nil)
    }

    /// A sign-in that nobody uses ends before an idempotency record does.
    private func laterOnADeviceInUse(days: Int64) async throws {
        test.advance(milliseconds: days * 86_400_000)
        let now = test.hub.clock.now()
        try await test.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE sign_in SET seen_at = ?", arguments: [now])
        }
    }

    private func add(_ name: String, _ key: String) async throws -> HTTPTestClient.Answer {
        try await client.send(
            .post, "/api/people", "{\"name\":\"\(name)\"}", token: token, headers: ["Idempotency-Key": key])
    }

    @Test(
        "No idempotency record names somebody who has gone, whatever they were called meanwhile, and what they sent is done no second time",
        arguments: ["Milo", "id", "name", "child", "0", "}"])
    func forgotten(renamed: String) async throws {
        let mila = try await add("Mila / \\\"Fox\\\" 🦊", "a")
        #expect(mila["name"] as? String == "Mila / \"Fox\" 🦊")
        let theo = try await add("Theo", "b")
        let household = try await test.hub.requiredHousehold().id
        let id = try #require(mila["id"] as? String)
        _ = try await test.services.accounts.change(person: id, .init(name: renamed), household: household)
        try await test.services.accounts.remove(person: id, household: household)
        #expect(try await add("Theo", "b").text == theo.text)
        let again = try await add("Mila / \\\"Fox\\\" 🦊", "a")
        #expect(again.status == 201)
        #expect(again.headers[.idempotentReplayed] == "true")
        #expect(again.text == "", "a page has nothing to draw")
        #expect(try await test.services.accounts.people(household: household).map(\.name) == ["Ines", "Theo"])
        let kept = try await test.hub.database.pool.read { db in try IdempotencyRecord.fetchAll(db) }
        #expect(Set(kept.map(\.id)) == ["a", "b"])
        #expect(!kept.contains { $0.person == id })
    }

    @Test("Nobody gets an answer who may not ask: an idempotency record is no way in")
    func signedOut() async throws {
        _ = try await beat("a")
        #expect(try await beat("a", token: "nobody's").status == 401)
    }

    @Test(
        "A key is 1 to 100 visible ASCII characters, and its quotes are none of it",
        arguments: [
            ("a", "a"), ("8e03978e-40d5-43e8-bc93-6894a57f9324", "8e03978e-40d5-43e8-bc93-6894a57f9324"),
            ("\"8e03\"", "8e03"), ("!~", "!~"),
            (String(repeating: "k", count: 100), String(repeating: "k", count: 100)),
            (String(repeating: "k", count: 101), nil), ("", nil), ("\"\"", nil), ("\"", nil), ("a b", nil),
            ("a, a", nil), ("a\tb", nil), ("a\u{7F}", nil), ("clé", nil), ("a\"b", nil), ("\"a\"b\"", nil),
            ("a\\", nil),
        ] as [(String, String?)])
    func grammar(field: String, text: String?) {
        #expect((try? IdempotencyKey(field))?.text == text)
    }

    @Test("Any bytes as a key are a key or a problem")
    func fuzz() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            do throws(Problem) {
                let key = try IdempotencyKey(String(decoding: bytes, as: UTF8.self))
                #expect((1...100).contains(key.text.utf8.count), "seed \(seed)")
                #expect(key.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "seed \(seed)")
            } catch {
                #expect(error.code == .badRequest, "seed \(seed)")
            }
        }
    }

    @Test("A key that is none is told, and nothing is done")
    func badKey() async throws {
        #expect(try await beat("a b").status == 400)
        #expect(try await count("beat") == 0)
    }
}
