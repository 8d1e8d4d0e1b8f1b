import NIOCore

extension Packet {
    /// Appends the packet to `bytes`. Texts and topics longer than the standard's 65,535 bytes are cut off.
    public func write(into bytes: inout ByteBuffer) {
        switch self {
        case .connect(let connect): connect.write(into: &bytes)
        case .connack(let sessionPresent, let code):
            bytes.writeMultipleIntegers(0x20 as UInt8, 2 as UInt8, sessionPresent ? 1 : 0 as UInt8, code.rawValue)
        case .publish(let publish): publish.write(into: &bytes)
        case .puback(let id): Packet.writeAcknowledgement(0x40, id, into: &bytes)
        case .pubrec(let id): Packet.writeAcknowledgement(0x50, id, into: &bytes)
        case .pubrel(let id): Packet.writeAcknowledgement(0x62, id, into: &bytes)
        case .pubcomp(let id): Packet.writeAcknowledgement(0x70, id, into: &bytes)
        case .subscribe(let subscribe):
            let length = subscribe.subscriptions.reduce(2) { $0 + 3 + $1.filter.bytes.readableBytes }
            bytes.writeFixedHeader(0x82, length: length)
            bytes.writeInteger(subscribe.packetID)
            for subscription in subscribe.subscriptions {
                bytes.writeField(subscription.filter.bytes.readableBytesView)
                bytes.writeInteger(subscription.qualityOfService.rawValue)
            }
        case .suback(let id, let codes):
            bytes.writeFixedHeader(0x90, length: 2 + codes.count)
            bytes.writeInteger(id)
            for code in codes { bytes.writeInteger(code.rawValue) }
        case .unsubscribe(let unsubscribe):
            bytes.writeFixedHeader(0xA2, length: unsubscribe.filters.reduce(2) { $0 + 2 + $1.bytes.readableBytes })
            bytes.writeInteger(unsubscribe.packetID)
            for filter in unsubscribe.filters { bytes.writeField(filter.bytes.readableBytesView) }
        case .unsuback(let id): Packet.writeAcknowledgement(0xB0, id, into: &bytes)
        case .pingreq: bytes.writeMultipleIntegers(0xC0 as UInt8, 0 as UInt8)
        case .pingresp: bytes.writeMultipleIntegers(0xD0 as UInt8, 0 as UInt8)
        case .disconnect: bytes.writeMultipleIntegers(0xE0 as UInt8, 0 as UInt8)
        }
    }

    /// Appends a PUBACK: what the listener does most.
    @inlinable
    public static func writePuback(_ id: UInt16, into bytes: inout ByteBuffer) {
        bytes.writeMultipleIntegers(0x40 as UInt8, 2 as UInt8, id)
    }

    private static func writeAcknowledgement(_ first: UInt8, _ id: UInt16, into bytes: inout ByteBuffer) {
        bytes.writeMultipleIntegers(first, 2 as UInt8, id)
    }
}

extension Publish {
    /// Appends the packet to `bytes`.
    public func write(into bytes: inout ByteBuffer) {
        let length = 2 + topic.readableBytes + (packetID == nil ? 0 : 2) + payload.readableBytes
        let flags: UInt8 = (isDuplicate ? 8 : 0) | qualityOfService.rawValue << 1 | (retain ? 1 : 0)
        bytes.writeFixedHeader(0x30 | flags, length: length)
        bytes.writeInteger(UInt16(truncatingIfNeeded: topic.readableBytes))
        bytes.writeImmutableBuffer(topic)
        if let packetID { bytes.writeInteger(packetID) }
        bytes.writeImmutableBuffer(payload)
    }

    /// A message at rest as the PUBLISH that delivers it.
    public init(_ message: StoredMessage, packetID: UInt16?, retain: Bool, isDuplicate: Bool) {
        self.init(
            topic: ByteBuffer(string: message.topic), payload: ByteBuffer(bytes: message.payload), packetID: packetID,
            retain: retain, isDuplicate: isDuplicate)
    }
}
