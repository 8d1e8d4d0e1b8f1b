import DeviceParts
import TriviaToyEngine
import Wire

/// The part of an MQTT 3.1.1 client that the toy needs: it connects, subscribes to its own `fact` and `rules`,
/// publishes with QoS 1 one message at a time, and acknowledges stored messages. Clauses are of the OASIS standard of
/// 2014.
public struct MQTTLink: Sendable {
    /// A packet of the hub.
    public enum Event: Equatable, Sendable {
        /// The connection is accepted.
        case connected
        /// The connection is refused, with the code of clause 3.2.2.3: 4 and 5 mean that the toy's token is not known.
        case refused(UInt8)
        /// The subscriptions are granted.
        case subscribed
        /// The published message is stored.
        case acknowledged
        /// A message has arrived; ``payload(_:)`` reads it. To be answered by ``acknowledge(into:)``.
        case message(Topic)
        /// The connection still works.
        case pong
        /// The bytes are not MQTT, or the packet is too large for the toy.
        case malformed
    }

    /// The topics that the toy receives.
    public enum Topic: UInt8, Sendable {
        case fact, rules, other
    }

    /// The seconds within which the toy sends a packet.
    public static var keepAlive: UInt16 { 60 }
    /// The largest packet that is read: a topic, an identifier, and the longest message.
    static var largest: Int { 2 + 80 + 2 + 1_510 }

    private var packet = FixedBytes<1_594>()
    private var first: UInt8 = 0
    private var length = 0
    private var multiplier = 0
    private var stage = Stage.first
    private var payloadStart = 0
    private var incomingID: UInt16 = 0
    private var outgoingID: UInt16 = 0

    private enum Stage { case first, length, body }

    /// A link that is not connected.
    public init() {}

    /// Discards a packet that has begun: the connection is a new one.
    public mutating func reset() {
        stage = .first
        packet.clear()
    }

    // MARK: - Sending

    /// The CONNECT packet (clause 3.1): the session is kept by the hub, so that facts sent meanwhile come later.
    public func connect(_ settings: LinkSettings) -> FixedBytes<256> {
        var bytes = FixedBytes<256>()
        Self.header(0x10, 10 + 2 + settings.device.count * 2 + 2 + 2 + settings.token.count, &bytes)
        bytes.put(text: "\u{0}\u{4}MQTT\u{4}")
        bytes.append(0xC0)
        bytes.append(UInt8(Self.keepAlive >> 8))
        bytes.append(UInt8(Self.keepAlive & 0xFF))
        Self.text(settings.device, &bytes)
        Self.text(settings.device, &bytes)
        Self.text(settings.token, &bytes)
        return bytes
    }

    /// The SUBSCRIBE packet (clause 3.8) for both topics, QoS 1.
    public mutating func subscribe(_ settings: LinkSettings) -> FixedBytes<256> {
        var bytes = FixedBytes<256>()
        let topics = 2 * (2 + 7 + settings.device.count + 1) + 4 + 5 + 2
        Self.header(0x82, 2 + topics, &bytes)
        put(nextID(), &bytes)
        Self.topic(settings, ToyTopic.fact, &bytes)
        bytes.append(1)
        Self.topic(settings, ToyTopic.rules, &bytes)
        bytes.append(1)
        return bytes
    }

    /// The PUBLISH packet (clause 3.3), QoS 1.
    public mutating func publish(_ topic: StaticString, _ message: FixedBytes<32>, _ settings: LinkSettings)
        -> FixedBytes<256>
    {
        var bytes = FixedBytes<256>()
        let topicLength = 2 + 7 + settings.device.count + 1 + topic.utf8CodeUnitCount
        Self.header(0x32, topicLength + 2 + message.count, &bytes)
        Self.topic(settings, topic, &bytes)
        put(nextID(), &bytes)
        for index in 0..<message.count { bytes.append(message[index]) }
        return bytes
    }

    /// Appends the PUBACK (clause 3.4) of the message that came last.
    public func acknowledge(into bytes: inout FixedBytes<256>) {
        Self.header(0x40, 2, &bytes)
        put(incomingID, &bytes)
    }

