import DeviceParts
import Wire

/// The packets of MQTT 3.1.1 that a sensor needs: CONNECT, PUBLISH with QoS 1, and the hub's answers to them. Clauses are of the
/// OASIS standard of 2014.
struct HubPackets {
    /// An answer of the hub.
    enum Answer: Equatable {
        case connected
        /// The hub does not know this sensor, or its token (clause 3.2.2.3).
        case refused
        /// The hub has stored what was published last.
        case acknowledged
    }

    private var identifier: UInt16 = 0
    private var head = InlineArray<4, UInt8>(repeating: 0)
    private var count = 0
    private var left = 0

    /// The request by which the hub's pages say the time.
    static func timeRequest(_ host: FixedBytes<64>) -> FixedBytes<256> {
        var bytes = FixedBytes<256>()
        bytes.put(text: "GET /healthz HTTP/1.1\r\nHost: ")
        for index in 0..<host.count { bytes.append(host[index]) }
        bytes.put(text: "\r\nConnection: close\r\n\r\n")
        return bytes
    }

    /// The CONNECT packet (clause 3.1), with a clean session: nothing is sent to a sensor.
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
        identifier = identifier == .max ? 1 : identifier + 1
        var bytes = FixedBytes<256>()
        let topic = 7 + settings.device.count + 9
        begin(0x32, 2 + topic + 2 + text.count, &bytes)
        bytes.append(0)
        bytes.append(UInt8(topic))
        bytes.put(text: "tandem/")
        for index in 0..<settings.device.count { bytes.append(settings.device[index]) }
        bytes.put(text: "/readings")
        bytes.append(UInt8(identifier >> 8))
        bytes.append(UInt8(identifier & 0xFF))
        for index in 0..<text.count { bytes.append(text[index]) }
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

    /// Reads a byte of the connection. Packets of the hub are four bytes long, and another one is passed over.
    mutating func receive(_ byte: UInt8) -> Answer? {
        if left > 0 {
            left -= 1
            return nil
        }
        head[count] = byte
        count += 1
        if count == 2, byte != 2 {
            count = 0
            // A longer one with a length of several bytes ends the delivery by its time.
            left = Int(byte)
            return nil
        }
        guard count == 4 else { return nil }
        count = 0
        switch head[0] {
        case 0x20: return head[3] == 0 ? .connected : .refused
        case 0x40: return UInt16(head[2]) << 8 | UInt16(head[3]) == identifier ? .acknowledged : nil
        default: return nil
        }
    }
}
