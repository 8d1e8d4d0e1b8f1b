import Accounts
import Bluetooth
import Devices
import Firmware
import HomeAssistant
import HubKit
import Localization
import Logging
import MQTT
import NIOCore
import Push
import Reminders
import Storage

/// The hub with its companions.
public struct HubApplication: Sendable {
    /// The services that companions use.
    public var hub: HubContext { services.hub }
    /// The services of the server alone.
    public let services: ServerContext
    /// The companions, in the order of the registry.
    public let companions: [any Companion]

    /// The hub's part in Home Assistant's discovery.
    public let homeAssistant: HomeAssistant
    /// The hub's own Bluetooth radio.
    public let bluetooth: Bluetooth

    /// The images of boards, and what devices run.
    public let firmware: Firmware

    /// The other programs that are told the companions' events.
    public let webhooks: Webhooks

    /// The texts of the hub and all companions.
    let sentences: StringCatalog

    /// The topics of each kind of device, by its name.
    private let topics: [String: DeviceTopics]

    /// The texts of the hub and companions, read from the catalogs in the executable, which takes some milliseconds.
    public static func sentences(of types: [any Companion.Type]) -> StringCatalog {
        types.reduce(StringCatalog.server) { $0.merging($1.sentences) }
    }

    /// The texts of the hub and companions, read concurrently if they have not been read yet.
    public static func readSentences(of types: [any Companion.Type]) async -> StringCatalog {
        await withDiscardingTaskGroup { group in
            for type in types { group.addTask { _ = type.sentences } }
        }
        return sentences(of: types)
    }

    /// Creates every companion.
    ///
    /// - Parameters:
    ///   - services: the hub's services.
    ///   - types: the companions.
    ///   - sentences: their texts, if they were read already.
    /// - Throws: `DeclarationError` for an invalid declaration, and the companions' own errors.
    public init(services: ServerContext, companions types: [any Companion.Type], sentences: StringCatalog? = nil)
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
            try Self.check(companion.sessionDefinition, of: type.slug)
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
        homeAssistant = HomeAssistant(
            hub: services.hub, companions: companions, sentences: self.sentences, devices: services.devices)
        firmware = Firmware(hub: services.hub, devices: services.devices)
        webhooks = Webhooks(hub: services.hub, companions: companions, push: services.push)
        bluetooth = Bluetooth(
            hub: services.hub, companions: companions, home: homeAssistant, devices: services.devices,
            channels: services.channels)
    }

    /// The hub with its companions, as reminders see it.
    public var reminderContext: ReminderContext {
        ReminderContext(hub: hub, companions: companions, sentences: sentences, push: services.push)
    }

    /// The hub with its companions, as its devices see it.
    public var deviceContext: DeviceContext {
        DeviceContext(
            hub: hub, companions: companions, devices: services.devices, channels: services.channels, topics: topics)
    }

    /// The companions for the navigation.
    var summaries: [CompanionSummary] {
        companions.map {
            CompanionSummary(
                slug: type(of: $0).slug, title: type(of: $0).title, path: "/" + type(of: $0).slug)
        }
    }
}
