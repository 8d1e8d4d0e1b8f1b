import Foundation
import GRDB
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit

@Suite("Sessions are stored once")
struct SessionStoreTests {
    private let test: TestHub
    private let ines: PersonRecord
    private let id = "00112233445566778899aabbccddeeff"

    init() async throws {
        test = try TestHub()
        ines = try await test.seed()
    }

    private func record(_ content: [UInt8], companion: String = "brushing", household: String? = nil, of: String? = nil)
        -> SessionRecord
    {
        SessionRecord(
            household: household ?? ines.household, id: id, person: of ?? ines.id, companion: companion,
            startedAt: 1_000, endedAt: 2_000, engineVersion: 1, content: content, claimDiffers: false,
            receivedAt: test.hub.clock.now())
    }

    private func store(_ record: SessionRecord) async throws -> Sessions.Stored {
        try await test.hub.database.pool.write { db in try Sessions.store(record, db) }
    }

    private func count() async throws -> Int {
        try await test.hub.database.pool.read { db in try SessionRecord.fetchCount(db) }
    }

    @Test("What comes five times is stored once, as it came the first time")
    func again() async throws {
        #expect(try await store(record([1, 2, 3])) == .new)
        test.advance(milliseconds: 60_000)
        for _ in 0..<4 { #expect(try await store(record([1, 2, 3])) == .again) }
        #expect(try await count() == 1)
        let stored = try #require(
            try await test.hub.database.pool.read { db in try Sessions.find(id, household: ines.household, db) })
        #expect(stored.content == Data([1, 2, 3]))
        #expect(stored.receivedAt == test.hub.clock.now() - 60_000)
    }

    @Test("Five at once are one")
    func parallel() async throws {
        let outcomes = try await withThrowingTaskGroup(of: Sessions.Stored.self) { group in
            for _ in 0..<5 { group.addTask { try await store(record([7])) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .new }.count == 1)
        #expect(outcomes.filter { $0 == .again }.count == 4)
        #expect(try await count() == 1)
    }

    @Test("An id that has other content, or is another companion’s, is refused in words, and what is stored stays")
    func otherContent() async throws {
        _ = try await store(record([1, 2, 3]))
        for other in [record([1, 2, 4]), record([1, 2, 3], companion: "drums")] {
            let problem = await #expect(throws: Problem.self) { try await store(other) }
            #expect(problem?.code == .conflict)
            #expect(problem?.detail.english.contains("id of its own") == true)
        }
        #expect(try await count() == 1)
    }

    @Test("What the hub had closed is gone on with, what is known changes nothing, and another person’s is refused")
    func goneOnWith() async throws {
        func store(_ record: SessionRecord, _ relation: Sessions.Relation) async throws -> Sessions.Stored {
            try await test.hub.database.pool.write { db in try Sessions.store(record, db) { _ in relation } }
        }
        func content() async throws -> [UInt8] {
            try await test.hub.database.pool.read { db in
                Array(try #require(try Sessions.find(id, household: ines.household, db)).content)
            }
        }
        #expect(try await store(record([1, 2]), .other) == .new)
        #expect(try await store(record([1]), .known) == .again)
        #expect(try await content() == [1, 2])
        #expect(try await store(record([1, 2, 3]), .goesOn) == .replaced)
        #expect(try await content() == [1, 2, 3])
        let mila = try await test.services.accounts.addChild(
            household: ines.household, name: "Mila", birthYear: nil, face: nil)
        await #expect(throws: Problem.self) { try await store(record([1, 2, 3, 4], of: mila.id), .goesOn) }
        await #expect(throws: Problem.self) { try await store(record([1, 2, 3, 4], companion: "drums"), .goesOn) }
        #expect(try await content() == [1, 2, 3])
        #expect(try await count() == 1)
    }

    @Test("Another household’s id is another id")
    func households() async throws {
        try await test.hub.database.pool.write { db in
            try HouseholdRecord(id: "next", name: "Next door", timeZone: "UTC", createdAt: 0).insert(db)
            try PersonRecord(id: "jo", household: "next", name: "Jo", role: .adult, createdAt: 0).insert(db)
        }
        #expect(try await store(record([1])) == .new)
        #expect(try await store(record([2], household: "next", of: "jo")) == .new)
        #expect(try await count() == 2)
    }

    @Test("Sessions go with whom they are of")
    func removed() async throws {
        let mila = try await test.services.accounts.addChild(
            household: ines.household, name: "Mila", birthYear: nil, face: nil)
        _ = try await store(record([1], of: mila.id))
        try await test.services.accounts.remove(person: mila.id, household: ines.household)
        #expect(try await count() == 0)
    }

    @Test(
        "An adult delivers for everybody, and so does the family’s device; a child for children and whose phone it is",
        arguments: [
            // Whose sign-in, who uses the page, whether the family shares it, and for whom it may deliver.
            ("ines", "ines", false, ["ines", "tom", "mila", "theo"]),
            ("tom", "tom", false, ["ines", "tom", "mila", "theo"]), ("tom", "theo", false, ["tom", "mila", "theo"]),
            ("ines", "mila", false, ["ines", "mila", "theo"]), ("ines", "tom", false, ["ines", "tom", "mila", "theo"]),
            ("ines", "mila", true, ["ines", "tom", "mila", "theo"]),
            ("ines", "ines", true, ["ines", "tom", "mila", "theo"]),
        ] as [(String, String, Bool, Set<String>)])
    func owners(account: String, profile: String, isShared: Bool, expected: Set<String>) throws {
        let people = [("ines", PersonRecord.Role.adult), ("tom", .adult), ("mila", .child), ("theo", .child)].map {
            PersonRecord(id: $0.0, household: "linden", name: $0.0, role: $0.1, createdAt: 0)
        }
        let member = Member(
            person: try #require(people.first { $0.id == account }),
            profile: try #require(people.first { $0.id == profile }), signIn: "s", isShared: isShared)
        let allowed = people.filter { test.hub.policy.allowsSession(member, of: $0) }.map(\.id)
        #expect(Set(allowed) == expected)
        let neighbour = PersonRecord(id: "jo", household: "next", name: "Jo", role: .child, createdAt: 0)
        #expect(!test.hub.policy.allowsSession(member, of: neighbour))
    }
}
