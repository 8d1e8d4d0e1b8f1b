import NIOCore

/// A PUBLISH, section 3.3. Topic and payload are slices of the bytes read: nothing is copied, and a slice that is
/// stored keeps the whole read buffer alive.
public struct Publish: Sendable, Equatable {
    /// The topic's bytes as sent. The decoder does not look into them, because most clients repeat one topic:
    /// validate with `TopicName(bytes:limits:)` when they differ from the topic before.
    public var topic: ByteBuffer
    public var payload: ByteBuffer
    /// Nil with QoS 0 [MQTT-2.3.1-5], never zero.
    public var packetID: UInt16?
    public var retain: Bool
    /// This might be a second attempt to deliver the same message.
    public var isDuplicate: Bool

    public var qualityOfService: QualityOfService { packetID == nil ? .atMostOnce : .atLeastOnce }

    /// - Parameter packetID: nil for QoS 0, not zero for QoS 1.
    public init(
        topic: ByteBuffer, payload: ByteBuffer, packetID: UInt16? = nil, retain: Bool = false, isDuplicate: Bool = false
    ) {
        self.topic = topic
        self.payload = payload
        self.packetID = packetID
        self.retain = retain
        self.isDuplicate = isDuplicate
    }

    init(flags: UInt8, body: inout ByteBuffer) throws(ProtocolViolation) {
        let isDuplicate = flags & 8 != 0
        switch flags >> 1 & 3 {
        case 0:
            guard !isDuplicate else { throw .duplicateOfUnacknowledged }
            topic = try body.readField()
            packetID = nil
        case 1:
            topic = try body.readField()
            packetID = try body.readPacketID()
        case 2: throw .exactlyOnce
        default: throw .publishQualityOfService
        }
        payload = body
        retain = flags & 1 != 0
        self.isDuplicate = isDuplicate
    }
}
