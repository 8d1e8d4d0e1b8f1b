import HubInstruments
import Storage
import Testing

@testable import Devices
@testable import HubKit
@testable import HubServer
@testable import Outbound

@Suite("What companions declare")
struct DeclarationsTests {
    private struct Toy: Companion {
        static let slug = "kettle"
        static let title = "Kettle"
        static let migrations: [Migration] = []
        static let deviceKinds = [
            DeviceKind(
                name: "kettle", title: "Kettle",
                channel: PageChannel(
                    command: "boil", answer: "whistle", mostBytes: 300, framesASecond: 20, messagesASecond: 500))
        ]
        static let outbound = [
            OutboundUse(
                purpose: "weather", title: "the weather", words: "How cold it is outside.",
                hosts: [.name("api.example.org")])
        ]
        static let legacy: LegacyProtocol? = LegacyProtocol(
            routes: [LegacyRoute(.get, "/Trivia/{userID}", "The next fact.")], risk: "Risk.")
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
        func answer(_ route: LegacyRoute, _ request: APIRequest) async throws -> APIResponse<LegacyAnswer> {
            try .legacy(json: ["of": try request.path("userID"), "by": route.path])
        }
    }

    private struct SameKind: Companion {
        static let slug = "same"
        static let title = "Same"
        static let migrations: [Migration] = []
        static let deviceKinds = [DeviceKind(name: "kettle", title: "Another")]
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private struct BadTopic: Companion {
        static let slug = "bad-topic"
        static let title = "Bad"
        static let migrations: [Migration] = []
        static let deviceKinds = [DeviceKind(name: "bad", title: "Bad", topics: [.fromDevice("a/#/b")])]
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private struct BadChannel: Companion {
        static let slug = "bad-channel"
        static let title = "Bad"
        static let migrations: [Migration] = []
        static let deviceKinds = [
            DeviceKind(
                name: "bad", title: "Bad", channel: PageChannel(command: "a", answer: "b", mostBytes: 1 << 20))
        ]
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private struct BadStream: Companion {
        static let slug = "bad-stream"
        static let title = "Bad"
        static let migrations: [Migration] = []
        static let deviceKinds = [
            DeviceKind(
                name: "bad", title: "Bad", streams: [SampleStream(name: "motion", axes: [], gapMicroseconds: 1)])
        ]
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private struct LegacyInside: Companion {
        static let slug = "inside"
        static let title = "Bad"
        static let migrations: [Migration] = []
        static let legacy: LegacyProtocol? = LegacyProtocol(topics: [.request("tandem/a/b")], risk: "")
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private struct LegacyAPI: Companion {
        static let slug = "legacy-api"
        static let title = "Bad"
        static let migrations: [Migration] = []
        static let legacy: LegacyProtocol? = LegacyProtocol(routes: [LegacyRoute(.get, "/api/x", "")], risk: "")
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private struct AddressOutbound: Companion {
        static let slug = "address"
        static let title = "Bad"
        static let migrations: [Migration] = []
        static let outbound = [OutboundUse(purpose: "x", title: "x", words: "", hosts: [.name("192.168.1.1")])]
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private struct BadSlug: Companion {
        static let slug = "Bad Slug"
        static let title = "Bad"
        static let migrations: [Migration] = []
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    @Test(
        "What cannot be, or contradicts another’s, is refused when the hub starts",
        arguments: [
            [Toy.self, SameKind.self], [BadTopic.self], [BadChannel.self], [BadStream.self], [LegacyInside.self],
            [LegacyAPI.self],
            [AddressOutbound.self], [BadSlug.self], [Toy.self, Toy.self],
        ] as [[any Companion.Type]])
    func refused(companions: [any Companion.Type]) async throws {
        let test = try TestHub()
        await #expect(throws: DeclarationError.self) {
            try await HubApplication(services: test.services, companions: companions)
        }
    }

    @Test("A channel makes room for its messages on the live socket, and never less than there was")
    func channelLimits() async throws {
        let test = try TestHub()
        #expect(test.services.channels.limits == PageChannelLimits())
        _ = try await HubApplication(services: test.services, companions: [Toy.self])
        #expect(test.services.channels.limits.frameBytes == 392 + 6 * 300)
        #expect(test.services.channels.limits.framesASecond == 100)
        var small = PageChannelLimits()
        small.include(PageChannel(command: "a", answer: "b", mostBytes: 20))
        #expect(small == PageChannelLimits())
    }

    @Test("A route of an original system is there where the owner switched it on, for anybody, and nowhere else")
    func legacyRoutes() async throws {
        for (legacy, status) in [(Set(["kettle"]), 200), ([], 404)] {
            let test = try TestHub { $0.legacy = legacy }
            let client = try await HTTPTestClient(
                test, app: HubApplication(services: test.services, companions: [Toy.self]))
            let answer = try await client.send(.get, "/Trivia/17")
            #expect(answer.status == status)
            if status == 200 { #expect(answer.text.contains(#""of":"17""#)) }
            #expect(try await client.send(.get, "/openapi.json").text.contains("/Trivia/{userID}") == (status == 200))
        }
    }

    @Test("One that speaks HTTP alone lets nobody in over MQTT")
    func legacyWithoutTopics() async throws {
        let test = try TestHub { $0.legacy = ["kettle"] }
        let app = try await HubApplication(services: test.services, companions: [Toy.self])
        #expect(app.deviceContext.legacy.count == 1)
        #expect(!test.hub.policy.allowsLegacy(.subscribe, topic: "#", of: app.deviceContext.legacy.map(\.protocol)))
    }

    @Test("The hub calls for a companion the hosts that it declares, for that purpose, and no other")
    func outbound() async throws {
        let test = try TestHub()
        _ = try await HubApplication(services: test.services, companions: [Toy.self])
        let outbound = test.services.outbound
        #expect(outbound.uses.map(\.purpose) == ["push", "weather"])
        #expect(try outbound.origin(of: "https://api.example.org/v1", for: "weather") == "https://api.example.org")
        for (url, purpose) in [
            ("https://api.example.org/v1", "push"), ("https://fcm.googleapis.com/x", "weather"),
            ("https://evil.example.org/", "weather"), ("https://api.example.org/v1", "nothing"),
            ("http://api.example.org/v1", "weather"),
        ] {
            #expect(throws: OutboundError.self) { try outbound.origin(of: url, for: purpose) }
        }
    }

    @Test("The owner is told for what the hub may call whom")
    func uses() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(
            test, app: HubApplication(services: test.services, companions: [Toy.self]))
        let token = try await client.token(test.seed())
        let answer = try await client.send(.get, "/api/outbound", token: token)
        #expect(answer["uses", "1", "purpose"] as? String == "weather")
        #expect(answer["uses", "1", "words"] as? String == "How cold it is outside.")
        #expect(answer["uses", "1", "hosts"] as? [String] == ["api.example.org"])
    }
}
