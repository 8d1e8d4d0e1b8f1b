import MQTT
import NIOCore

/// A topic that was found valid, and who receives it. Shared by all connections that publish to it, so that neither is
/// worked out for each message.
final class TopicRoute {
    struct Receiver {
        var route: Broker.Route
        /// The session's key where messages of QoS 1 and 2 are to be stored for it.
        var stored: MQTTSessionKey?
        var session: Broker.SessionID { route.session }
    }

    /// The members of a shared subscription who may have the topic, and whose turn it is.
    struct Share {
        var members: [Receiver]
        var next = 0
    }

    /// A copy of its own, not a slice of what was read.
    let topic: TopicName
    let text: String
    /// The receivers who may have the topic, as of `generation`.
    var receivers: [Receiver] = []
    /// Of each, one member receives a message.
    var shares: [Share] = []
    var receiverCount: Int { receivers.count + shares.reduce(0) { $0 + $1.members.count } }
    /// The broker's generation when `receivers` was worked out.
    var generation: UInt64?

    init(_ bytes: ByteBuffer, limits: Limits) throws(ProtocolViolation) {
        topic = try TopicName(bytes: ByteBuffer(bytes: bytes.readableBytesView), limits: limits)
        text = String(buffer: topic.bytes)
    }
}
