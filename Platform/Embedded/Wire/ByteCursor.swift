/// A reader of bytes from front to back; every step that would run past the end throws instead.
public struct ByteCursor: Sendable {
    /// An error for a read beyond the end.
    public struct UnexpectedEnd: Error, Equatable, Sendable {
        /// The offset at which reading was to begin.
        public let offset: Int
        /// The number of bytes that were requested, at least one.
        public let needed: Int

        /// Creates the error.
        public init(offset: Int, needed: Int) {
            self.offset = offset
            self.needed = needed
        }
    }

    /// All the bytes.
    public let bytes: [UInt8]
    /// The offset of the next byte.
    public private(set) var offset = 0

    /// A cursor at the first byte.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes that are left.
    public var remaining: Int { bytes.count - offset }

    /// The next byte.
    public mutating func byte() throws(UnexpectedEnd) -> UInt8 {
        try require(1)
        offset += 1
        return bytes[offset - 1]
    }

    /// The next `count` bytes.
    public mutating func take(_ count: Int) throws(UnexpectedEnd) -> ArraySlice<UInt8> {
        try require(count)
        offset += count
        return bytes[offset - count..<offset]
    }

    /// The next two bytes as a big-endian number.
    public mutating func bigEndian16() throws(UnexpectedEnd) -> UInt16 {
        try require(2)
        return UInt16(try byte()) << 8 | UInt16(try byte())
    }

    /// The next four bytes as a big-endian number.
    public mutating func bigEndian32() throws(UnexpectedEnd) -> UInt32 {
        try require(4)
        return UInt32(try bigEndian16()) << 16 | UInt32(try bigEndian16())
    }

    /// The bytes before the next `separator`, or before the end; the separator is skipped.
    ///
    /// - Returns: nil at the end.
    public mutating func piece(before separator: UInt8) -> ArraySlice<UInt8>? {
        guard offset < bytes.count else { return nil }
        let start = offset
        while offset < bytes.count, bytes[offset] != separator { offset += 1 }
        let piece = bytes[start..<offset]
        if offset < bytes.count { offset += 1 }
        return piece
    }

    private func require(_ count: Int) throws(UnexpectedEnd) {
        guard count >= 0, count <= remaining else { throw UnexpectedEnd(offset: offset, needed: max(count, 1)) }
    }
}
