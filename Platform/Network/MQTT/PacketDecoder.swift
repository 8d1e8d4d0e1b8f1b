import NIOCore

extension Packet {
    /// The result of decoding.
    public enum Decoded: Sendable, Equatable {
        case packet(Packet)
        /// The bytes end inside a packet; nothing was read.
        case incomplete
        /// A CONNECT of an unknown protocol level.
        case unsupportedProtocolLevel(UInt8)
    }

    /// Reads the next packet. A PUBLISH consists of slices of the bytes.
    ///
    /// - Parameter maximumLength: the longest packet to accept, in bytes after the fixed header. A longer one is
    ///   refused by its header, before the rest has arrived.
    /// - Parameter maximumFilters: the number of topic filters to accept in a SUBSCRIBE or UNSUBSCRIBE.
    /// - Parameter version: the protocol version of the connection. A CONNECT states its own.
    /// - Throws: a violation that names the clause. The connection has to be closed then, since `bytes` is left inside
    ///   the packet.
    public static func decode(
        from bytes: inout ByteBuffer, maximumLength: Int, maximumFilters: Int = .max,
        version: ProtocolVersion = .v311
    ) throws(ProtocolViolation) -> Decoded {
        let start = bytes.readerIndex
        guard let header = bytes.readInteger(as: UInt8.self) else { return .incomplete }
        let type = header >> 4
        let flags = header & 0x0F
        // Looked at before the rest has come: who speaks another protocol need not be waited for.
        guard type != 0, type != 15 || version.hasProperties else { throw .reservedType }
        // PUBREL, SUBSCRIBE and UNSUBSCRIBE: table 2.2. In MQTT 3.1 they may be sent again, with DUP, section 2.1 there.
        let isRequest = type == 6 || type == 8 || type == 10
        let mayRepeat = isRequest && version == .v31
        guard type == 3 || (mayRepeat ? flags & 7 : flags) == (isRequest ? 2 : 0) else { throw .reservedFlags }
        guard let length = try bytes.readRemainingLength() else {
            bytes.moveReaderIndex(to: start)
            return .incomplete
        }
        guard length <= maximumLength else { throw .packetTooLarge }
        guard var body = bytes.readSlice(length: length) else {
            bytes.moveReaderIndex(to: start)
            return .incomplete
        }
        if type == 3 { return .packet(.publish(try Publish(flags: flags, body: &body, version: version))) }
        return try decode(type: type, body: &body, maximumFilters: maximumFilters, version)
    }

    /// Reads the next packet if it is a whole PUBLISH, as most are. It is faster than `decode`, since no enumeration of
    /// all packets has to be moved.
    ///
    /// - Returns: nil if it is another packet, incomplete or too long; then nothing was read, and `decode` has to be
    ///   called.
    public static func decodePublish(
        from bytes: inout ByteBuffer, maximumLength: Int, version: ProtocolVersion
    ) throws(ProtocolViolation) -> Publish? {
        let start = bytes.readerIndex
        guard let header = bytes.getInteger(at: start, as: UInt8.self), header >> 4 == 3 else { return nil }
        bytes.moveReaderIndex(forwardBy: 1)
        guard let length = try bytes.readRemainingLength(), length <= maximumLength,
            var body = bytes.readSlice(length: length)
        else {
            bytes.moveReaderIndex(to: start)
            return nil
        }
        return try Publish(flags: header & 0x0F, body: &body, version: version)
    }

    private static func decode(
        type: UInt8, body: inout ByteBuffer, maximumFilters: Int, _ version: ProtocolVersion
    ) throws(ProtocolViolation) -> Decoded {
        let packet: Packet
        switch type {
        case 1:
            // Does its own check for trailing bytes: those of another protocol level are not understood.
            switch try Connect.read(&body) {
            case .success(let connect): return .packet(.connect(connect))
            case .failure(let other): return .unsupportedProtocolLevel(other.level)
            }
        case 2: packet = .connack(try ConnectAcknowledgement(&body, version))
        case 4: packet = .puback(try Acknowledgement(&body, version))
        case 5: packet = .pubrec(try Acknowledgement(&body, version))
        case 6: packet = .pubrel(try Acknowledgement(&body, version))
        case 7: packet = .pubcomp(try Acknowledgement(&body, version))
        case 8: packet = .subscribe(try Subscribe(&body, maximumFilters, version))
        case 9:
            let id = try body.readPacketID()
            let text = version.hasProperties ? try body.readReasonString() : nil
            let codes = try body.readReasonCodes(version)
            packet = .suback(packetID: id, codes, reasonString: text)
        case 10: packet = .unsubscribe(try Unsubscribe(&body, maximumFilters, version))
        case 11:
            let id = try body.readPacketID()
            if version.hasProperties { _ = try body.readReasonString() }
            packet = .unsuback(packetID: id, version.hasProperties ? try body.readReasonCodes(version) : [])
        case 12: packet = .pingreq
        case 13: packet = .pingresp
        case 14: packet = .disconnect(try Disconnect(&body, version))
        default: return .packet(.auth)
        }
        guard body.readableBytes == 0 else { throw .trailingBytes }
        return .packet(packet)
    }
}

extension Acknowledgement {
    /// Reads an acknowledgement. Reason code and properties may be missing (MQTT 5.0, section 3.4.2.1).
    fileprivate init(_ body: inout ByteBuffer, _ version: ProtocolVersion) throws(ProtocolViolation) {
        packetID = try body.readPacketID()
        reason = .success
        guard version.hasProperties, body.readableBytes > 0 else { return }
        reason = try body.readReasonCode()
        if body.readableBytes > 0 { reasonString = try body.readReasonString() }
    }
}

