/// A reader of the bits that a ``BitWriter`` wrote. Beyond the end it returns zeros and remembers that, so that a
/// caller checks once.
///
/// Eight bytes are buffered at once, at any alignment (F. Giesen, *Reading bits in far too many ways*, 2018).
struct BitReader {
    /// The bytes, valid as long as the owner of this reader guarantees.
    private let bytes: UnsafeRawBufferPointer
    /// The index of the next byte to buffer; beyond the end after zeros were returned.
    private var next = 0
    /// The next bits, from the highest down. Those beyond `buffered` are zeros, or the bits that follow anyway.
    private var buffer: UInt64 = 0
    private var buffered = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The number of bits that are left; negative after a read beyond the end.
    var remaining: Int { 8 * (bytes.count - next) + buffered }

    /// Fills the buffer with at least 56 bits.
    @inline(__always)
    private mutating func fill() {
        guard next <= bytes.count &- 8 else { return fillByBytes() }
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
        buffer |= word &>> UInt64(truncatingIfNeeded: buffered)
        next &+= (63 &- buffered) &>> 3
        buffered |= 56
    }

    /// Fills the buffer near the end and beyond it.
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

    /// The next Rice code: ones before a 0 as the quotient, and the remainder; or `most` ones and the number itself in
    /// 64 bits.
    ///
    /// - Parameters:
    ///   - parameter: the number of bits of the remainder, 0 to 56.
    ///   - most: the number of ones that announce a whole number, below 56.
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

    /// The next number that ``BitWriter/put(signed:)`` wrote; nil if the bits are not such a number.
    mutating func signed() -> Int64? {
        let width = Int(take(7))
        return width <= 64 ? Int64(zigzag: takeWide(width)) : nil
    }
}
