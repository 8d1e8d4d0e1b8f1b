/// Packets as bytes.
enum Packets {
    static func field(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    static func packet(_ head: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes = [head]
        var rest = body.count
        while rest > 127 {
            bytes.append(UInt8(rest % 128 | 128))
            rest /= 128
        }
        return bytes + [UInt8(rest)] + body
    }

    /// - Parameter id: nil for QoS 0.
    static func publish(_ topic: [UInt8], id: UInt16?, _ payload: [UInt8]) -> [UInt8] {
        let identifier = id.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? []
        return packet(id == nil ? 0x30 : 0x32, topic + identifier + payload)
    }
}
