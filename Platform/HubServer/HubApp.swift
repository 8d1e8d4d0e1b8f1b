import HubKit
import Localization
import Logging
import MQTT
import NIOCore
import Storage

/// The hub with its companions in it.
public struct HubApp: Sendable {
    /// What they share.
    public var hub: Hub { services.hub }
    /// What the server has beside it.
    public let services: HubServices
    /// In the order of the registry.
    public let companions: [any Companion]

    /// What the hub and all companions say.
    let sentences: StringCatalog

    /// The topics of each kind of device, by its name.
    private let topics: [String: DeviceTopics]

    /// What the hub and companions say, read from the catalogs that are built into the executable: some milliseconds.
    public static func sentences(of types: [any Companion.Type]) -> StringCatalog {
        types.reduce(StringCatalog.server) { $0.merging($1.sentences) }
    }

    /// The same, where nothing has read them yet: each companion's by a task of its own.
    public static func readSentences(of types: [any Companion.Type]) async -> StringCatalog {
        await withDiscardingTaskGroup { group in
            for type in types { group.addTask { _ = type.sentences } }
        }
        return sentences(of: types)
    }

    /// Brings every companion to life.
    ///
    /// - Parameter sentences: what they say, where that was read already.
    /// - Throws: `DeclarationError` where what they declare cannot be, and what they throw themselves.
    public init(services: HubServices, companions types: [any Companion.Type], sentences: StringCatalog? = nil)
        async throws
    {
        self.services = services
        topics = try Declarations(types).topics
        self.sentences = sentences ?? Self.sentences(of: types)
        services.devices.install(types)
        services.archives.install(types)
        var companions: [any Companion] = []
        for type in types {
            let companion = try await type.init(hub: services.hub)
            try Self.check(companion.sessionFormat, of: type.slug)
            companions.append(companion)
            for kind in type.deviceKinds {
                if let channel = kind.channel { services.channels.install(channel, forKind: kind.name) }
            }
            for use in type.outbound {
                guard services.outbound.install(use) else {
                    throw DeclarationError(
                        companion: type.slug, reason: "“\(use.purpose)” is for what another calls hosts already")
                }
            }
        }
        self.companions = companions
    }

    /// What the devices of a kind publish, and what is published to them; nil for a kind that no companion has.
    func topics(ofKind kind: String) -> DeviceTopics? { topics[kind] }

    /// The companion whose kind of device this is.
    func companion(forKind kind: String) -> (any Companion)? {
        companions.first { type(of: $0).deviceKinds.contains { $0.name == kind } }
    }

    /// The companions whose original system the owner has switched on, with its protocol.
    var legacy: [(companion: any Companion, protocol: LegacyProtocol)] {
        companions.filter { hub.settings.legacy.contains(type(of: $0).slug) }
            .compactMap { companion in type(of: companion).legacy.map { (companion, $0) } }
    }

    /// As navigation shows them.
    var summaries: [CompanionSummary] {
        companions.map {
            CompanionSummary(slug: type(of: $0).slug, title: type(of: $0).title, path: "/" + type(of: $0).slug)
        }
    }
}
