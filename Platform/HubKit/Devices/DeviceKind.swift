import Localization
import Storage

/// A kind of device that a person can add.
public struct DeviceKind: Sendable {
    /// The name on the command line and in the database, such as `plant-sensor`.
    public var name: String
    /// The title on screens, such as "Plant sensor".
    public var title: LocalizedText
    /// Whether the hub can run a virtual device of this kind.
    public var hasVirtual: Bool
    /// Whether a device of this kind may come without TLS from the house's network, where the owner lets such in: it
    /// speaks none.
    public var comesWithoutTLS: Bool
    /// Whether a device of this kind is added only where the hub's radio has found it.
    public var isOnlyFound: Bool
    /// The topics that the device publishes and subscribes to. Those of ``channel`` need not be listed.
    public var topics: [DeviceTopic]
    /// The channel between a page and the device; nil for none.
    public var channel: PageChannel?
    /// The streams of samples that it sends many times a second.
    public var streams: [SampleStream]
    /// The times for which its readings are stored.
    public var retention: ReadingRetention

    /// Declares a kind of device.
    ///
    /// - Parameters:
    ///   - name: the name on the command line and in the database.
    ///   - title: the title on screens, a literal that can be translated.
    ///   - hasVirtual: whether the hub can run a virtual device of this kind.
    ///   - comesWithoutTLS: whether it may come without TLS, where the owner lets such devices in.
    ///   - isOnlyFound: whether it is added only where the hub's radio has found it.
    ///   - topics: the topics that it publishes and subscribes to; by default all that it publishes is passed to its
    ///     reader.
    ///   - channel: the channel between a page and the device.
    ///   - streams: the streams of samples that it sends.
    ///   - retention: the times for which its readings are stored.
    public init(
        name: String, title: LocalizedText.Sentence, hasVirtual: Bool = false, comesWithoutTLS: Bool = false,
        isOnlyFound: Bool = false, topics: [DeviceTopic] = [.fromDevice("#")], channel: PageChannel? = nil,
        streams: [SampleStream] = [],
        retention: ReadingRetention = ReadingRetention()
    ) {
        self.name = name
        self.title = LocalizedText(title)
        self.hasVirtual = hasVirtual
        self.comesWithoutTLS = comesWithoutTLS
        self.isOnlyFound = isOnlyFound
        self.topics = topics
        self.channel = channel
        self.streams = streams
        self.retention = retention
    }
}

/// A topic below `tandem/<id>/`, with its direction.
public struct DeviceTopic: Sendable, Equatable {
    /// The direction of messages.
    public enum Direction: Sendable {
        /// From the device, or a program that speaks for it, to the companion's reader.
        case fromDevice
        /// From the hub, a page or a program to all subscribers; the companion does not read them.
        case toDevice
    }

    /// The MQTT topic filter (MQTT 3.1.1, 4.7), relative to `tandem/<id>/`, such as `moisture`, `axis/+` or `#`.
    public var filter: String
    /// The direction of its messages.
    public var direction: Direction

    /// A topic that the device publishes.
    public static func fromDevice(_ filter: String) -> DeviceTopic {
        DeviceTopic(filter: filter, direction: .fromDevice)
    }

    /// A topic that is published to the device. It takes precedence over a `fromDevice` topic that covers it.
    public static func toDevice(_ filter: String) -> DeviceTopic { DeviceTopic(filter: filter, direction: .toDevice) }
}
