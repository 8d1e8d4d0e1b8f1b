import NIOCore

/// A handler of the MQTT messages of one anonymous client of an original system. It is used on the event loop of the
/// MQTT listener only.
public protocol LegacyMessageHandler: AnyObject {
    /// Handles one message.
    ///
    /// - Parameters:
    ///   - topic: one of the protocol's ``LegacyTopic/Direction/request`` topics, a slice of the received bytes.
    ///   - payload: the payload, a slice of the received bytes.
    func receive(topic: ByteBuffer, payload: ByteBuffer)
    /// Ends the handler, after its connection was closed.
    func close()
}
