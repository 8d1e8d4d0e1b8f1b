import NIOCore

/// A decoder of the MQTT messages of one device. It is used on the event loop of the MQTT listener only.
public protocol DeviceMessageDecoder: AnyObject {
    /// Decodes one message.
    ///
    /// - Parameters:
    ///   - tail: the topic below `tandem/<id>/`, a slice of the received bytes.
    ///   - payload: the payload, a slice of the received bytes.
    ///   - readings: collects the readings in the message. Those added before an error are kept: a broken humidity
    ///     sensor does not silence the soil probe beside it.
    /// - Throws: `BadMessage` with a reason for the owner.
    func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage)
}

/// The decoder of a companion without devices.
final class NoMessageDecoder: DeviceMessageDecoder {
    func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
        throw BadMessage("This companion has no device that sends anything.")
    }
}

/// An error for a message that is valid MQTT and makes no sense to its companion. The message is acknowledged and
/// counted, and the owner is shown the reason.
public struct BadMessage: Error, Equatable {
    /// The reason: what is wrong, and what was expected.
    public var reason: String

    /// Creates the error with a reason for the owner.
    public init(_ reason: String) { self.reason = reason }
}
