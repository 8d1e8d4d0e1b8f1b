import NIOCore

/// A PUBLISH packet (section 3.3). Topic and payload are slices of the received bytes: nothing is copied, and a slice
/// that is kept keeps the whole read buffer in memory.
public struct Publish: Sendable, Equatable {
    /// The topic's bytes as received. The decoder does not check them, because most clients repeat one topic: validate
    /// with `TopicName(bytes:limits:)` when they differ from the topic before. Empty if the topic is given by an alias
    /// (MQTT 5.0, section 3.3.2.3.4).
    public var topic: ByteBuffer
    /// The payload.
    public var payload: ByteBuffer
    /// The packet identifier; nil with QoS 0 [MQTT-2.3.1-5], never zero.
    public var packetID: UInt16?
    /// The quality of service.
    public var qualityOfService: QualityOfService
    /// The RETAIN flag.
    public var retain: Bool
    /// The DUP flag: the message may have been sent before.
    public var isDuplicate: Bool
    /// The properties; nil without any, as in MQTT 3.1.1.
    public var properties: PublishProperties?

    /// Creates a packet.
    ///
    /// - Parameters:
    ///   - topic: the topic's bytes.
    ///   - payload: the payload.
    ///   - packetID: nil for QoS 0, not zero for QoS 1 and 2.
    ///   - qualityOfService: by default 1 with a packet id and 0 without.
    ///   - retain: the RETAIN flag.
    ///   - isDuplicate: the DUP flag.
    ///   - properties: the properties of MQTT 5.0.
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

    /// The number of bytes of the whole packet, including its fixed header.
    public func packetBytes(version: ProtocolVersion) -> Int {
        var length = 2 + topic.readableBytes + (packetID == nil ? 0 : 2) + payload.readableBytes
        if version.hasProperties {
            let count = properties?.written.readableBytes ?? 0
            length += ByteBuffer.variableByteIntegerLength(count) + count
        }
        return 1 + ByteBuffer.variableByteIntegerLength(length) + length
    }
}

/// The properties of a PUBLISH (MQTT 5.0, section 3.3.2.3). A class, so that a packet without properties is no larger.
public final class PublishProperties: Sendable, Equatable {
    /// The properties that are forwarded to subscribers, in their order: payload format indicator, content type,
    /// response topic, correlation data, user properties; encoded without their length.
    public let forwarded: ByteBuffer
    /// The time after which the message expires, from its arrival; nil for never.
    public let expirySeconds: UInt32?
    /// The topic alias; nil for none.
    public let topicAlias: UInt16?
    /// The identifiers of the subscriptions that it is delivered for; only servers send them.
    public let subscriptionIdentifiers: [UInt32]

    /// Creates properties; nil if all have their defaults.
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

    /// The encoded properties, without their length.
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

    /// Adds a property that is forwarded to subscribers, or the expiry.
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
