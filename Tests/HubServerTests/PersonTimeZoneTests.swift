import Foundation
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("A person's time zone")
struct PersonTimeZoneTests {
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

    private func patch(_ id: String, _ body: String, token: String? = nil) async throws -> HTTPTestClient.Answer {
        try await client.send(.patch, "/api/people/\(id)", body, token: token ?? self.token)
    }

    @Test("Nobody has one of their own until somebody says so; null goes back, and what is left out stays")
    func change() async throws {
        let child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
        #expect(try await patch(child.id, "{}")["timeZone"] == nil)
        #expect(try await patch(child.id, "{\"timeZone\":\"Asia/Kolkata\"}")["timeZone"] as? String == "Asia/Kolkata")
        #expect(try await patch(child.id, "{\"name\":\"Milla\"}")["timeZone"] as? String == "Asia/Kolkata")
        let session = try await client.send(.get, "/api/session", token: token)
        let people = try #require(session["people"] as? [[String: Any]])
        #expect(people.map { $0["timeZone"] as? String } == [nil, "Asia/Kolkata"])
        #expect(session["person", "timeZone"] == nil)
        #expect(try await patch(child.id, "{\"timeZone\":null}")["timeZone"] == nil)
    }

    @Test("Names that browsers give are taken", arguments: ["UTC", "Etc/UTC", "Europe/Kyiv", "America/Nuuk", "GMT"])
    func known(name: String) async throws {
        #expect(try await patch(adult.id, "{\"timeZone\":\"\(name)\"}")["timeZone"] as? String == name)
    }

    @Test(
        "What is no time zone is refused in words, and changes nothing",
        arguments: [
            "", " ", "Mars/Base", "GMT+3", "GMT+0300", "europe/vienna", "../etc/passwd", "Europe/", "CEST", "+02:00",
            "Europe/Vienna ", String(repeating: "a/", count: 500),
        ])
    func refused(name: String) async throws {
        let answer = try await patch(adult.id, "{\"name\":\"Ida\",\"timeZone\":\"\(name)\"}")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "timeZone")
        #expect((answer["detail"] as? String)?.contains("Europe/Vienna") == true)
        #expect(try await patch(adult.id, "{}")["name"] as? String == "Ines")
    }

    @Test("A number is none either")
    func anotherType() async throws {
        let answer = try await patch(adult.id, "{\"timeZone\":2}")
        #expect(answer.status == 400)
        #expect(answer["field"] as? String == "timeZone")
    }

    @Test("A child's profile changes nobody's clock, and somebody of another household has none here")
    func policy() async throws {
        let child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
        let (token, member) = try await test.services.accounts.signIn(adult, agent: "test")
        _ = try await test.services.accounts.setProfile(child.id, of: member, password: nil, address: "test")
        #expect(try await patch(child.id, "{\"timeZone\":\"UTC\"}", token: token).status == 403)
        try await test.hub.database.pool.write { db in
            try HouseholdRecord(id: "next", name: "Next door", timeZone: "UTC", createdAt: 0).insert(db)
            try PersonRecord(id: "neighbour", household: "next", name: "Jo", role: .adult, createdAt: 0).insert(db)
        }
        #expect(try await patch("neighbour", "{\"timeZone\":\"UTC\"}").status == 404)
    }

    @Test(
        "A person's days begin by their own clock, else by the household's, through the changes to summer time",
        arguments: [
            // 2026-03-29 at 0:59 and 1:00 UTC: clocks in the European Union go forward.
            (nil, 1_774_745_940, 3_600), (nil, 1_774_746_000, 7_200),
            // 2026-10-25 at 1:00 UTC: back.
            (nil, 1_792_889_940, 7_200), (nil, 1_792_890_000, 3_600),
            // Half an hour, and no summer time.
            ("Asia/Kolkata", 1_774_746_000, 19_800), ("Asia/Kolkata", 1_792_890_000, 19_800),
            // The other half of the world: back on 2026-04-05, an hour east of what it is in July.
            ("Australia/Sydney", 1_774_746_000, 39_600), ("Australia/Sydney", 1_783_000_000, 36_000),
            // Forgotten by this system, as names are.
            ("Mars/Base", 1_774_746_000, 7_200),
        ] as [(String?, Int, Int)])
    func zone(name: String?, at seconds: Int, offset: Int) {
        let household = HouseholdRecord(id: "linden", name: "Linden", timeZone: "Europe/Vienna", createdAt: 0)
        let person = PersonRecord(
            id: "mila", household: "linden", name: "Mila", role: .child, createdAt: 0, timeZone: name)
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        #expect(person.zone(household).secondsFromGMT(for: date) == offset)
    }
}
