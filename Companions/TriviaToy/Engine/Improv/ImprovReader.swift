/// Finds the packets of Improv Wi-Fi among what comes over a serial line, where a device also writes its log: whatever is no
/// packet is passed over, and a packet that came damaged is counted.
public struct ImprovReader: Sendable {
    /// A packet by itself.
    public struct Message: Equatable, Sendable {
        /// What its data are.
        public var kind: ImprovPacket.Kind
        /// What stands between its length and its checksum.
        public var data: [UInt8]
    }

    private var pending: [UInt8] = []
    /// Packets whose checksum, version or type was wrong.
    public private(set) var damaged: UInt32 = 0

    /// Nothing has come yet.
    public init() {}

    /// Takes what came; packets may begin and end in any of several pieces.
    public mutating func append(_ bytes: Span<UInt8>) {
        for index in 0..<bytes.count { pending.append(bytes[index]) }
    }

    /// The next whole packet; nil until more comes.
    public mutating func next() -> Message? {
        while !pending.isEmpty {
            do throws(ImprovPacket.Fault) {
                let packet = try ImprovPacket(decoding: pending.span)
                let message = Message(kind: packet.kind, data: Array(pending[packet.data]))
                pending.removeFirst(packet.data.upperBound + 1)
                return message
            } catch {
                switch error {
                case .cutOff: return nil
                case .noHeader: break
                case .unknownVersion, .unknownType, .checksum: damaged &+= 1
                }
                skip()
            }
        }
        return nil
    }

    /// Goes on at the next letter with which a packet may begin.
    private mutating func skip() {
        var place = 1
        while place < pending.count, pending[place] != ImprovPacket.letter(0) { place += 1 }
        pending.removeFirst(place)
    }
}
