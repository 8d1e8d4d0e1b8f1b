import Wire

/// Times as phones send them.
public enum EpochTime {
    /// From here on, microseconds since 1970: the first of January 2001. What is earlier is a clock that was never set,
    /// or another unit.
    public static let earliest: Int64 = 978_307_200_000_000

    /// The microseconds since 1970 that nanoseconds as text come to, the rest cut off.
    ///
    /// Nineteen digits are more than a `Double` holds (they would be a quarter of a microsecond off), and two samples
    /// of the same microsecond could change places: they are read as whole numbers, of 64 bits. Also
    /// `1.698501144401773e18`, as JavaScript writes large numbers, and a fraction, which is cut off.
    /// - Returns: nil for what is no number, is beyond 64 bits, or no nanoseconds since 1970 from ``earliest`` to the
    ///   end of ``SampleBlock/latest``.
    public static func microseconds(fromNanoseconds text: Span<UInt8>) -> Int64? {
        guard let nanoseconds = wholePart(text), nanoseconds > 0 else { return nil }
        let microseconds = nanoseconds / 1_000
        guard microseconds >= earliest, microseconds <= SampleBlock.latest else { return nil }
        return microseconds
    }

    /// The microseconds since 1970 that a time of another unit comes to: seconds, milli- or microseconds, of which no two can
    /// be meant, or ISO 8601 with its offset. So tables have it that another program has written again.
    ///
    /// - Returns: nil for what is none, or lies outside of ``earliest`` and ``SampleBlock/latest``.
    public static func microseconds(ofOtherUnit text: Span<UInt8>) -> Int64? {
        if let milliseconds = iso8601Milliseconds(text) {
            let (microseconds, overflowed) = milliseconds.multipliedReportingOverflow(by: 1_000)
            return !overflowed && (earliest...SampleBlock.latest).contains(microseconds) ? microseconds : nil
        }
        guard let value = decimal(text) else { return nil }
        for factor in [1_000_000, 1_000, 1] as [Double] {
            let microseconds = (value * factor).rounded()
            if microseconds >= Double(earliest), microseconds <= Double(SampleBlock.latest) {
                return Int64(microseconds)
            }
        }
        return nil
    }

    /// The whole part of a decimal number, exactly.
    ///
    /// - Returns: nil for what is none, and for one beyond 64 bits.
    static func wholePart(_ text: Span<UInt8>) -> Int64? {
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        var digits: [UInt8] = []
        var point: Int?
        while index < text.count {
            let byte = text[index]
            if byte &- UInt8(ascii: "0") < 10 {
                // Leading noughts are left out, so that there are few to go through.
                if !digits.isEmpty || byte != UInt8(ascii: "0") || point != nil { digits.append(byte) }
                guard digits.count <= 400 else { return nil }
            } else if byte == UInt8(ascii: "."), point == nil {
                point = digits.count
            } else {
                break
            }
            index += 1
        }
        guard index > (isNegative ? 1 : 0) else { return nil }
        var whole = point ?? digits.count
        if index < text.count {
            guard text[index] | 0x20 == UInt8(ascii: "e"), index + 1 < text.count else { return nil }
            guard let exponent = integer(text.extracting((index + 1)..<text.count)), exponent.magnitude <= 400 else {
                return nil
            }
            whole += Int(exponent)
        }
        var value: Int64 = 0
        for place in 0..<max(whole, 0) {
            let digit = place < digits.count ? Int64(digits[place] - UInt8(ascii: "0")) : 0
            let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflowed, !carried else { return nil }
            value = sum
        }
        return value
    }
}
