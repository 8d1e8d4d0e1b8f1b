import HubKit
import MQTT
import NIOCore

/// The topics of one kind of device, prepared for matching.
public struct DeviceTopics: Sendable {
    /// The topic on which the hub reports errors in a device's messages; every kind of device has it.
    static let errors = "errors"

    private let fromDevice: [TopicFilter]
    private let toDevice: [TopicFilter]
    /// Whether `fromDevice` covers all topics that are not `toDevice`.
    private let readsAll: Bool

    /// Prepares the topics of a kind of device.
    ///
    /// - Throws: `DeclarationError` for a topic that MQTT does not allow, or that would match any device.
    public init(_ kind: DeviceKind, companion: String) throws(DeclarationError) {
        var fromDevice: [TopicFilter] = []
        var toDevice: [TopicFilter] = []
        let channel: [DeviceTopic] = kind.channel.map { [.toDevice($0.command), .fromDevice($0.answer)] } ?? []
        for topic in kind.topics + channel + [.toDevice(Self.errors)] {
            do {
                let filter = try TopicFilter(topic.filter)
                switch topic.direction {
                case .fromDevice: fromDevice.append(filter)
                case .toDevice: toDevice.append(filter)
                }
            } catch {
                throw DeclarationError(
                    companion: companion, reason: "“\(topic.filter)” of the kind \(kind.name) is no MQTT topic filter")
            }
        }
        self.fromDevice = fromDevice
        self.toDevice = toDevice
        readsAll = fromDevice.contains { $0.description == "#" }
    }

    /// Whether a message is from the device, for its reader.
    ///
    /// - Parameter tail: the topic below `tandem/<id>/`.
    func isFromDevice(_ tail: ByteBuffer) -> Bool {
        guard !Self.contains(toDevice, tail) else { return false }
        return readsAll || Self.contains(fromDevice, tail)
    }

    /// The error for a message that is not read, with the topics that the device may publish to.
    ///
    /// - Parameter tail: the topic below `tandem/<id>/`.
    func rejection(of tail: ByteBuffer) -> BadMessage {
        guard !Self.contains(toDevice, tail) else {
            return BadMessage("This topic is for what the hub says to the device; the device does not publish to it.")
        }
        let names = fromDevice.map { "“\($0)”" }.joined(separator: ", ")
        return BadMessage(
            names.isEmpty
                ? "A device of this kind publishes nothing." : "A device of this kind publishes to \(names) alone.")
    }

    private static func contains(_ filters: [TopicFilter], _ tail: ByteBuffer) -> Bool {
        for filter in filters {
            guard filter.hasWildcard else {
                if filter.bytes == tail { return true }
                continue
            }
            if let name = try? TopicName(bytes: tail), filter.matches(name) { return true }
        }
        return false
    }
}