extension Disconnect {
    fileprivate init(_ body: inout ByteBuffer, _ version: ProtocolVersion) throws(ProtocolViolation) {
        self.init()
        guard version.hasProperties, body.readableBytes > 0 else { return }
        reason = try body.readReasonCode()
        guard body.readableBytes > 0 else { return }
        var reader = try PropertyReader(&body)
        while let property = try reader.next() {
            switch property {
            case .sessionExpiryInterval(let seconds): sessionExpirySeconds = seconds
            case .reasonString(let text): reasonString = text
            case .userProperty, .serverReference: break
            default: throw .propertyNotAllowed
            }
        }
    }
}

extension ConnectAcknowledgement {
    fileprivate init(_ body: inout ByteBuffer, _ version: ProtocolVersion) throws(ProtocolViolation) {
        guard let (flags, code) = body.readMultipleIntegers(as: (UInt8, UInt8).self) else { throw .truncated }
        guard flags < 2 else { throw .connackFlags }
        guard version.hasProperties else {
            guard let code = ConnectReturnCode(rawValue: code) else { throw .connackReturnCode }
            self.init(isSessionPresent: flags == 1, reason: code.reasonCode)
            return
        }
        guard let reason = ReasonCode(rawValue: code) else { throw .unknownReasonCode }
        self.init(isSessionPresent: flags == 1, reason: reason)
        var reader = try PropertyReader(&body)
        while let property = try reader.next() {
            switch property {
            case .sessionExpiryInterval(let seconds): properties.sessionExpirySeconds = seconds
            case .receiveMaximum(let count): properties.receiveMaximum = count
            case .maximumQoS(let value): properties.maximumQualityOfService = QualityOfService(rawValue: value)
            case .retainAvailable(let isAvailable): properties.isRetainAvailable = isAvailable
            case .maximumPacketSize(let bytes): properties.maximumPacketBytes = bytes
            case .assignedClientIdentifier(let id): properties.assignedClientID = id
            case .topicAliasMaximum(let alias): properties.topicAliasMaximum = alias
            case .reasonString(let text): properties.reasonString = text
            case .serverKeepAlive(let seconds): properties.serverKeepAliveSeconds = seconds
            case .userProperty, .wildcardSubscriptionAvailable, .subscriptionIdentifierAvailable,
                .sharedSubscriptionAvailable, .responseInformation, .serverReference, .authenticationMethod,
                .authenticationData:
                break
            default: throw .propertyNotAllowed
            }
        }
    }
}

extension Subscribe {
    fileprivate init(
        _ body: inout ByteBuffer, _ maximumFilters: Int, _ version: ProtocolVersion
    ) throws(ProtocolViolation) {
        self.init(packetID: try body.readPacketID(), subscriptions: [])
        if version.hasProperties {
            var reader = try PropertyReader(&body)
            while let property = try reader.next() {
                switch property {
                case .subscriptionIdentifier(let value):
                    guard identifier == nil else { throw .repeatedProperty }
                    identifier = value
                case .userProperty: break
                default: throw .propertyNotAllowed
                }
            }
        }
        while body.readableBytes > 0 {
            guard subscriptions.count < maximumFilters else { throw .tooManyFilters }
            let filter = try TopicFilter(bytes: try body.readField())
            guard let byte = body.readInteger(as: UInt8.self) else { throw .truncated }
            guard byte & 3 != 3, version.hasProperties || byte < 3 else { throw .subscribeQualityOfService }
            guard var options = SubscriptionOptions(byte: byte) else { throw .subscribeOptions }
            guard !options.noLocal || !filter.isShared else { throw .sharedNoLocal }
            options.identifier = identifier
            subscriptions.append(Subscription(filter: filter, options: options))
        }
        guard !subscriptions.isEmpty else { throw .noFilters }
    }
}

extension Unsubscribe {
    fileprivate init(
        _ body: inout ByteBuffer, _ maximumFilters: Int, _ version: ProtocolVersion
    ) throws(ProtocolViolation) {
        self.init(packetID: try body.readPacketID(), filters: [])
        if version.hasProperties {
            var reader = try PropertyReader(&body)
            while let property = try reader.next() {
                guard case .userProperty = property else { throw .propertyNotAllowed }
            }
        }
        while body.readableBytes > 0 {
            guard filters.count < maximumFilters else { throw .tooManyFilters }
            filters.append(try TopicFilter(bytes: try body.readField()))
        }
        guard !filters.isEmpty else { throw .noFiltersToLeave }
    }
}

extension ByteBuffer {
    fileprivate mutating func readReasonCode() throws(ProtocolViolation) -> ReasonCode {
        guard let byte = readInteger(as: UInt8.self) else { throw .truncated }
        guard let code = ReasonCode(rawValue: byte) else { throw .unknownReasonCode }
        return code
    }

    /// Reads a reason code for each filter. MQTT 3.1.1 has four of them [MQTT-3.9.3-2].
    fileprivate mutating func readReasonCodes(_ version: ProtocolVersion) throws(ProtocolViolation) -> [ReasonCode] {
        var codes: [ReasonCode] = []
        while let byte = readInteger(as: UInt8.self) {
            let code = ReasonCode(rawValue: byte)
            guard version.hasProperties || byte < 3 || byte == 0x80 else { throw .subackReturnCode }
            guard let code else { throw .unknownReasonCode }
            codes.append(code)
        }
        return codes
    }

    /// Reads properties of which only the reason string is used.
    fileprivate mutating func readReasonString() throws(ProtocolViolation) -> String? {
        var reader = try PropertyReader(&self)
        var text: String?
        while let property = try reader.next() {
            switch property {
            case .reasonString(let string): text = string
            case .userProperty: break
            default: throw .propertyNotAllowed
            }
        }
        return text
    }
}
