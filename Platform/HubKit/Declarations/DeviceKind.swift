import Localization
import Storage

/// A sort of device that a person can add.
public struct DeviceKind: Sendable {
    /// On the command line and in the table: `plant-sensor`.
    public var name: String
    /// On screens: "Plant sensor".
    public var title: LocalizedText
    /// Makes the device's virtual twin possible, played by the hub itself.
    public var hasVirtual: Bool
    /// What the device publishes, and what is published to it. Those of the `channel` need not be repeated here.
    public var topics: [DeviceTopic]
    /// What a page and the device may say to each other directly; nil for nothing.
    public var channel: PageChannel?
    /// What it sends many times a second.
    public var streams: [SampleStream]
    /// How long its readings are stored.
    public var retention: ReadingRetention

    /// - Parameter topics: by default whatever the device publishes is given to its reader, and nothing is said to it.
    public init(
        name: String, title: LocalizedText.Sentence, hasVirtual: Bool = false,
        topics: [DeviceTopic] = [.fromDevice("#")], channel: PageChannel? = nil, streams: [SampleStream] = [],
        retention: ReadingRetention = ReadingRetention()
    ) {
        self.name = name
        self.title = LocalizedText(title)
        self.hasVirtual = hasVirtual
        self.topics = topics
        self.channel = channel
        self.streams = streams
        self.retention = retention
    }
}

/// A topic below `tandem/<id>/`, and who publishes to it.
public struct DeviceTopic: Sendable, Equatable {
    /// Who publishes.
    public enum Direction: Sendable {
        /// The device, or a program that speaks for it. The companion's reader is given the message.
        case fromDevice
        /// The hub, a page or a program. The message is handed on to whoever has subscribed, and read by nobody.
        case toDevice
    }

    /// An MQTT topic filter (MQTT 3.1.1, 4.7), relative to `tandem/<id>/`: `moisture`, `axis/+`, `#`.
    public var filter: String
    /// Who publishes to it.
    public var direction: Direction

    /// What the device publishes.
    public static func fromDevice(_ filter: String) -> DeviceTopic {
        DeviceTopic(filter: filter, direction: .fromDevice)
    }

    /// What is published to the device. It goes before a `fromDevice` topic that covers it.
    public static func toDevice(_ filter: String) -> DeviceTopic { DeviceTopic(filter: filter, direction: .toDevice) }
}
