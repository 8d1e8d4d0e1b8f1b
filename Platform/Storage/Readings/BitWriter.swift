/// A writer of numbers of any number of bits, the highest bit of each first, without gaps.
struct BitWriter {
    /// The whole bytes so far.
    private(set) var bytes: [UInt8]
    /// The bits that are not a whole byte yet, from the highest down; fewer than eight between two calls.
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Creates a writer.
    ///
    /// - Parameter bytes: the bytes before the bits.
    init(after bytes: [UInt8] = []) { self.bytes = bytes }

    /// Appends the lowest `count` bits of a number.
    ///
    /// - Parameter count: 0 to 56.
    mutating func put(_ bits: UInt64, count: Int) {
        guard count > 0 else { return }
        pending |= (bits << UInt64(64 - count)) >> UInt64(pendingCount)
        pendingCount += count
        while pendingCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending >> 56))
            pending <<= 8
            pendingCount -= 8
        }
    }

    /// Appends the lowest `count` bits of a number, 0 to 64 of them.
    mutating func putWide(_ bits: UInt64, count: Int) {
        if count > 32 { put(bits >> 32, count: count - 32) }
        put(bits, count: min(count, 32))
    }

    /// Appends a signed number: the number of bits of its zigzag form, in seven bits, and these bits.
    mutating func put(signed number: Int64) {
        let zigzag = number.zigzag
        let width = zigzag.bitWidthUsed
        put(UInt64(width), count: 7)
        putWide(zigzag, count: width)
    }

    /// The bytes, with the last one filled up with zeros.
    mutating func finish() -> [UInt8] {
        if pendingCount > 0 { put(0, count: 8 - pendingCount) }
        return bytes
    }
}

extension Int64 {
    /// The zigzag form, in which small numbers of either sign are small: 0, -1, 1, -2 become 0, 1, 2, 3.
    var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }

    /// The number of a zigzag form.
    init(zigzag: UInt64) { self = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1) }
}

extension UInt64 {
    /// The number of bits that it takes, 0 to 64.
    var bitWidthUsed: Int { 64 - leadingZeroBitCount }
}
