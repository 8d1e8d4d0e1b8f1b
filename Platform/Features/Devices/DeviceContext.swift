import HubKit

/// The hub with its companions, as its devices see it.
public struct DeviceContext: Sendable {
    /// The services that companions use.
    let hub: HubContext
    /// The companions, in the order of the registry.
    let companions: [any Companion]
    let devices: Devices
    let channels: DeviceChannels
    /// The topics of each kind of device, by its name.
    private let topics: [String: DeviceTopics]

    /// Creates the context.
    ///
    /// - Parameters:
    ///   - hub: the services that companions use.
    ///   - companions: the companions, whose kinds of devices these are.
    ///   - devices: the household's devices.
    ///   - channels: the channels between pages and devices.
    ///   - topics: the topics of each kind of device, by its name.
    public init(
        hub: HubContext, companions: [any Companion], devices: Devices, channels: DeviceChannels,
        topics: [String: DeviceTopics]
    ) {
        self.hub = hub
        self.companions = companions
        self.devices = devices
        self.channels = channels
        self.topics = topics
    }

    /// Adds the routes of devices.
    public func addRoutes(to routes: Routes) { DeviceRoutes(context: self).add(to: routes) }

    /// The companions whose original system is switched on, with its protocol.
    public var legacy: [(companion: any Companion, protocol: LegacyProtocol)] {
        companions.filter { hub.settings.legacy.contains(type(of: $0).slug) }
            .compactMap { companion in type(of: companion).legacy.map { (companion, $0) } }
    }

    /// The topics of a kind of device; nil for an unknown kind.
    func topics(ofKind kind: String) -> DeviceTopics? { topics[kind] }

    /// The companion of a kind of device.
    func companion(forKind kind: String) -> (any Companion)? {
        companions.first { type(of: $0).deviceKinds.contains { $0.name == kind } }
    }
}
