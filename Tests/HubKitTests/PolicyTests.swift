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
        let protocols = [LegacyProtocol(requestTopic: "rpi/torpi", responseTopic: "rpi/fromrpi", risk: "")]
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
        #expect(policy.allows(.anonymous, .anyone))
        #expect(!policy.allows(.anonymous, .member))
        #expect(!policy.allows(.anonymous, .adult))
        #expect(policy.allows(.person(member), .adult))
        #expect(policy.allows(.person(asChild), .member))
        #expect(!policy.allows(.person(asChild), .adult))
        #expect(!policy.allowsLive(member, household: "another"))
    }
}
