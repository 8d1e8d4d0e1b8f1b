import NIOCore

extension Packet {
    /// Appends the packet to `bytes`. Texts and topics longer than the standard's 65,535 bytes are cut off.
    ///
    /// - Parameter version: what the connection speaks: MQTT 3.1.1 has neither properties nor reasons. A CONNECT says itself
    ///   of which version it is.
    public func write(into bytes: inout ByteBuffer, version: ProtocolVersion = .v311) {
        switch self {
        case .connect(let connect): connect.write(into: &bytes)
        case .connack(let connack): connack.write(into: &bytes, version)
        case .publish(let publish): publish.write(into: &bytes, version: version)
        case .puback(let acknowledgement): acknowledgement.write(0x40, into: &bytes, version)
        case .pubrec(let acknowledgement): acknowledgement.write(0x50, into: &bytes, version)
        case .pubrel(let acknowledgement): acknowledgement.write(0x62, into: &bytes, version)
        case .pubcomp(let acknowledgement): acknowledgement.write(0x70, into: &bytes, version)
        case .subscribe(let subscribe): subscribe.write(into: &bytes, version)
        case .suback(let id, let codes, let text):
            Packet.write(0x90, into: &bytes) { body in
                body.writeInteger(id)
                if version.hasProperties { body.writeReasonString(text) }
                for code in codes {
                    body.writeInteger(version.hasProperties || !code.isError ? code.rawValue : 0x80)
                }
            }
        case .unsubscribe(let unsubscribe):
            Packet.write(0xA2, into: &bytes) { body in
                body.writeInteger(unsubscribe.packetID)
                if version.hasProperties { body.writeProperties([]) }
                for filter in unsubscribe.filters { body.writeField(filter.bytes.readableBytesView) }
            }
        case .unsuback(let id, let codes):
            Packet.write(0xB0, into: &bytes) { body in
                body.writeInteger(id)
                guard version.hasProperties else { return }
                body.writeProperties([])
                for code in codes { body.writeInteger(code.rawValue) }
            }
        case .pingreq: bytes.writeMultipleIntegers(0xC0 as UInt8, 0 as UInt8)
        case .pingresp: bytes.writeMultipleIntegers(0xD0 as UInt8, 0 as UInt8)
        case .disconnect(let disconnect): disconnect.write(into: &bytes, version)
        case .auth: bytes.writeMultipleIntegers(0xF0 as UInt8, 0 as UInt8)
        }
    }

    /// Appends a PUBACK of success: what the listener does most. Its form is the same in all versions.
    @inlinable
    public static func writePuback(_ id: UInt16, into bytes: inout ByteBuffer) {
        bytes.writeMultipleIntegers(0x40 as UInt8, 2 as UInt8, id)
    }

    /// A packet of a length that is known once its rest is written.
    fileprivate static func write(_ first: UInt8, into bytes: inout ByteBuffer, _ write: (inout ByteBuffer) -> Void) {
        var body = ByteBuffer()
        write(&body)
        bytes.writeFixedHeader(first, length: body.readableBytes)
        bytes.writeBuffer(&body)
    }
}

extension Acknowledgement {
    fileprivate func write(_ first: UInt8, into bytes: inout ByteBuffer, _ version: ProtocolVersion) {
        guard version.hasProperties, reason != .success || reasonString != nil else {
            bytes.writeMultipleIntegers(first, 2 as UInt8, packetID)
            return
        }
        Packet.write(first, into: &bytes) { body in
            body.writeMultipleIntegers(packetID, reason.rawValue)
            if reasonString != nil { body.writeReasonString(reasonString) }
        }
    }
}

extension Disconnect {
    fileprivate func write(into bytes: inout ByteBuffer, _ version: ProtocolVersion) {
        guard version.hasProperties, self != Disconnect() else {
            bytes.writeMultipleIntegers(0xE0 as UInt8, 0 as UInt8)
            return
        }
        Packet.write(0xE0, into: &bytes) { body in
            body.writeInteger(reason.rawValue)
            var properties: [Property] = []
            if let sessionExpirySeconds { properties.append(.sessionExpiryInterval(sessionExpirySeconds)) }
            if let reasonString { properties.append(.reasonString(reasonString)) }
            if !properties.isEmpty { body.writeProperties(properties) }
        }
    }
}

extension ConnectAcknowledgement {
    fileprivate func write(into bytes: inout ByteBuffer, _ version: ProtocolVersion) {
        // MQTT 3.1 has no word for it: that byte is reserved, section 3.2 there.
        let flags: UInt8 = isSessionPresent && version != .v31 ? 1 : 0
        guard version.hasProperties else {
            bytes.writeMultipleIntegers(0x20 as UInt8, 2 as UInt8, flags, reason.connectReturnCode.rawValue)
            return
        }
        Packet.write(0x20, into: &bytes) { body in
            body.writeMultipleIntegers(flags, reason.rawValue)
            body.writeProperties(properties.list)
        }
    }
}

extension ConnectAcknowledgement.Properties {
    fileprivate var list: [Property] {
        var list: [Property] = []
        if let sessionExpirySeconds { list.append(.sessionExpiryInterval(sessionExpirySeconds)) }
        if let receiveMaximum { list.append(.receiveMaximum(receiveMaximum)) }
        if let maximumQualityOfService { list.append(.maximumQoS(maximumQualityOfService.rawValue)) }
        if !isRetainAvailable { list.append(.retainAvailable(false)) }
        if let maximumPacketBytes { list.append(.maximumPacketSize(maximumPacketBytes)) }
        if let assignedClientID { list.append(.assignedClientIdentifier(assignedClientID)) }
        if let topicAliasMaximum { list.append(.topicAliasMaximum(topicAliasMaximum)) }
        if let reasonString { list.append(.reasonString(reasonString)) }
        if let serverKeepAliveSeconds { list.append(.serverKeepAlive(serverKeepAliveSeconds)) }
        return list
    }
}

extension Subscribe {
    fileprivate func write(into bytes: inout ByteBuffer, _ version: ProtocolVersion) {
        Packet.write(0x82, into: &bytes) { body in
            body.writeInteger(packetID)
            if version.hasProperties { body.writeProperties(identifier.map { [.subscriptionIdentifier($0)] } ?? []) }
            for subscription in subscriptions {
                body.writeField(subscription.filter.bytes.readableBytesView)
                let options = subscription.options
                body.writeInteger(version.hasProperties ? options.byte : options.qualityOfService.rawValue)
            }
        }
    }
}

extension ByteBuffer {
    /// Properties that hold no more than a reason string.
    fileprivate mutating func writeReasonString(_ text: String?) {
        writeProperties(text.map { [.reasonString($0)] } ?? [])
    }
}

extension Publish {
    /// A message at rest as the PUBLISH that delivers it.
    ///
    /// - Parameter now: UTC milliseconds, for what is left of the time that it is worth delivering.
    public init(_ delivery: MQTTSession.Delivery, now: Int64) {
        let message = delivery.message
        let left = message.expiresAt.map { UInt32(clamping: ($0 - now + 999) / 1_000) }
        self.init(
            topic: ByteBuffer(string: message.topic), payload: ByteBuffer(bytes: message.payload),
            packetID: delivery.packetID, qualityOfService: delivery.terms.qualityOfService,
            retain: delivery.terms.retain,
            isDuplicate: delivery.isDuplicate && delivery.terms.qualityOfService != .atMostOnce,
            properties: PublishProperties(
                forwarded: ByteBuffer(bytes: message.properties), expirySeconds: left,
                subscriptionIdentifiers: delivery.terms.identifiers))
    }
}
