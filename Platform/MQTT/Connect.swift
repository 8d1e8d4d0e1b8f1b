import NIOCore

/// A CONNECT, section 3.1.
public struct Connect: Sendable, Equatable {
    /// What to do about the session [MQTT-3.1.2-4], [MQTT-3.1.2-6].
    public var isCleanSession: Bool
    /// Seconds; 0 turns the keep-alive off.
    public var keepAliveSeconds: UInt16
    /// May be empty, then the server chooses one.
    public var clientID: String
    public var will: Will?
    public var userName: String?
    public var password: [UInt8]?

    public init(
        clientID: String, isCleanSession: Bool = true, keepAliveSeconds: UInt16 = 60, will: Will? = nil,
        userName: String? = nil, password: [UInt8]? = nil
    ) {
        self.clientID = clientID
        self.isCleanSession = isCleanSession
        self.keepAliveSeconds = keepAliveSeconds
        self.will = will
        self.userName = userName
        self.password = password
    }
}

/// The message that the server publishes when a connection ends without DISCONNECT, section 3.1.2.5.
public struct Will: Sendable, Equatable {
    public var topic: TopicName
    public var payload: [UInt8]
    /// A will of QoS 2 is read as 1: it cannot be delivered with more than the QoS 1 that is granted.
    public var qualityOfService: QualityOfService
    public var retain: Bool

    public init(
        topic: TopicName, payload: [UInt8], qualityOfService: QualityOfService = .atMostOnce, retain: Bool = false
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.retain = retain
    }
}

/// A CONNECT of a protocol level that this server does not speak: answered with return code 1 [MQTT-3.1.2-2].
/// MQTT 5 will be read here.
struct UnsupportedProtocolLevel: Error {}

extension Connect {
    /// The levels of 3.1 and 3.1.1 differ in the protocol's name; the rest is read for 3.1.1 only.
    static func read(_ body: inout ByteBuffer) throws(ProtocolViolation) -> Result<Connect, UnsupportedProtocolLevel> {
        let name = try body.readField()
        let isOlder = name == ByteBuffer(string: "MQIsdp")
        guard isOlder || name == ByteBuffer(string: "MQTT") else { throw .protocolName }
        guard let level = body.readInteger(as: UInt8.self) else { throw .truncated }
        guard level == 4, !isOlder else { return .failure(UnsupportedProtocolLevel()) }
        guard let (flags, keepAlive) = body.readMultipleIntegers(as: (UInt8, UInt16).self) else { throw .truncated }
        guard flags & 0x01 == 0 else { throw .connectFlag }
        let hasWill = flags & 0x04 != 0, hasPassword = flags & 0x40 != 0, hasUserName = flags & 0x80 != 0
        guard hasWill || flags & 0x38 == 0 else { throw .willWithoutFlag }
        guard flags & 0x18 != 0x18 else { throw .willQualityOfService }
        guard hasUserName || !hasPassword else { throw .passwordWithoutUserName }

        var connect = Connect(
            clientID: try body.readText(), isCleanSession: flags & 0x02 != 0, keepAliveSeconds: keepAlive)
        if hasWill {
            connect.will = Will(
                topic: try TopicName(bytes: try body.readField()),
                payload: Array(buffer: try body.readField()),
                qualityOfService: flags & 0x18 == 0 ? .atMostOnce : .atLeastOnce,
                retain: flags & 0x20 != 0)
        }
        if hasUserName { connect.userName = try body.readText() }
        if hasPassword { connect.password = Array(buffer: try body.readField()) }
        guard body.readableBytes == 0 else { throw .trailingBytes }
        return .success(connect)
    }

    func write(into bytes: inout ByteBuffer) {
        var flags: UInt8 = isCleanSession ? 0x02 : 0
        var length = 10 + 2 + clientID.utf8.count
        if let will {
            flags |= 0x04 | will.qualityOfService.rawValue << 3 | (will.retain ? 0x20 : 0)
            length += 4 + will.topic.bytes.readableBytes + will.payload.count
        }
        if let userName {
            flags |= 0x80
            length += 2 + userName.utf8.count
        }
        if let password {
            flags |= 0x40
            length += 2 + password.count
        }
        bytes.writeFixedHeader(0x10, length: length)
        bytes.writeField("MQTT".utf8)
        bytes.writeMultipleIntegers(4 as UInt8, flags, keepAliveSeconds)
        bytes.writeField(clientID.utf8)
        if let will {
            bytes.writeField(will.topic.bytes.readableBytesView)
            bytes.writeField(will.payload)
        }
        if let userName { bytes.writeField(userName.utf8) }
        if let password { bytes.writeField(password) }
    }
}
