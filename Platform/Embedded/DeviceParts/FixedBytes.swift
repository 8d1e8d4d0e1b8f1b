import Wire

/// Bytes in a buffer of fixed size, without a heap. What does not fit is dropped and remembered in ``overflowed``.
public struct FixedBytes<let capacity: Int>: ByteSink, Sendable {
    private var bytes = InlineArray<capacity, UInt8>(repeating: 0)
    /// Bytes that are in it.
    public private(set) var count = 0
    /// Whether more was appended than fits.
    public private(set) var overflowed = false

    /// An empty buffer.
    public init() {}

    /// A byte that is in it.
    public subscript(index: Int) -> UInt8 { bytes[index] }

    /// Appends a byte, or remembers that there was no room.
    public mutating func append(_ byte: UInt8) {
        guard count < capacity else {
            overflowed = true
            return
        }
        bytes[count] = byte
        count += 1
    }

    /// Empties it.
    public mutating func clear() {
        count = 0
        overflowed = false
    }

    /// Calls `body` with its bytes.
    public func withBytes<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try body(bytes.span.extracting(0..<count))
    }

    /// The number of four bytes from `place` on, the lowest first.
    public func uint32(_ place: Int) -> UInt32 {
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
            | UInt32(bytes[place + 3]) << 24
    }
}
