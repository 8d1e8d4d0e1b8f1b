import NIOCore

/// A property of a packet (MQTT 5.0, section 2.2.2). The packets check which of them they may have.
enum Property: Sendable, Equatable {
    case payloadFormatIndicator(UInt8)
    case messageExpiryInterval(UInt32)
    case contentType(ByteBuffer)
    case responseTopic(ByteBuffer)
    case correlationData(ByteBuffer)
    case subscriptionIdentifier(UInt32)
    case sessionExpiryInterval(UInt32)
    case assignedClientIdentifier(String)
    case serverKeepAlive(UInt16)
    case authenticationMethod(String)
    case authenticationData(ByteBuffer)
    case requestProblemInformation(Bool)
    case willDelayInterval(UInt32)
    case requestResponseInformation(Bool)
    case responseInformation(String)
    case serverReference(String)
    case reasonString(String)
    case receiveMaximum(UInt16)
    case topicAliasMaximum(UInt16)
    case topicAlias(UInt16)
    case maximumQoS(UInt8)
    case retainAvailable(Bool)
    case userProperty(name: ByteBuffer, value: ByteBuffer)
    case maximumPacketSize(UInt32)
    case wildcardSubscriptionAvailable(Bool)
    case subscriptionIdentifierAvailable(Bool)
    case sharedSubscriptionAvailable(Bool)

    /// The identifier of table 2-4.
    var identifier: UInt8 {
        switch self {
        case .payloadFormatIndicator: 0x01
        case .messageExpiryInterval: 0x02
        case .contentType: 0x03
        case .responseTopic: 0x08
        case .correlationData: 0x09
        case .subscriptionIdentifier: 0x0B
        case .sessionExpiryInterval: 0x11
        case .assignedClientIdentifier: 0x12
        case .serverKeepAlive: 0x13
        case .authenticationMethod: 0x15
        case .authenticationData: 0x16
        case .requestProblemInformation: 0x17
        case .willDelayInterval: 0x18
        case .requestResponseInformation: 0x19
        case .responseInformation: 0x1A
        case .serverReference: 0x1C
        case .reasonString: 0x1F
        case .receiveMaximum: 0x21
        case .topicAliasMaximum: 0x22
        case .topicAlias: 0x23
        case .maximumQoS: 0x24
        case .retainAvailable: 0x25
        case .userProperty: 0x26
        case .maximumPacketSize: 0x27
        case .wildcardSubscriptionAvailable: 0x28
        case .subscriptionIdentifierAvailable: 0x29
        case .sharedSubscriptionAvailable: 0x2A
        }
    }

    // MARK: Reading

    init(from bytes: inout ByteBuffer) throws(ProtocolViolation) {
        guard let identifier = bytes.readInteger(as: UInt8.self) else { throw .truncated }
        self =
            switch identifier {
            case 0x01: .payloadFormatIndicator(try bytes.readFlag() ? 1 : 0)
            case 0x02: .messageExpiryInterval(try bytes.readProperty())
            case 0x03: .contentType(try bytes.readTextField())
            case 0x08: .responseTopic(try bytes.readTextField())
            case 0x09: .correlationData(try bytes.readField())
            case 0x0B: .subscriptionIdentifier(try bytes.readVariableByteInteger())
            case 0x11: .sessionExpiryInterval(try bytes.readProperty())
            case 0x12: .assignedClientIdentifier(try bytes.readText())
            case 0x13: .serverKeepAlive(try bytes.readProperty())
            case 0x15: .authenticationMethod(try bytes.readText())
            case 0x16: .authenticationData(try bytes.readField())
            case 0x17: .requestProblemInformation(try bytes.readFlag())
            case 0x18: .willDelayInterval(try bytes.readProperty())
            case 0x19: .requestResponseInformation(try bytes.readFlag())
            case 0x1A: .responseInformation(try bytes.readText())
            case 0x1C: .serverReference(try bytes.readText())
            case 0x1F: .reasonString(try bytes.readText())
            case 0x21: .receiveMaximum(try bytes.readProperty())
            case 0x22: .topicAliasMaximum(try bytes.readProperty())
            case 0x23: .topicAlias(try bytes.readProperty())
            case 0x24: .maximumQoS(try bytes.readFlag() ? 1 : 0)
            case 0x25: .retainAvailable(try bytes.readFlag())
            case 0x26: .userProperty(name: try bytes.readTextField(), value: try bytes.readTextField())
            case 0x27: .maximumPacketSize(try bytes.readProperty())
            case 0x28: .wildcardSubscriptionAvailable(try bytes.readFlag())
            case 0x29: .subscriptionIdentifierAvailable(try bytes.readFlag())
            case 0x2A: .sharedSubscriptionAvailable(try bytes.readFlag())
            default: throw .unknownProperty
            }
        switch self {
        // Zero is an error for these, sections 3.1.2.11.3, 3.1.2.11.4 and 3.3.2.3.8.
        case .receiveMaximum(0), .maximumPacketSize(0), .subscriptionIdentifier(0): throw .zeroProperty
        default: break
        }
    }

