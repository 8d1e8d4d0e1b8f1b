/// Reads what a ``BitWriter`` wrote. Beyond the end it reads noughts and remembers it, so that a caller asks once.
struct BitReader {
    private let bytes: [UInt8]
    private let end: Int
    /// The place of the next byte to be buffered; beyond the end where noughts were.
    private var next: Int
    /// The next bits, from the highest down.
    private var buffer: UInt64 = 0
    private var buffered = 0

    /// - Parameter range: within the bytes.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        next = range.lowerBound
        end = range.upperBound
    }

    /// How many bits are left; less than none where more was read than is there.
    var remaining: Int { 8 * (end - next) + buffered }

    /// Has at least 57 bits in the buffer.
    @inline(__always)
    private mutating func fill() {
        while buffered <= 56 {
            if next < end { buffer |= UInt64(bytes[next]) &<< UInt64(truncatingIfNeeded: 56 &- buffered) }
            next &+= 1
            buffered &+= 8
        }
    }

    @inline(__always)
    private mutating func drop(_ count: Int) {
        buffer &<<= UInt64(truncatingIfNeeded: count)
        buffered &-= count
    }

    /// The next bits as a number.
    ///
    /// - Parameter count: 0 to 56.
    @inline(__always)
    mutating func take(_ count: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        fill()
        let bits = buffer &>> UInt64(truncatingIfNeeded: 64 &- count)
        drop(count)
        return bits
    }

    /// The next bits as a number, 0 to 64 of them.
    @inline(__always)
    mutating func takeWide(_ count: Int) -> UInt64 {
        guard count > 32 else { return take(count) }
        let high = take(count - 32)
        return high << 32 | take(32)
    }

    /// How many bits that are 1 come next, `most` at most; the 0 after fewer is passed over.
    ///
    /// - Parameter most: below 57.
    @inline(__always)
    mutating func takeOnes(atMost most: Int) -> Int {
        fill()
        let ones = (~buffer).leadingZeroBitCount
        guard ones < most else {
            drop(most)
            return most
        }
        drop(ones &+ 1)
        return ones
    }

    /// What ``BitWriter/put(signed:)`` wrote; nil where that is no number.
    mutating func signed() -> Int64? {
        let width = Int(take(7))
        return width <= 64 ? Int64(zigzag: takeWide(width)) : nil
    }
}
