import HubInstruments
import MQTT
import Storage
import Testing

@testable import HubKit

@Suite("The policy")
struct PolicyTests {
    @Test(
        "A device uses the topics below its own name and no other",
        arguments: [
            ("tandem/abc/moisture", true), ("tandem/abc/#", true), ("tandem/abc/readings/deep", true),
            ("tandem/abc", false),
            ("tandem/abcd/moisture", false), ("tandem/+/moisture", false), ("tandem/#", false), ("#", false),
            ("other/abc/moisture", false), ("", false),
        ])
    func device(topic: String, isAllowed: Bool) {
        #expect(Policy().allowsDevice("abc", topic: topic) == isAllowed)
    }

    @Test(
        "A program uses what its grants cover",
        arguments: [
            ("tandem/#", "tandem/abc/moisture", true), ("tandem/#", "tandem/+/moisture", true),
            ("tandem/#", "#", false),
            ("tandem/+/moisture", "tandem/abc/moisture", true), ("tandem/+/moisture", "tandem/abc/light", false),
            ("tandem/+/moisture", "tandem/#", false), ("#", "$SYS/x", false), ("tandem/a/#", "tandem/a", true),
            ("tandem/a", "tandem/a", true), ("tandem/a", "tandem/b", false),
        ])
    func integration(grant: String, topic: String, isAllowed: Bool) throws {
        #expect(Policy().allowsIntegration(grants: [try TopicFilter(grant)], topic: topic) == isAllowed)
    }

    @Test("An anonymous client of an original system publishes requests and hears responses, nothing else")
    func legacy() {
        let protocols = [LegacyProtocol(topics: [.request("rpi/torpi"), .response("rpi/fromrpi")], risk: "")]
        let policy = Policy()
        #expect(policy.allowsLegacy(.publish, topic: "rpi/torpi", of: protocols))
        #expect(policy.allowsLegacy(.subscribe, topic: "rpi/fromrpi", of: protocols))
        #expect(policy.allowsLegacy(.receive, topic: "rpi/fromrpi", of: protocols))
        for topic in ["#", "rpi/#", "rpi/+", "tandem/abc/moisture", "rpi/torpi"] {
            #expect(!policy.allowsLegacy(.subscribe, topic: topic, of: protocols))
        }
        #expect(!policy.allowsLegacy(.publish, topic: "rpi/fromrpi", of: protocols))
        #expect(!policy.allowsLegacy(.publish, topic: "rpi/torpi", of: []))
    }

    @Test("A stranger gets in nowhere but at the door; a child at an adult's phone does not do what is for adults")
    func routes() async throws {
        let test = try TestHub()
        let member = try await test.member()
        var asChild = member
        asChild.profile.role = .child
        let policy = Policy()
        #expect(policy.allows(.anonymous, .anyone, now: test.hub.clock.now()))
        #expect(!policy.allows(.anonymous, .member, now: test.hub.clock.now()))
        #expect(!policy.allows(.anonymous, .adult, now: test.hub.clock.now()))
        #expect(policy.allows(.person(member), .adult, now: test.hub.clock.now()))
        #expect(policy.allows(.person(asChild), .member, now: test.hub.clock.now()))
        #expect(!policy.allows(.person(asChild), .adult, now: test.hub.clock.now()))
        #expect(!policy.allowsLive(member, household: "another"))
    }

    /// Ines and Tom are adults; Mila and Theo are their children.
    private static let family = [
        PersonRecord(id: "ines", household: "linden", name: "Ines", role: .adult, createdAt: 1),
        PersonRecord(id: "tom", household: "linden", name: "Tom", role: .adult, createdAt: 2),
        PersonRecord(id: "mila", household: "linden", name: "Mila", role: .child, createdAt: 3),
        PersonRecord(id: "theo", household: "linden", name: "Theo", role: .child, createdAt: 4),
    ]

    @Test(
        "What is somebody’s own they see and the adults; a shared device that nobody has shown to be an adult’s, the children’s",
        arguments: [
            ("ines", false, nil, ["ines", "tom", "mila", "theo"]),
            ("tom", false, nil, ["ines", "tom", "mila", "theo"]),
            ("mila", false, 0, ["mila"]),
            ("mila", true, 0, ["mila"]),
            ("ines", true, 0, ["ines", "tom", "mila", "theo"]),
            ("ines", true, -299_999, ["ines", "tom", "mila", "theo"]),
            ("ines", true, -300_000, ["mila", "theo"]),
            ("ines", true, nil, ["mila", "theo"]),
            ("tom", true, nil, ["mila", "theo"]),
        ] as [(String, Bool, Int64?, [String])])
    func reading(profile: String, isShared: Bool, confirmed: Int64?, seen: [String]) throws {
        let now: Int64 = 1_795_220_000_000
        let ines = Self.family[0]
        let member = Member(
            person: ines, profile: try #require(Self.family.first { $0.id == profile }), signIn: "s",
            isShared: isShared, confirmedAt: confirmed.map { now + $0 })
        let policy = Policy()
        #expect(Self.family.filter { policy.allowsViewing(member, of: $0, now: now) }.map(\.id) == seen)
        #expect(Self.family.filter { policy.allowsSettings(member, of: $0, now: now) }.map(\.id) == seen)
        let neighbour = PersonRecord(id: "jo", household: "next", name: "Jo", role: .child, createdAt: 1)
        #expect(!policy.allowsViewing(member, of: neighbour, now: now))
    }

    @Test("How long a password stands is a setting")
    func setting() {
        var limits = PolicyLimits()
        #expect(limits.passwordMilliseconds == 5 * 60_000)
        limits.passwordMilliseconds = 1_000
        let ines = Self.family[0]
        let member = Member(person: ines, profile: ines, signIn: "s", isShared: true, confirmedAt: 0)
        #expect(!Policy(limits: limits).needsPassword(member, now: 999))
        #expect(Policy(limits: limits).needsPassword(member, now: 1_000))
    }
}
