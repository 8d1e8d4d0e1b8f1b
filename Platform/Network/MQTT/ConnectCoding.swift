import NIOCore

/// An error for a CONNECT of an unknown protocol level, which is answered with return code 1 [MQTT-3.1.2-2].
struct UnsupportedProtocolLevel: Error {
    var level: UInt8
}

extension Connect {
    /// Reads a CONNECT. MQTT 3.1 and 3.1.1 differ in the protocol's name only.
    static func read(_ body: inout ByteBuffer) throws(ProtocolViolation) -> Result<Connect, UnsupportedProtocolLevel> {
        let name = try body.readField()
        let isOldest = name == ByteBuffer(string: "MQIsdp")
        guard isOldest || name == ByteBuffer(string: "MQTT") else { throw .protocolName }
        guard let level = body.readInteger(as: UInt8.self) else { throw .truncated }
        let isBridge = level == 0x80 | ProtocolVersion.v311.rawValue || level == 0x80 | ProtocolVersion.v31.rawValue
        guard let version = ProtocolVersion(rawValue: isBridge ? level & 0x7F : level), isOldest == (version == .v31)
        else {
            return .failure(UnsupportedProtocolLevel(level: level))
        }
        guard let (flags, keepAlive) = body.readMultipleIntegers(as: (UInt8, UInt16).self) else { throw .truncated }
        guard flags & 0x01 == 0 else { throw .connectFlag }
        let hasWill = flags & 0x04 != 0, hasPassword = flags & 0x40 != 0, hasUserName = flags & 0x80 != 0
        guard hasWill || flags & 0x38 == 0 else { throw .willWithoutFlag }
        guard let willQuality = QualityOfService(rawValue: flags >> 3 & 3) else { throw .willQualityOfService }
        guard hasUserName || !hasPassword || version.hasProperties else { throw .passwordWithoutUserName }

        let properties = version.hasProperties ? try ConnectProperties(&body) : nil
        var connect = Connect(
            clientID: try body.readText(), isCleanSession: flags & 0x02 != 0, keepAliveSeconds: keepAlive,
            version: version, properties: properties)
        connect.isBridge = isBridge
        if hasWill {
            connect.will = try Will(
                &body, qualityOfService: willQuality, retain: flags & 0x20 != 0, version: version)
        }
        if hasUserName { connect.userName = try body.readText() }
        if hasPassword { connect.password = Array(buffer: try body.readField()) }
        guard body.readableBytes == 0 else { throw .trailingBytes }
        return .success(connect)
    }

    func write(into bytes: inout ByteBuffer) {
        var flags: UInt8 = isCleanSession ? 0x02 : 0
        if let will { flags |= 0x04 | will.qualityOfService.rawValue << 3 | (will.retain ? 0x20 : 0) }
        if userName != nil { flags |= 0x80 }
        if password != nil { flags |= 0x40 }
        var body = ByteBuffer()
        body.writeField((version == .v31 ? "MQIsdp" : "MQTT").utf8)
        body.writeMultipleIntegers(version.rawValue | (isBridge ? 0x80 : 0), flags, keepAliveSeconds)
        if version.hasProperties { body.writeProperties(properties.list) }
        body.writeField(clientID.utf8)
        will?.write(into: &body, version: version)
        if let userName { body.writeField(userName.utf8) }
        if let password { body.writeField(password) }
        bytes.writeFixedHeader(0x10, length: body.readableBytes)
        bytes.writeBuffer(&body)
    }
}

extension ConnectProperties {
    fileprivate init(_ body: inout ByteBuffer) throws(ProtocolViolation) {
        var reader = try PropertyReader(&body)
        var hasAuthenticationData = false
        while let property = try reader.next() {
            switch property {
            case .sessionExpiryInterval(let seconds): sessionExpirySeconds = seconds
            case .receiveMaximum(let count): receiveMaximum = count
            case .maximumPacketSize(let bytes): maximumPacketBytes = bytes
            case .topicAliasMaximum(let alias): topicAliasMaximum = alias
            case .requestProblemInformation(let isWanted): requestsProblemInformation = isWanted
            case .requestResponseInformation(let isWanted): requestsResponseInformation = isWanted
            case .authenticationMethod(let method): authenticationMethod = method
            case .authenticationData: hasAuthenticationData = true
            case .userProperty: break
            default: throw .propertyNotAllowed
            }
        }
        guard !hasAuthenticationData || authenticationMethod != nil else { throw .authenticationData }
    }

    /// The properties that differ from their defaults.
    fileprivate var list: [Property] {
        var list: [Property] = []
        if sessionExpirySeconds != 0 { list.append(.sessionExpiryInterval(sessionExpirySeconds)) }
        if receiveMaximum != .max { list.append(.receiveMaximum(receiveMaximum)) }
        if let maximumPacketBytes { list.append(.maximumPacketSize(maximumPacketBytes)) }
        if topicAliasMaximum != 0 { list.append(.topicAliasMaximum(topicAliasMaximum)) }
        if !requestsProblemInformation { list.append(.requestProblemInformation(false)) }
        if requestsResponseInformation { list.append(.requestResponseInformation(true)) }
        if let authenticationMethod { list.append(.authenticationMethod(authenticationMethod)) }
        return list
    }
}

extension Will {
    fileprivate init(
        _ body: inout ByteBuffer, qualityOfService: QualityOfService, retain: Bool, version: ProtocolVersion
    ) throws(ProtocolViolation) {
        var delaySeconds: UInt32 = 0
        var fields = PublishFields()
        if version.hasProperties {
            var reader = try PropertyReader(&body)
            while let property = try reader.next() {
                if case .willDelayInterval(let seconds) = property {
                    delaySeconds = seconds
                } else {
                    try fields.take(property)
                }
            }
        }
        self.init(
            topic: try TopicName(bytes: try body.readField(), limits: .conformance),
            payload: Array(buffer: try body.readField()),
            qualityOfService: qualityOfService, retain: retain, delaySeconds: delaySeconds,
            properties: PublishProperties(forwarded: fields.forwarded, expirySeconds: fields.expirySeconds))
    }

    fileprivate func write(into bytes: inout ByteBuffer, version: ProtocolVersion) {
        if version.hasProperties {
            var written = ByteBuffer()
            if delaySeconds != 0 { Property.willDelayInterval(delaySeconds).write(into: &written) }
            if var own = properties?.written { written.writeBuffer(&own) }
            bytes.writeVariableByteInteger(written.readableBytes)
            bytes.writeBuffer(&written)
        }
        bytes.writeField(topic.bytes.readableBytesView)
        bytes.writeField(payload)
    }
}
