import Wire

/// The ways in which Open Trivia DB writes its texts, undone.
public enum TextEncoding {
    /// Percent-encoding undone (RFC 3986, section 2.1); nil where two hexadecimal digits do not follow a `%`.
    /// - Parameter plusIsSpace: `+` stands for a space, as in forms.
    public static func percentDecoded(_ text: [UInt8], plusIsSpace: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 2 <= text.count, let high = hexValue(text[index]), let low = hexValue(text[index + 1])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 2
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return decoded
    }

    /// Base64 undone (RFC 4648, section 4), with its padding; nil for a foreign letter, a wrong length, or set bits after
    /// the end.
    public static func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var decoded: [UInt8] = []
        var group: UInt32 = 0
        var padding = 0
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "="), index >= text.count - 2 {
                padding += 1
                group <<= 6
            } else {
                guard padding == 0, let value = base64Value(byte) else { return nil }
                group = group << 6 | UInt32(value)
            }
            guard index % 4 == 3 else { continue }
            guard group & (1 << UInt32(8 * padding) - 1) == 0 else { return nil }
            for place in 0..<3 - padding { decoded.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place))) }
            group = 0
        }
        return decoded
    }

    private static func base64Value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// HTML's character references undone: numbers, and the names that Open Trivia DB uses (HTML 4.01, section 24: Latin-1
    /// letters and the marks of type). What is no reference, or has another name, stays as it is.
    public static func characterReferencesDecoded(_ text: [UInt8]) -> [UInt8] {
        var writer = TextWriter()
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "&"), let (scalar, length) = reference(text, at: index) {
                writer.write(scalar: scalar)
                index += length
            } else {
                writer.write(byte: text[index])
                index += 1
            }
        }
        return writer.bytes
    }

    /// The character that a reference at `index` stands for, and its length with `&` and `;`.
    private static func reference(_ text: [UInt8], at index: Int) -> (scalar: UInt32, length: Int)? {
        let longest = min(index + 12, text.count)
        guard let end = text[index..<longest].firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = text[(index + 1)..<end]
        guard let first = name.first else { return nil }
        let length = end - index + 1
        if first == UInt8(ascii: "#") { return number(name.dropFirst()).map { ($0, length) } }
        let letters = Array(name)
        for (known, scalar) in names where matches(letters.span, known) { return (scalar, length) }
        return nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
        var digits = digits
        var base: UInt32 = 10
        if digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X") {
            base = 16
            digits = digits.dropFirst()
        }
        guard !digits.isEmpty, digits.count <= 7 else { return nil }
        var value: UInt32 = 0
        for digit in digits {
            guard let step = hexValue(digit), UInt32(step) < base else { return nil }
            value = value * base + UInt32(step)
        }
        // Unicode scalars only (Unicode, D76), and no NUL.
        guard value > 0, value < 0xD800 || (0xE000...0x10FFFF).contains(value) else { return nil }
        return value
    }

    private static let names: [(StaticString, UInt32)] = [
        ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("nbsp", 0xA0), ("shy", 0xAD),
        ("deg", 0xB0), ("plusmn", 0xB1), ("sup2", 0xB2), ("sup3", 0xB3), ("micro", 0xB5), ("middot", 0xB7),
        ("frac14", 0xBC), ("frac12", 0xBD), ("frac34", 0xBE), ("iexcl", 0xA1), ("iquest", 0xBF), ("pound", 0xA3),
        ("yen", 0xA5), ("euro", 0x20AC), ("copy", 0xA9), ("reg", 0xAE), ("trade", 0x2122), ("times", 0xD7),
        ("divide", 0xF7), ("laquo", 0xAB), ("raquo", 0xBB), ("Agrave", 0xC0), ("Aacute", 0xC1), ("Acirc", 0xC2),
        ("Atilde", 0xC3), ("Auml", 0xC4), ("Aring", 0xC5), ("AElig", 0xC6), ("Ccedil", 0xC7), ("Egrave", 0xC8),
        ("Eacute", 0xC9), ("Ecirc", 0xCA), ("Euml", 0xCB), ("Igrave", 0xCC), ("Iacute", 0xCD), ("Icirc", 0xCE),
        ("Iuml", 0xCF), ("Ntilde", 0xD1), ("Ograve", 0xD2), ("Oacute", 0xD3), ("Ocirc", 0xD4), ("Otilde", 0xD5),
        ("Ouml", 0xD6), ("Oslash", 0xD8), ("Ugrave", 0xD9), ("Uacute", 0xDA), ("Ucirc", 0xDB), ("Uuml", 0xDC),
        ("szlig", 0xDF), ("agrave", 0xE0), ("aacute", 0xE1), ("acirc", 0xE2), ("atilde", 0xE3), ("auml", 0xE4),
        ("aring", 0xE5), ("aelig", 0xE6), ("ccedil", 0xE7), ("egrave", 0xE8), ("eacute", 0xE9), ("ecirc", 0xEA),
        ("euml", 0xEB), ("igrave", 0xEC), ("iacute", 0xED), ("icirc", 0xEE), ("iuml", 0xEF), ("ntilde", 0xF1),
        ("ograve", 0xF2), ("oacute", 0xF3), ("ocirc", 0xF4), ("otilde", 0xF5), ("ouml", 0xF6), ("oslash", 0xF8),
        ("ugrave", 0xF9), ("uacute", 0xFA), ("ucirc", 0xFB), ("uuml", 0xFC), ("yacute", 0xFD), ("yuml", 0xFF),
        ("OElig", 0x152), ("oelig", 0x153), ("ndash", 0x2013), ("mdash", 0x2014), ("lsquo", 0x2018),
        ("rsquo", 0x2019), ("sbquo", 0x201A), ("ldquo", 0x201C), ("rdquo", 0x201D), ("bdquo", 0x201E),
        ("hellip", 0x2026), ("prime", 0x2032), ("Prime", 0x2033), ("pi", 0x3C0), ("Pi", 0x3A0), ("Sigma", 0x3A3),
        ("Omega", 0x3A9), ("alpha", 0x3B1), ("beta", 0x3B2), ("lrm", 0x200E), ("rlm", 0x200F),
    ]
}
