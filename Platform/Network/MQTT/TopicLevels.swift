import NIOCore

/// The levels of a topic name or filter, as slices of its bytes, section 4.7.1.1. An empty text has one empty level.
struct TopicLevels: Sequence, IteratorProtocol {
    private var rest: ByteBuffer?

    init(_ topic: ByteBuffer) { rest = topic }

    mutating func next() -> ByteBuffer? {
        guard var level = rest else { return nil }
        guard let slash = level.readableBytesView.firstIndex(of: UInt8(ascii: "/")) else {
            rest = nil
            return level
        }
        let start = level.readerIndex
        level.moveReaderIndex(to: slash + 1)
        rest = level
        level.moveReaderIndex(to: start)
        level.moveWriterIndex(to: slash)
        return level
    }
}

extension ByteBuffer {
    /// The level `+`, which stands for any one level.
    var isSingleLevelWildcard: Bool { isByte(UInt8(ascii: "+")) }
    /// The level `#`, which stands for its parent and any number of levels below.
    var isMultiLevelWildcard: Bool { isByte(UInt8(ascii: "#")) }

    /// Whether a wildcard at the start of a filter must not match: `$SYS` and its like [MQTT-4.7.2-1].
    var isReservedTopic: Bool { getInteger(at: readerIndex, as: UInt8.self) == UInt8(ascii: "$") }

    private func isByte(_ byte: UInt8) -> Bool {
        readableBytes == 1 && getInteger(at: readerIndex, as: UInt8.self) == byte
    }
}
