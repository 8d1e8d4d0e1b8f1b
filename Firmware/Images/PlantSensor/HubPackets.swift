import BoardImages
import DeviceParts
import Wire

/// The packets of MQTT 3.1.1 that a sensor needs: CONNECT, SUBSCRIBE, PUBLISH, the hub's answers to them, and its messages. Clauses are of the
/// OASIS standard of 2014.
struct HubPackets {
    /// An answer of the hub.
    enum Answer: Equatable {
        case connected
        /// The hub does not know this sensor, or its token (clause 3.2.2.3).
        case refused
        /// The hub has stored what was published last.
        case acknowledged
        /// The hub will send what was subscribed to, and has sent what it had of it.
        case subscribed
        /// The head of an image that the sensor may take: ``message``.
        case offer
        /// A part of it: ``message``.
        case part
    }

    private var identifier: UInt16 = 0
    private var first: UInt8 = 0
    /// The bytes of the length so far, and of the packet after it.
    private var lengthBytes = 0
    private var length = 0
    private var taken = 0
    /// The longest packet that is read: a topic, and a part of an image. Of a longer one the rest is passed over.
    private var body = FixedBytes<328>()
    /// The last message of the hub.
    private(set) var message = FixedBytes<264>()

    /// The request by which the hub's pages say the time.
    static func timeRequest(_ host: FixedBytes<64>) -> FixedBytes<256> {
        var bytes = FixedBytes<256>()
        bytes.put(text: "GET /healthz HTTP/1.1\r\nHost: ")
        for index in 0..<host.count { bytes.append(host[index]) }
        bytes.put(text: "\r\nConnection: close\r\n\r\n")
        return bytes
    }

    /// The CONNECT packet (clause 3.1), with a clean session.
    func connect(_ settings: LinkSettings) -> FixedBytes<256> {
        var bytes = FixedBytes<256>()
        begin(0x10, 10 + 2 + settings.device.count * 2 + 2 + 2 + settings.token.count, &bytes)
        bytes.put(text: "\u{0}\u{4}MQTT\u{4}")
        bytes.append(0xC2)
        bytes.put(text: "\u{0}\u{3C}")
        put(settings.device, &bytes)
        put(settings.device, &bytes)
        put(settings.token, &bytes)
        return bytes
    }

    /// The PUBLISH packet (clause 3.3) of a reading, as `{"capacitance":612,"temperature":21.3,"at":1795220639000}`.
    mutating func publish(_ reading: Reading, seconds: UInt32, _ settings: LinkSettings) -> FixedBytes<256> {
        var text = FixedBytes<80>()
        text.put(text: "{\"capacitance\":")
        text.put(decimal: Int64(reading.capacitance))
        text.put(text: ",\"temperature\":")
        if reading.decicelsius < 0 { text.append(UInt8(ascii: "-")) }
        text.put(decimal: Int64(reading.decicelsius.magnitude / 10))
        text.append(UInt8(ascii: "."))
        text.put(decimal: Int64(reading.decicelsius.magnitude % 10))
        text.put(text: ",\"at\":")
        text.put(decimal: Int64(seconds))
        text.put(text: "000}")
        return text.withBytes { publish("readings", $0, isAcknowledged: true, settings) }
    }

    /// The PUBLISH packet of what runs here and how the last update ended, such as
    /// `{"board":"mps2-an386","image":"plant-sensor","version":"1.1.0","hasKey":true,"offered":"1.2.0","offer":1234,"start":7}`.
    mutating func state(_ update: ImageUpdate, _ running: ImageHeader, _ settings: LinkSettings) -> FixedBytes<256> {
        var text = FixedBytes<192>()
        text.put(text: "{\"board\":\"")
        running.board.put(into: &text)
        text.put(text: "\",\"image\":\"")
        running.kind.put(into: &text)
        text.put(text: "\",\"version\":\"")
        running.version.put(into: &text)
        text.put(text: settings.key.count == 32 ? "\",\"hasKey\":true" : "\",\"hasKey\":false")
        if let outcome = update.outcome {
            text.put(text: ",\"offered\":\"")
            outcome.version.put(into: &text)
            text.put(text: "\",\"offer\":")
            text.put(decimal: Int64(outcome.offer))
            switch outcome.result {
            case .updated: break
            case .wentBack(let start):
                text.put(text: ",\"start\":")
                text.put(decimal: Int64(start))
            case .refused(let fault):
                text.put(text: ",\"refused\":")
                text.put(decimal: Int64(fault.rawValue))
            }
        }
        text.append(UInt8(ascii: "}"))
        return text.withBytes { publish("firmware/state", $0, isAcknowledged: true, settings) }
    }

