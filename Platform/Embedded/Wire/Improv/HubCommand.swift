/// A command that tells a device its hub, id and token: Tandem's own extension of Improv Wi-Fi, which only knows
/// the network. A device that does not know it answers `unknownCommand`.
///
/// The data are the command's number, the length of the rest, and four texts, each after its length: host, port in
/// decimal, device id, token. A fifth one may follow, the hub's public key of 32 bytes: a device whose firmware is older than that
/// refuses such a command as an invalid packet, and takes the one without.
public struct HubCommand: Equatable, Sendable {
    /// The number of the command, far from those of Improv.
    public static var number: UInt8 { 0xE0 }

    /// The range of the hub's host name or address, 1...64 bytes, in the decoded data.
    public var host: Range<Int>
    /// The port of the hub's MQTT listener.
    public var port: UInt16
    /// The range of the device's id, 1...32 bytes.
    public var device: Range<Int>
    /// The range of its token, at most 64 bytes.
    public var token: Range<Int>
    /// The range of the hub's key, 32 bytes; nil where it is not told.
    public var key: Range<Int>?

    /// Reads the data of a ``ImprovPacket/Kind/command``; nil for another command, or texts that are too long.
    public init?(decoding data: Span<UInt8>) {
        guard data.count >= 2, data[0] == Self.number, Int(data[1]) == data.count - 2 else { return nil }
        var place = 2
        func text(_ lengths: ClosedRange<Int>) -> Range<Int>? {
            guard place < data.count else { return nil }
            let range = place + 1..<place + 1 + Int(data[place])
            guard range.upperBound <= data.count, lengths.contains(range.count) else { return nil }
            place = range.upperBound
            return range
        }
        guard let host = text(1...64), let digits = text(1...5), let device = text(1...32), let token = text(0...64)
        else { return nil }
        if place < data.count {
            key = text(32...32)
            guard key != nil else { return nil }
        }
        guard place == data.count else { return nil }
        var port: UInt32 = 0
        for index in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(data[index]) else { return nil }
            port = port * 10 + UInt32(data[index] - UInt8(ascii: "0"))
        }
        guard (1...65_535).contains(port) else { return nil }
        self.host = host
        self.port = UInt16(port)
        self.device = device
        self.token = token
    }

    /// Appends the data of the command. Texts that are too long are refused by the device.
    public static func encode(
        host: Span<UInt8>, port: UInt16, device: Span<UInt8>, token: Span<UInt8>, key: Span<UInt8>? = nil,
        into sink: inout some ByteSink
    ) {
        var digits: [UInt8] = []
        digits.put(decimal: Int64(port))
        sink.append(number)
        var keyCount = 0
        if let key { keyCount = key.count + 1 }
        sink.append(UInt8(clamping: 4 + host.count + digits.count + device.count + token.count + keyCount))
        put(host, &sink)
        put(digits.span, &sink)
        put(device, &sink)
        put(token, &sink)
        if let key { put(key, &sink) }
    }

    private static func put(_ text: Span<UInt8>, _ sink: inout some ByteSink) {
        sink.append(UInt8(clamping: text.count))
        sink.put(bytes: text)
    }
}