    // MARK: Writing

    func write(into bytes: inout ByteBuffer) {
        bytes.writeInteger(identifier)
        switch self {
        case .payloadFormatIndicator(let value), .maximumQoS(let value): bytes.writeInteger(value)
        case .requestProblemInformation(let flag), .requestResponseInformation(let flag), .retainAvailable(let flag),
            .wildcardSubscriptionAvailable(let flag), .subscriptionIdentifierAvailable(let flag),
            .sharedSubscriptionAvailable(let flag):
            bytes.writeInteger(flag ? 1 : 0 as UInt8)
        case .serverKeepAlive(let value), .receiveMaximum(let value), .topicAliasMaximum(let value),
            .topicAlias(let value):
            bytes.writeInteger(value)
        case .messageExpiryInterval(let value), .sessionExpiryInterval(let value), .willDelayInterval(let value),
            .maximumPacketSize(let value):
            bytes.writeInteger(value)
        case .subscriptionIdentifier(let value): bytes.writeVariableByteInteger(Int(value))
        case .contentType(let field), .responseTopic(let field), .correlationData(let field),
            .authenticationData(let field):
            bytes.writeField(field.readableBytesView)
        case .assignedClientIdentifier(let text), .authenticationMethod(let text), .responseInformation(let text),
            .serverReference(let text), .reasonString(let text):
            bytes.writeField(text.utf8)
        case .userProperty(let name, let value):
            bytes.writeField(name.readableBytesView)
            bytes.writeField(value.readableBytesView)
        }
    }
}

/// Reads the properties of a packet one after the other: each at most once, but for user properties.
struct PropertyReader {
    private var bytes: ByteBuffer
    private var seen: UInt64 = 0

    /// Takes the properties, with their length before them, from what is left of a packet.
    init(_ body: inout ByteBuffer) throws(ProtocolViolation) {
        let length = try body.readVariableByteInteger()
        guard let bytes = body.readSlice(length: Int(length)) else { throw .truncated }
        self.bytes = bytes
    }

    /// The next one, nil after the last.
    mutating func next() throws(ProtocolViolation) -> Property? {
        guard bytes.readableBytes > 0 else { return nil }
        let property = try Property(from: &bytes)
        let bit: UInt64 = 1 << UInt64(property.identifier)
        guard seen & bit == 0 else { throw .repeatedProperty }
        switch property {
        case .userProperty, .subscriptionIdentifier: break
        default: seen |= bit
        }
        return property
    }
}

extension ByteBuffer {
    fileprivate mutating func readProperty<Value: FixedWidthInteger>() throws(ProtocolViolation) -> Value {
        guard let value = readInteger(as: Value.self) else { throw .truncated }
        return value
    }

    fileprivate mutating func readFlag() throws(ProtocolViolation) -> Bool {
        guard let value = readInteger(as: UInt8.self) else { throw .truncated }
        guard value < 2 else { throw .propertyFlag }
        return value == 1
    }

    /// A text as its bytes, which are checked.
    fileprivate mutating func readTextField() throws(ProtocolViolation) -> ByteBuffer {
        let field = try readField()
        try field.validateText()
        return field
    }

    /// A variable byte integer, section 1.5.5, in its shortest form [MQTT-1.5.5-1].
    mutating func readVariableByteInteger() throws(ProtocolViolation) -> UInt32 {
        var value: UInt32 = 0
        for shift in stride(from: 0 as UInt32, to: 28, by: 7) {
            guard let digit = readInteger(as: UInt8.self) else { throw .truncated }
            value |= UInt32(digit & 0x7F) << shift
            if digit < 0x80 {
                guard digit != 0 || shift == 0 else { throw .longInteger }
                return value
            }
        }
        throw .lengthTooLong
    }

    /// Properties with their length before them.
    mutating func writeProperties(_ properties: some Sequence<Property>) {
        var written = ByteBuffer()
        for property in properties { property.write(into: &written) }
        writeVariableByteInteger(written.readableBytes)
        writeBuffer(&written)
    }

    /// Writes a variable byte integer (section 1.5.5).
    ///
    /// - Parameter value: 0 to 268,435,455.
    mutating func writeVariableByteInteger(_ value: Int) {
        var rest = value
        while rest > 0x7F {
            writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        writeInteger(UInt8(truncatingIfNeeded: rest))
    }

    /// The number of bytes that `writeVariableByteInteger` writes.
    static func variableByteIntegerLength(_ value: Int) -> Int {
        value < 128 ? 1 : value < 16_384 ? 2 : value < 2_097_152 ? 3 : 4
    }
}