    /// The PUBLISH packet with QoS 0 that asks for a part: the number of the offer, and where the part begins.
    mutating func want(_ want: ImageUpdate.Want, _ settings: LinkSettings) -> FixedBytes<256> {
        var bytes = FixedBytes<8>()
        bytes.put(want.offer)
        bytes.put(UInt32(want.offset))
        return bytes.withBytes { publish("firmware/want", $0, isAcknowledged: false, settings) }
    }

    /// The SUBSCRIBE packet (clause 3.8) to offers and parts, with QoS 0.
    mutating func subscribe(_ settings: LinkSettings) -> FixedBytes<256> {
        nextIdentifier()
        var bytes = FixedBytes<256>()
        let topic = 7 + settings.device.count
        begin(0x82, 2 + (2 + topic + 15 + 1) + (2 + topic + 14 + 1), &bytes)
        put(identifier, &bytes)
        for name: StaticString in ["/firmware/offer", "/firmware/part"] {
            put(UInt16(topic + name.utf8CodeUnitCount), &bytes)
            bytes.put(text: "tandem/")
            for index in 0..<settings.device.count { bytes.append(settings.device[index]) }
            bytes.put(text: name)
            bytes.append(0)
        }
        return bytes
    }

    private mutating func nextIdentifier() { identifier = identifier == .max ? 1 : identifier + 1 }

    private func put(_ number: UInt16, _ bytes: inout FixedBytes<256>) {
        bytes.append(UInt8(number >> 8))
        bytes.append(UInt8(number & 0xFF))
    }

    private mutating func publish(
        _ name: StaticString, _ payload: Span<UInt8>, isAcknowledged: Bool, _ settings: LinkSettings
    ) -> FixedBytes<256> {
        var bytes = FixedBytes<256>()
        let topic = 7 + settings.device.count + 1 + name.utf8CodeUnitCount
        begin(isAcknowledged ? 0x32 : 0x30, 2 + topic + (isAcknowledged ? 2 : 0) + payload.count, &bytes)
        put(UInt16(topic), &bytes)
        bytes.put(text: "tandem/")
        for index in 0..<settings.device.count { bytes.append(settings.device[index]) }
        bytes.append(UInt8(ascii: "/"))
        bytes.put(text: name)
        if isAcknowledged {
            nextIdentifier()
            put(identifier, &bytes)
        }
        bytes.put(bytes: payload)
        return bytes
    }

    private func begin(_ first: UInt8, _ length: Int, _ bytes: inout FixedBytes<256>) {
        bytes.append(first)
        // Clause 2.2.3: seven bits a byte, the lowest first. None of these packets is longer than 255 bytes.
        if length > 127 { bytes.append(UInt8(length & 0x7F | 0x80)) }
        bytes.append(UInt8(length > 127 ? length >> 7 : length))
    }

    private func put<let capacity: Int>(_ text: FixedBytes<capacity>, _ bytes: inout FixedBytes<256>) {
        bytes.append(0)
        bytes.append(UInt8(text.count))
        for index in 0..<text.count { bytes.append(text[index]) }
    }

    /// Reads a byte of the connection.
    mutating func receive(_ byte: UInt8) -> Answer? {
        if taken == 0, lengthBytes == 0, first == 0 {
            first = byte
            return nil
        }
        if lengthBytes >= 0 {
            // Clause 2.2.3: at most four bytes, the lowest first.
            length |= Int(byte & 0x7F) << (7 * lengthBytes)
            lengthBytes += 1
            guard byte & 0x80 == 0 || lengthBytes == 4 else { return nil }
            lengthBytes = -1
        } else {
            body.append(byte)
            taken += 1
        }
        guard taken == length else { return nil }
        let answer = answer()
        first = 0
        (lengthBytes, length, taken) = (0, 0, 0)
        body.clear()
        return answer
    }

    private mutating func answer() -> Answer? {
        guard !body.overflowed else { return nil }
        switch first {
        case 0x20 where length == 2: return body[1] == 0 ? .connected : .refused
        case 0x40 where length == 2: return UInt16(body[0]) << 8 | UInt16(body[1]) == identifier ? .acknowledged : nil
        case 0x90 where length >= 2: return UInt16(body[0]) << 8 | UInt16(body[1]) == identifier ? .subscribed : nil
        // A message with QoS 0 (clause 3.3), retained or not.
        case 0x30, 0x31: return takeMessage()
        default: return nil
        }
    }

    private mutating func takeMessage() -> Answer? {
        guard length >= 2 else { return nil }
        let topic = Int(body[0]) << 8 | Int(body[1])
        guard 2 + topic <= length, topic > 5 else { return nil }
        message.clear()
        for index in 2 + topic..<length { message.append(body[index]) }
        guard !message.overflowed else { return nil }
        // Of the two topics that were subscribed to, one ends with an r.
        return body[1 + topic] == UInt8(ascii: "r") ? .offer : .part
    }
}
