/// A reader that finds the packets of Improv Wi-Fi in the data of a serial line, on which a device also writes its log:
/// everything else is skipped, and damaged packets are counted.
public struct ImprovReader: Sendable {
    /// A packet with its own data.
    public struct Message: Equatable, Sendable {
        /// The type of the packet.
        public var kind: ImprovPacket.Kind
        /// The data.
        public var data: [UInt8]
    }

    private var pending: [UInt8] = []
    /// The number of packets with a wrong checksum, version or type.
    public private(set) var damaged: UInt32 = 0

    /// Creates a reader.
    public init() {}

    /// Adds received bytes; packets may begin and end in any of several pieces.
    public mutating func append(_ bytes: Span<UInt8>) {
        for index in 0..<bytes.count { pending.append(bytes[index]) }
    }

    /// The next whole packet; nil until more bytes arrive.
    public mutating func next() -> Message? {
        while !pending.isEmpty {
            do throws(ImprovPacket.Fault) {
                let packet = try ImprovPacket(decoding: pending.span)
                let message = Message(kind: packet.kind, data: Array(pending[packet.data]))
                pending.removeFirst(packet.data.upperBound + 1)
                return message
            } catch {
                switch error {
                case .cutOff:
                    // The rest of a torn packet is not waited for once a whole one has come behind its beginning.
                    guard let whole = wholePacket else { return nil }
                    damaged &+= 1
                    pending.removeFirst(whole)
                    continue
                case .noHeader: break
                case .unknownVersion, .unknownType, .checksum: damaged &+= 1
                }
                skip()
            }
        }
        return nil
    }

    /// The place of a whole packet behind the beginning of the one that is waited for; nil where there is none.
    private var wholePacket: Int? {
        for place in pending.indices.dropFirst() where pending[place] == ImprovPacket.letter(0) {
            if (try? ImprovPacket(decoding: pending.span.extracting(place..<pending.count))) != nil { return place }
        }
        return nil
    }

    /// Skips to the next letter with which a packet may begin.
    private mutating func skip() {
        var place = 1
        while place < pending.count, pending[place] != ImprovPacket.letter(0) { place += 1 }
        pending.removeFirst(place)
    }
}
