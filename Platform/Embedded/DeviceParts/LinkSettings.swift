import Wire

/// The settings of the link: the network, and either the hub's address with the device's name and token, or the number of a
/// user of the original's server.
public struct LinkSettings: Sendable {
    /// The bytes of the longest settings.
    public static var longest: Int { 5 + 32 + 64 + 64 + 32 + 64 + 2 + 4 + 32 }

    /// The network's name, 1...32 bytes of any value.
    public var ssid = FixedBytes<32>()
    /// The network's password, at most 64 bytes.
    public var password = FixedBytes<64>()
    /// The hub's name or address.
    public var host = FixedBytes<64>()
    /// The hub's MQTT port.
    public var port: UInt16 = 1_883
    /// The device's name in its topics.
    public var device = FixedBytes<32>()
    /// The device's token, which the hub checks.
    public var token = FixedBytes<64>()
    /// The number of the user of the original's server whose device it is; 0 for one that has a hub.
    public var user: UInt32 = 0

    /// The hub's public key, by which it signs images: 32 bytes, or none where nobody has told it.
    public var key = FixedBytes<32>()

    /// Empty settings.
    public init() {}

    /// Whether the settings are complete, and no field was too long.
    public var isComplete: Bool {
        ssid.count > 0 && (user != 0 || host.count > 0 && device.count > 0)
            && !(ssid.overflowed || password.overflowed || host.overflowed || device.overflowed || token.overflowed)
    }

    /// Whether the Wi-Fi module's commands can hold the settings. Commands are lines (ESP8266 AT Instruction Set,
    /// section 2), with no escape for a line end: the rest of a network's name after one would be a command of its own.
    public var isSayable: Bool { !(hasLineEnd(ssid) || hasLineEnd(password) || hasLineEnd(host)) }

    private func hasLineEnd<let capacity: Int>(_ bytes: FixedBytes<capacity>) -> Bool {
        for index in 0..<bytes.count where bytes[index] == 0x0A || bytes[index] == 0x0D { return true }
        return false
    }

    /// Appends the settings, for a store.
    public func encode(into sink: inout some ByteSink) {
        sink.put(port)
        func put<let capacity: Int>(_ bytes: FixedBytes<capacity>, _ sink: inout some ByteSink) {
            sink.append(UInt8(bytes.count))
            for index in 0..<bytes.count { sink.append(bytes[index]) }
        }
        put(ssid, &sink)
        put(password, &sink)
        put(host, &sink)
        put(device, &sink)
        put(token, &sink)
        sink.put(user)
        if key.count == 32 { key.withBytes { sink.put(bytes: $0) } }
    }

    /// Reads what ``encode(into:)`` wrote; nil for other bytes.
    public init?(decoding bytes: Span<UInt8>) {
        guard bytes.count >= 7 else { return nil }
        port = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        var offset = 2
        func take<let capacity: Int>(_ field: inout FixedBytes<capacity>, _ offset: inout Int) -> Bool {
            guard offset < bytes.count, offset + Int(bytes[offset]) < bytes.count else { return false }
            for index in 0..<Int(bytes[offset]) { field.append(bytes[offset + 1 + index]) }
            offset += 1 + Int(bytes[offset])
            return true
        }
        guard take(&ssid, &offset), take(&password, &offset), take(&host, &offset), take(&device, &offset),
            take(&token, &offset)
        else { return nil }
        // Toys that knew no other server wrote no user.
        if offset == bytes.count { return }
        guard offset + 4 == bytes.count || offset + 36 == bytes.count else { return nil }
        user =
            UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
            | UInt32(bytes[offset + 3]) << 24
        // Devices that no hub had told its key wrote none.
        for index in offset + 4..<bytes.count { key.append(bytes[index]) }
    }
}
