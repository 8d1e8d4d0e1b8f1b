import MQTT
import NIOCore

/// A valid topic with its receivers, shared by all connections that publish to it.
final class TopicRoute {
    struct Receiver {
        var route: Broker.Route
        /// The session's key, if messages of QoS 1 and 2 are stored for it.
        var stored: MQTTSessionKey?
        var session: Broker.SessionID { route.session }
    }

    /// The members of a shared subscription who may receive the topic, and whose turn it is.
    struct Share {
        var members: [Receiver]
        var next = 0
    }

    /// The topic, a copy and not a slice of what was received.
    let topic: TopicName
    let text: String
    /// The receivers that may have the topic, as of `generation`.
    var receivers: [Receiver] = []
    /// The shared subscriptions; one member of each receives a message.
    var shares: [Share] = []
    var receiverCount: Int { receivers.count + shares.reduce(0) { $0 + $1.members.count } }
    /// The broker's generation when the receivers were looked up.
    var generation: UInt64?

    init(_ bytes: ByteBuffer, limits: Limits) throws(ProtocolViolation) {
        topic = try TopicName(bytes: ByteBuffer(bytes: bytes.readableBytesView), limits: limits)
        text = String(buffer: topic.bytes)
    }
}