    /// The PINGREQ packet (clause 3.12).
    public var ping: FixedBytes<256> {
        var bytes = FixedBytes<256>()
        Self.header(0xC0, 0, &bytes)
        return bytes
    }

    private mutating func nextID() -> UInt16 {
        outgoingID = outgoingID == .max ? 1 : outgoingID + 1
        return outgoingID
    }

    private func put(_ number: UInt16, _ bytes: inout FixedBytes<256>) {
        bytes.append(UInt8(number >> 8))
        bytes.append(UInt8(number & 0xFF))
    }

    private static func header(_ first: UInt8, _ count: Int, _ bytes: inout FixedBytes<256>) {
        bytes.append(first)
        // Clause 2.2.3: seven bits a byte, the lowest first.
        if count > 127 { bytes.append(UInt8(count & 0x7F | 0x80)) }
        bytes.append(UInt8(count > 127 ? count >> 7 : count))
    }

    private static func text<let capacity: Int>(_ text: FixedBytes<capacity>, _ bytes: inout FixedBytes<256>) {
        bytes.append(0)
        bytes.append(UInt8(text.count))
        for index in 0..<text.count { bytes.append(text[index]) }
    }

    private static func topic(_ settings: LinkSettings, _ last: StaticString, _ bytes: inout FixedBytes<256>) {
        bytes.append(0)
        bytes.append(UInt8(7 + settings.device.count + 1 + last.utf8CodeUnitCount))
        bytes.put(text: "tandem/")
        for index in 0..<settings.device.count { bytes.append(settings.device[index]) }
        bytes.append(UInt8(ascii: "/"))
        bytes.put(text: last)
    }

    // MARK: - Receiving

    /// Reads a byte of the connection.
    public mutating func receive(_ byte: UInt8) -> Event? {
        switch stage {
        case .first:
            first = byte
            (length, multiplier) = (0, 0)
            packet.clear()
            stage = .length
        case .length:
            length |= Int(byte & 0x7F) << multiplier
            multiplier += 7
            if byte & 0x80 != 0 {
                guard multiplier < 28 else { return fail() }
                return nil
            }
            guard length <= Self.largest else { return fail() }
            stage = .body
            if length == 0 { return complete() }
        case .body:
            packet.append(byte)
            if packet.count == length { return complete() }
        }
        return nil
    }

    /// Calls `body` with the payload of the message that came last.
    public func payload<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try packet.withBytes { (bytes) throws(Failure) in
            try body(bytes.extracting(min(payloadStart, bytes.count)..<bytes.count))
        }
    }

    private mutating func fail() -> Event {
        stage = .first
        return .malformed
    }

    private mutating func complete() -> Event? {
        stage = .first
        switch first >> 4 {
        case 2: return packet.count == 2 ? (packet[1] == 0 ? .connected : .refused(packet[1])) : .malformed
        case 3: return message()
        case 4:
            guard packet.count == 2 else { return .malformed }
            // One message is on its way at a time: an acknowledgement of another one is old.
            return UInt16(packet[0]) << 8 | UInt16(packet[1]) == outgoingID ? .acknowledged : nil
        case 9: return packet.count >= 4 && packet[2] < 0x80 && packet[3] < 0x80 ? .subscribed : .refused(0x80)
        case 13: return .pong
        default: return .malformed
        }
    }

    private mutating func message() -> Event? {
        guard packet.count >= 2, first & 0x06 <= 0x02 else { return .malformed }
        let topicEnd = 2 + (Int(packet[0]) << 8 | Int(packet[1]))
        let hasID = first & 0x06 != 0
        payloadStart = topicEnd + (hasID ? 2 : 0)
        guard payloadStart <= packet.count else { return .malformed }
        incomingID = hasID ? UInt16(packet[topicEnd]) << 8 | UInt16(packet[topicEnd + 1]) : 0
        let topic: Topic = packet.withBytes { bytes in
            var start = topicEnd
            while start > 2, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
            let last = bytes.extracting(start..<topicEnd)
            return matches(last, ToyTopic.fact) ? .fact : matches(last, ToyTopic.rules) ? .rules : .other
        }
        return .message(topic)
    }

    /// Whether the message that came last wants to be acknowledged.
    public var wantsAcknowledgement: Bool { incomingID != 0 }
}
