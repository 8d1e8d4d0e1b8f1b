import NIOCore

extension Packet {
    /// What `decode` found.
    public enum Decoded: Sendable, Equatable {
        case packet(Packet)
        /// The bytes end inside a packet; nothing was read.
        case incomplete
        /// A CONNECT of another protocol level than 4, the level of 3.1.1.
        case unsupportedProtocolLevel
    }

    /// Reads the next packet from `bytes`. A PUBLISH is made of slices of them.
    ///
    /// - Parameter maximumLength: the longest packet to accept, in bytes after the fixed header. A longer one is
    ///   refused by its header, before the rest has come.
    /// - Parameter maximumFilters: the most topic filters to accept in a SUBSCRIBE or UNSUBSCRIBE.
    /// - Throws: what was malformed, naming the clause. The connection is then to be closed: `bytes` is left inside
    ///   the packet.
    public static func decode(
        from bytes: inout ByteBuffer, maximumLength: Int, maximumFilters: Int = .max
    ) throws(ProtocolViolation) -> Decoded {
        let start = bytes.readerIndex
        guard let header = bytes.readInteger(as: UInt8.self) else { return .incomplete }
        let type = header >> 4
        let flags = header & 0x0F
        // Looked at before the rest has come: who speaks another protocol need not be waited for.
        guard type != 0, type != 15 else { throw .reservedType }
        // PUBREL, SUBSCRIBE and UNSUBSCRIBE: table 2.2.
        guard type == 3 || flags == (type == 6 || type == 8 || type == 10 ? 2 : 0) else { throw .reservedFlags }
        guard let length = try bytes.readRemainingLength() else {
            bytes.moveReaderIndex(to: start)
            return .incomplete
        }
        guard length <= maximumLength else { throw .packetTooLarge }
        guard var body = bytes.readSlice(length: length) else {
            bytes.moveReaderIndex(to: start)
            return .incomplete
        }
        if type == 3 { return .packet(.publish(try Publish(flags: flags, body: &body))) }
        return try decode(type: type, body: &body, maximumFilters: maximumFilters)
    }

    private static func decode(
        type: UInt8, body: inout ByteBuffer, maximumFilters: Int
    ) throws(ProtocolViolation) -> Decoded {
        let packet: Packet
        switch type {
        case 1:
            // Does its own check for trailing bytes: those of another protocol level are not understood.
            switch try Connect.read(&body) {
            case .success(let connect): return .packet(.connect(connect))
            case .failure: return .unsupportedProtocolLevel
            }
        case 2: packet = try connack(&body)
        case 4: packet = .puback(packetID: try body.readPacketID())
        case 5: packet = .pubrec(packetID: try body.readPacketID())
        case 6: packet = .pubrel(packetID: try body.readPacketID())
        case 7: packet = .pubcomp(packetID: try body.readPacketID())
        case 8: packet = .subscribe(try subscribe(&body, maximumFilters))
        case 9: packet = try suback(&body)
        case 10: packet = .unsubscribe(try unsubscribe(&body, maximumFilters))
        case 11: packet = .unsuback(packetID: try body.readPacketID())
        case 12: packet = .pingreq
        case 13: packet = .pingresp
        default: packet = .disconnect
        }
        guard body.readableBytes == 0 else { throw .trailingBytes }
        return .packet(packet)
    }

    private static func connack(_ body: inout ByteBuffer) throws(ProtocolViolation) -> Packet {
        guard let (flags, code) = body.readMultipleIntegers(as: (UInt8, UInt8).self) else { throw .truncated }
        guard flags < 2 else { throw .connackFlags }
        guard let code = ConnectReturnCode(rawValue: code) else { throw .connackReturnCode }
        return .connack(sessionPresent: flags == 1, code)
    }

    private static func subscribe(
        _ body: inout ByteBuffer, _ maximumFilters: Int
    ) throws(ProtocolViolation) -> Subscribe {
        var subscribe = Subscribe(packetID: try body.readPacketID(), subscriptions: [])
        while body.readableBytes > 0 {
            guard subscribe.subscriptions.count < maximumFilters else { throw .tooManyFilters }
            let filter = try TopicFilter(bytes: try body.readField())
            guard let wanted = body.readInteger(as: UInt8.self) else { throw .truncated }
            guard wanted <= 2 else { throw .subscribeQualityOfService }
            subscribe.subscriptions.append(
                .init(filter: filter, qualityOfService: wanted == 0 ? .atMostOnce : .atLeastOnce))
        }
        guard !subscribe.subscriptions.isEmpty else { throw .noFilters }
        return subscribe
    }

    private static func suback(_ body: inout ByteBuffer) throws(ProtocolViolation) -> Packet {
        let id = try body.readPacketID()
        var codes: [SubscribeReturnCode] = []
        while let byte = body.readInteger(as: UInt8.self) {
            guard let code = SubscribeReturnCode(rawValue: byte) else { throw .subackReturnCode }
            codes.append(code)
        }
        return .suback(packetID: id, codes)
    }

    private static func unsubscribe(
        _ body: inout ByteBuffer, _ maximumFilters: Int
    ) throws(ProtocolViolation) -> Unsubscribe {
        var unsubscribe = Unsubscribe(packetID: try body.readPacketID(), filters: [])
        while body.readableBytes > 0 {
            guard unsubscribe.filters.count < maximumFilters else { throw .tooManyFilters }
            unsubscribe.filters.append(try TopicFilter(bytes: try body.readField()))
        }
        guard !unsubscribe.filters.isEmpty else { throw .noFiltersToLeave }
        return unsubscribe
    }
}
