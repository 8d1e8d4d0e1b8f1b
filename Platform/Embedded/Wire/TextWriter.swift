/// A builder of ASCII and UTF-8 text as bytes, without `String`, so that an Embedded build carries no Unicode tables.
public struct TextWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    public init() {}

    /// Appends literal text.
    public mutating func write(_ text: StaticString) {
        text.withUTF8Buffer { letters in
            for letter in letters { bytes.append(letter) }
        }
    }

    /// Appends one byte as it is.
    public mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends bytes as they are.
    public mutating func write(bytes more: Span<UInt8>) {
        for index in 0..<more.count { bytes.append(more[index]) }
    }

    /// Appends bytes as they are.
    public mutating func write(bytes more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Appends a whole number.
    public mutating func write(_ value: Int64) {
        write(fixedPoint: value, places: 0)
    }

    /// Appends a number in units of ten to the minus `places`: 4150 with two places is `41.50`.
    public mutating func write(fixedPoint value: Int64, places: Int, trimmingZeros: Bool = false) {
        var digits: [UInt8] = []
        var rest = value.magnitude
        repeat {
            digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest != 0
        while digits.count <= places { digits.append(UInt8(ascii: "0")) }
        var lowest = 0
        if trimmingZeros {
            while lowest < places, digits[lowest] == UInt8(ascii: "0") { lowest += 1 }
        }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var index = digits.count - 1
        while index >= lowest {
            if index == places - 1 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(digits[index])
            index -= 1
        }
    }

    /// Appends a number rounded to at most `places` (0...9) digits after the point, halves away from zero, without
    /// trailing zeros: 41.5, -3, 0.001.
    ///
    /// - Returns: false, with nothing written, when the number is not finite or too large for 64 bits at that scale.
    @discardableResult
    public mutating func write(decimal value: Double, places: Int) -> Bool {
        let scaled = (value * exactPowerOfTen(min(max(places, 0), 9))).rounded()
        guard scaled.isFinite, scaled.magnitude < 9.2e18 else { return false }
        write(fixedPoint: Int64(scaled), places: min(max(places, 0), 9), trimmingZeros: true)
        return true
    }

    /// Appends a JSON string with its quotes (RFC 8259, section 7).
    ///
    /// - Parameters:
    ///   - text: well-formed UTF-8; a byte that is not becomes U+FFFD, so that the result always is.
    ///   - asciiOnly: writes every other character as `\uXXXX`, as Python's `json.dumps` does.
    public mutating func write(jsonString text: Span<UInt8>, asciiOnly: Bool = false) {
        bytes.append(UInt8(ascii: "\""))
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                write(jsonASCII: byte)
                index += 1
                continue
            }
            let (scalar, length) = decodedScalar(text, at: index)
            if asciiOnly {
                write(jsonEscaped: scalar)
            } else {
                write(scalar: scalar)
            }
            index += length
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a JSON string of literal text.
    public mutating func write(jsonString text: StaticString) {
        var copy: [UInt8] = []
        text.withUTF8Buffer { letters in
            for letter in letters { copy.append(letter) }
        }
        write(jsonString: copy.span)
    }

    /// Appends one character as `\uXXXX`, as a surrogate pair when it needs one.
    public mutating func write(jsonEscaped scalar: UInt32) {
        if scalar >= 0x10000 {
            let offset = scalar - 0x10000
            write(jsonUnit: UInt16(truncatingIfNeeded: 0xD800 + (offset >> 10)))
            write(jsonUnit: UInt16(truncatingIfNeeded: 0xDC00 + (offset & 0x3FF)))
        } else {
            write(jsonUnit: UInt16(truncatingIfNeeded: scalar))
        }
    }

    /// Appends one character as UTF-8.
    public mutating func write(scalar: UInt32) {
        if scalar < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: scalar))
            return
        }
        if scalar < 0x800 {
            bytes.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
        } else {
            if scalar < 0x10000 {
                bytes.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            } else {
                bytes.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
                bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
            }
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
        }
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }

    private mutating func write(jsonASCII byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write("\\\"")
        case UInt8(ascii: "\\"): write("\\\\")
        case 0x08: write("\\b")
        case 0x09: write("\\t")
        case 0x0A: write("\\n")
        case 0x0C: write("\\f")
        case 0x0D: write("\\r")
        case 0..<0x20: write(jsonUnit: UInt16(byte))
        default: bytes.append(byte)
        }
    }

    private mutating func write(jsonUnit unit: UInt16) {
        write("\\u")
        for digit in 0..<4 {
            bytes.append(hexDigit(UInt8(truncatingIfNeeded: unit >> (12 - 4 * UInt16(digit)) & 0xF)))
        }
    }
}

/// The lower-case hexadecimal digit for 0...15.
public func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
}

/// The value of a hexadecimal digit in either case; nil for other characters.
public func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The character that starts at `index` and how many bytes it takes; U+FFFD and 1 where the bytes are not UTF-8.
public func decodedScalar(_ text: Span<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
    let lead = text[index]
    if lead < 0x80 { return (UInt32(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard index + length <= text.count, isUTF8(text.extracting(index..<index + length)) else { return (0xFFFD, 1) }
    var scalar = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length { scalar = scalar << 6 | UInt32(text[index + offset] & 0x3F) }
    return (scalar, length)
}
