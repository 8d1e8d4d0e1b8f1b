/// Reads what a ``BitWriter`` wrote. Beyond the end it reads noughts and remembers it, so that a caller asks once.
///
/// Eight bytes come into its buffer at once, wherever they lie (F. Giesen, *Reading bits in far too many ways*, 2018).
struct BitReader {
    /// Valid as long as whoever made this reader says.
    private let bytes: UnsafeRawBufferPointer
    /// The place of the next byte to be buffered; beyond the end where noughts were.
    private var next = 0
    /// The next bits, from the highest down. Those beyond `buffered` are noughts, or what comes next in any case.
    private var buffer: UInt64 = 0
    private var buffered = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// How many bits are left; less than none where more was read than is there.
    var remaining: Int { 8 * (bytes.count - next) + buffered }

    /// Has at least 56 bits in the buffer.
    @inline(__always)
    private mutating func fill() {
        guard next <= bytes.count &- 8 else { return fillByBytes() }
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
        buffer |= word &>> UInt64(truncatingIfNeeded: buffered)
        next &+= (63 &- buffered) &>> 3
        buffered |= 56
    }

    /// Near the end, and beyond it.
    @inline(never)
    private mutating func fillByBytes() {
        while buffered <= 56 {
            if next < bytes.count { buffer |= UInt64(bytes[next]) &<< UInt64(truncatingIfNeeded: 56 &- buffered) }
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

    /// A Rice code: ones before a 0 as the quotient, and the remainder; or `most` ones and the number itself in 64 bits.
    ///
    /// - Parameters:
    ///   - most: below 56.
    ///   - parameter: how many bits the remainder has, 0 to 56.
    @inline(__always)
    mutating func takeRice(_ parameter: Int, most: Int) -> UInt64 {
        fill()
        let ones = (~buffer).leadingZeroBitCount
        guard ones < most else {
            drop(most)
            return takeWide(64)
        }
        let quotient = UInt64(truncatingIfNeeded: ones) &<< UInt64(truncatingIfNeeded: parameter)
        let length = ones &+ 1 &+ parameter
        guard length <= 56 else {
            drop(ones &+ 1)
            return quotient | take(parameter)
        }
        // Moved on in two steps: by 64 at once nothing would move.
        let rest = buffer &<< UInt64(truncatingIfNeeded: ones &+ 1)
        drop(length)
        return quotient | (rest &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- parameter)
    }

    /// What ``BitWriter/put(signed:)`` wrote; nil where that is no number.
    mutating func signed() -> Int64? {
        let width = Int(take(7))
        return width <= 64 ? Int64(zigzag: takeWide(width)) : nil
    }
}
