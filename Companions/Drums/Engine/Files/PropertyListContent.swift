import Wire

extension PropertyListDate {
    /// Reads the date of the XML form.
    ///
    /// - Returns: nil for anything but `2016-04-20T15:30:01Z`, or the same with a fraction, an offset or a space, as other
    ///   programs write it, with numbers that a month, a day and a clock have.
    init?(_ text: [UInt8]) {
        if let plain = Self.plain(text) {
            self = plain
        } else if let milliseconds = iso8601Milliseconds(text.span) {
            // Seconds since 1 January 2001, as in the binary form.
            self = .seconds(Double(milliseconds.minusClamped(978_307_200_000)) / 1_000)
        } else {
            return nil
        }
    }

    private static func plain(_ text: [UInt8]) -> Self? {
        guard text.count == 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "Z")
        else { return nil }
        func number(_ range: Range<Int>, in allowed: ClosedRange<Int64>) -> Int64? {
            // A sign is none of its digits.
            guard let first = text[range].first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9"),
                let number = integer(text.span.extracting(range)), allowed.contains(number)
            else { return nil }
            return number
        }
        guard let year = number(0..<4, in: 0...9_999), let month = number(5..<7, in: 1...12),
            let day = number(8..<10, in: 1...31), let hour = number(11..<13, in: 0...23),
            let minute = number(14..<16, in: 0...59), let second = number(17..<19, in: 0...59)
        else { return nil }
        return .fields(
            year: UInt16(year), month: UInt8(month), day: UInt8(day), hour: UInt8(hour), minute: UInt8(minute),
            second: UInt8(second))
    }
}

/// The bytes that Base64 (RFC 4648, section 4) stands for, with spaces and line ends anywhere between.
///
/// - Returns: nil for other characters, and where the last group of four is not whole.
func base64(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text where !isASCIISpace(byte) {
        if byte == UInt8(ascii: "=") {
            padding += 1
            bits <<= 6
        } else {
            guard padding == 0, let digit = base64Value(byte) else { return nil }
            bits = bits << 6 | UInt32(digit)
        }
        digits += 1
        guard digits == 4 else { continue }
        guard padding <= 2 else { return nil }
        for index in 0..<(3 - padding) { bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(index)))) }
        (bits, digits) = (0, 0)
    }
    return digits == 0 ? bytes : nil
}

private func base64Value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
