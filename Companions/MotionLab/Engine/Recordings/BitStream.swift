/// The writer of numbers of some bits each, the highest first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Writes bits.
    ///
    /// - Parameter count: of the lowest bits, 0 to 32.
    mutating func write(_ bits: UInt64, count: Int) {
        pending = pending << UInt64(count) | bits & (1 << UInt64(count) - 1)
        pendingCount += count
        while pendingCount >= 8 {
            pendingCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
        }
    }

    /// Writes a number of up to 63 bits: its length in bits, and then the bits.
    mutating func write(number: UInt64) {
        let count = 64 - number.leadingZeroBitCount
        write(UInt64(count), count: 6)
        if count > 32 { write(number >> 32, count: count - 32) }
        write(number, count: min(count, 32))
    }

    /// The bytes, the last one padded with zeros.
    consuming func finished() -> [UInt8] {
        if pendingCount > 0 { write(0, count: 8 - pendingCount) }
        return bytes
    }
}

/// The reader of bytes of ``BitWriter``. Beyond the end it reads zeros and remembers it.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var next: Int
    private var pending: UInt64 = 0
    private var pendingCount = 0
    private(set) var isCutOff = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        next = bytes.startIndex
    }

    /// Reads bits.
    ///
    /// - Parameter count: 0 to 32.
    mutating func read(count: Int) -> UInt64 {
        while pendingCount < count {
            var byte: UInt8 = 0
            if next < bytes.endIndex {
                byte = bytes[next]
                next += 1
            } else {
                isCutOff = true
            }
            pending = pending << 8 | UInt64(byte)
            pendingCount += 8
        }
        pendingCount -= count
        return pending >> UInt64(pendingCount) & (1 << UInt64(count) - 1)
    }

    mutating func number() -> UInt64 {
        let count = Int(read(count: 6))
        let high = count > 32 ? read(count: count - 32) << 32 : 0
        return high | read(count: min(count, 32))
    }

    /// Whether only the zeros that pad the last byte are left.
    var isAtEnd: Bool { next == bytes.endIndex && pendingCount < 8 && pending & (1 << UInt64(pendingCount) - 1) == 0 }
}
