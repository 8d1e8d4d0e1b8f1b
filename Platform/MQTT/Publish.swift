import NIOCore

/// A PUBLISH, section 3.3. Topic and payload are slices of the bytes read: nothing is copied, and a slice that is
/// stored keeps the whole read buffer alive.
public struct Publish: Sendable, Equatable {
    /// The topic's bytes as sent. The decoder does not look into them, because most clients repeat one topic:
    /// validate with `TopicName(bytes:limits:)` when they differ from the topic before. Empty where the topic is that of
    /// an alias, MQTT 5.0, section 3.3.2.3.4.
    public var topic: ByteBuffer
    public var payload: ByteBuffer
    /// Nil with QoS 0 [MQTT-2.3.1-5], never zero.
    public var packetID: UInt16?
    public var qualityOfService: QualityOfService
    public var retain: Bool
    /// This might be a second attempt to deliver the same message.
    public var isDuplicate: Bool
    /// Nil where it has none, as in MQTT 3.1.1.
    public var properties: PublishProperties?

    /// - Parameters:
    ///   - packetID: nil for QoS 0, not zero for QoS 1 and 2.
    ///   - qualityOfService: 1 with a packet id and 0 without, unless said otherwise.
    public init(
        topic: ByteBuffer, payload: ByteBuffer, packetID: UInt16? = nil, qualityOfService: QualityOfService? = nil,
        retain: Bool = false, isDuplicate: Bool = false, properties: PublishProperties? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.packetID = packetID
        self.qualityOfService = qualityOfService ?? (packetID == nil ? .atMostOnce : .atLeastOnce)
        self.retain = retain
        self.isDuplicate = isDuplicate
        self.properties = properties
    }

    init(flags: UInt8, body: inout ByteBuffer, version: ProtocolVersion) throws(ProtocolViolation) {
        isDuplicate = flags & 8 != 0
        retain = flags & 1 != 0
        guard let qualityOfService = QualityOfService(rawValue: flags >> 1 & 3) else { throw .publishQualityOfService }
        self.qualityOfService = qualityOfService
        guard !isDuplicate || qualityOfService != .atMostOnce else { throw .duplicateOfUnacknowledged }
        topic = try body.readField()
        packetID = qualityOfService == .atMostOnce ? nil : try body.readPacketID()
        properties = version.hasProperties ? try PublishProperties(&body) : nil
        payload = body
    }

    /// Appends the packet to `bytes`.
    public func write(into bytes: inout ByteBuffer, version: ProtocolVersion = .v311) {
        let flags: UInt8 = (isDuplicate ? 8 : 0) | qualityOfService.rawValue << 1 | (retain ? 1 : 0)
        var length = 2 + topic.readableBytes + (packetID == nil ? 0 : 2) + payload.readableBytes
        guard version.hasProperties else {
            bytes.writeFixedHeader(0x30 | flags, length: length)
            bytes.writeInteger(UInt16(truncatingIfNeeded: topic.readableBytes))
            bytes.writeImmutableBuffer(topic)
            if let packetID { bytes.writeInteger(packetID) }
            bytes.writeImmutableBuffer(payload)
            return
        }
        var written = properties?.written ?? ByteBuffer()
        length += ByteBuffer.variableByteIntegerLength(written.readableBytes) + written.readableBytes
        bytes.writeFixedHeader(0x30 | flags, length: length)
        bytes.writeInteger(UInt16(truncatingIfNeeded: topic.readableBytes))
        bytes.writeImmutableBuffer(topic)
        if let packetID { bytes.writeInteger(packetID) }
        bytes.writeVariableByteInteger(written.readableBytes)
        bytes.writeBuffer(&written)
        bytes.writeImmutableBuffer(payload)
    }

    /// How many bytes the packet has when it is written, its fixed header included.
    public func packetBytes(version: ProtocolVersion) -> Int {
        var length = 2 + topic.readableBytes + (packetID == nil ? 0 : 2) + payload.readableBytes
        if version.hasProperties {
            let count = properties?.written.readableBytes ?? 0
            length += ByteBuffer.variableByteIntegerLength(count) + count
        }
        return 1 + ByteBuffer.variableByteIntegerLength(length) + length
    }
}

/// The properties of a PUBLISH, MQTT 5.0, section 3.3.2.3. A class, so that a PUBLISH without any is no larger for them.
public final class PublishProperties: Sendable, Equatable {
    /// What goes on to subscribers as it came, in its order: payload format indicator, content type, response topic,
    /// correlation data, user properties; as property fields without their length.
    public let forwarded: ByteBuffer
    /// How long the message is worth delivering, from its arrival; nil for ever.
    public let expirySeconds: UInt32?
    public let topicAlias: UInt16?
    /// Of the subscriptions that it is delivered for; only servers send them.
    public let subscriptionIdentifiers: [UInt32]

    /// - Returns: nil where there is nothing to say.
    public init?(
        forwarded: ByteBuffer = ByteBuffer(), expirySeconds: UInt32? = nil, topicAlias: UInt16? = nil,
        subscriptionIdentifiers: [UInt32] = []
    ) {
        guard
            forwarded.readableBytes > 0 || expirySeconds != nil || topicAlias != nil || !subscriptionIdentifiers.isEmpty
        else { return nil }
        self.forwarded = forwarded
        self.expirySeconds = expirySeconds
        self.topicAlias = topicAlias
        self.subscriptionIdentifiers = subscriptionIdentifiers
    }

    fileprivate convenience init?(_ body: inout ByteBuffer) throws(ProtocolViolation) {
        var reader = try PropertyReader(&body)
        var fields = PublishFields()
        while let property = try reader.next() {
            switch property {
            case .topicAlias(let alias):
                guard alias != 0 else { throw .topicAlias }
                fields.topicAlias = alias
            case .subscriptionIdentifier(let identifier): fields.subscriptionIdentifiers.append(identifier)
            default: try fields.take(property)
            }
        }
        self.init(
            forwarded: fields.forwarded, expirySeconds: fields.expirySeconds, topicAlias: fields.topicAlias,
            subscriptionIdentifiers: fields.subscriptionIdentifiers)
    }

    /// As property fields, without their length.
    var written: ByteBuffer {
        var bytes = forwarded
        if let expirySeconds { Property.messageExpiryInterval(expirySeconds).write(into: &bytes) }
        if let topicAlias { Property.topicAlias(topicAlias).write(into: &bytes) }
        for identifier in subscriptionIdentifiers { Property.subscriptionIdentifier(identifier).write(into: &bytes) }
        return bytes
    }

    public static func == (left: PublishProperties, right: PublishProperties) -> Bool {
        left.forwarded == right.forwarded && left.expirySeconds == right.expirySeconds
            && left.topicAlias == right.topicAlias && left.subscriptionIdentifiers == right.subscriptionIdentifiers
    }
}

/// The properties that a PUBLISH and a will share, while they are read.
struct PublishFields {
    var forwarded = ByteBuffer()
    var expirySeconds: UInt32?
    var topicAlias: UInt16?
    var subscriptionIdentifiers: [UInt32] = []

    /// One that goes on to subscribers, or says for how long.
    mutating func take(_ property: Property) throws(ProtocolViolation) {
        switch property {
        case .messageExpiryInterval(let seconds): expirySeconds = seconds
        case .responseTopic(let topic):
            // [MQTT-3.3.2-14]
            guard !topic.readableBytesView.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") })
            else { throw .wildcardInResponseTopic }
            property.write(into: &forwarded)
        case .payloadFormatIndicator, .contentType, .correlationData, .userProperty: property.write(into: &forwarded)
        default: throw .propertyNotAllowed
        }
    }
}
