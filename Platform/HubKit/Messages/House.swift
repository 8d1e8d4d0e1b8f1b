import Logging
import MQTT
import NIOCore
import Storage

/// The hub with its companions in it.
public struct House: Sendable {
    /// What they share.
    public let hub: Hub
    /// In the order of the registry.
    public let companions: [any Companion]

    /// Brings every companion to life.
    public init(hub: Hub, companions types: [any Companion.Type]) async throws {
        self.hub = hub
        var companions: [any Companion] = []
        for type in types {
            companions.append(try await type.init(hub: hub))
            for kind in type.deviceKinds {
                if let channel = kind.channel { hub.live.channels.install(channel, forKind: kind.name) }
            }
        }
        self.companions = companions
    }

    /// The companion whose kind of device this is.
    func companion(forKind kind: String) -> (any Companion)? {
        companions.first { type(of: $0).deviceKinds.contains { $0.name == kind } }
    }

    /// The original systems' protocols that the owner has switched on.
    var legacy: [LegacyProtocol] {
        companions.filter { hub.settings.legacy.contains(type(of: $0).slug) }.compactMap { type(of: $0).legacy }
    }

    /// As navigation shows them.
    var summaries: [CompanionSummary] {
        companions.map {
            CompanionSummary(slug: type(of: $0).slug, title: type(of: $0).title, path: "/" + type(of: $0).slug)
        }
    }
}
