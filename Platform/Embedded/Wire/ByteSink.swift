/// A destination of encoded bytes: an array on the hub, a buffer of fixed size on a device.
public protocol ByteSink {
    /// Appends one byte. A full buffer remembers that it was too small.
    mutating func append(_ byte: UInt8)
}

extension Array: ByteSink where Element == UInt8 {}

extension ByteSink {
    /// Appends a number in little-endian order.
    public mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        var rest = number
        for _ in 0..<Number.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Appends bytes as they are.
    public mutating func put(bytes: Span<UInt8>) {
        for index in 0..<bytes.count { append(bytes[index]) }
    }

    /// Appends the letters of a literal.
    public mutating func put(text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
    }

    /// Appends a number in decimal.
    public mutating func put(decimal number: Int64) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var used = 0
        var rest = number.magnitude
        repeat {
            digits[used] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            used += 1
        } while rest != 0
        if number < 0 { append(UInt8(ascii: "-")) }
        while used > 0 {
            used -= 1
            append(digits[used])
        }
    }
}
