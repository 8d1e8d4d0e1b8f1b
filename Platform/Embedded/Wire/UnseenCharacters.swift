/// The characters that nobody sees, and that change what is seen beside them.
///
/// Three kinds, as the Unicode Character Database has them:
/// - directions, the property Bidi_Control (UAX 9, 2; PropList.txt): they turn the order of letters, so that one name is read
///   as another;
/// - controls, the general category Cc, without tab, line feed and carriage return: a NUL ends a text for some programs and
///   not for others;
/// - spaces and operators without width (U+200B, U+2060 to U+2064, and the byte order mark U+FEFF within a text), and what has the
///   property Default_Ignorable_Code_Point (DerivedCoreProperties.txt) and neither joins nor varies what is seen, such as the
///   soft hyphen; fillers and Braille's empty cell, which are a name of nothing: two names that look the same would be two.
///
/// What joins emoji and letters (U+200C, U+200D) is neither, and stays.
public enum UnseenCharacters {
    /// Whether a scalar turns the direction of a text.
    public static func isDirection(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a scalar has no width and joins nothing that is seen.
    public static func isWithoutWidth(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF: true
        case 0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x2800, 0x3164, 0xFFA0, 0xFFF0...0xFFFB:
            true
        case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE001F, 0xE0080...0xE00FF, 0xE01F0...0xE0FFF: true
        default: false
        }
    }

    /// Whether a scalar joins or varies others, and is nothing by itself: joiners, variation selectors, and the tags of flags.
    public static func isNothingAlone(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// Whether a scalar is a control that is no part of a text's lines.
    public static func isControl(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F...0x9F: true
        default: false
        }
    }

    /// The text without them.
    ///
    /// - Parameter text: UTF-8; what is not well-formed stays as it is.
    public static func removed(from text: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let (scalar, length) = decodedScalar(text.span, at: place)
            if isDirection(scalar) || isWithoutWidth(scalar) || isControl(scalar) {
                place += length
                continue
            }
            for index in place..<place + length { kept.append(text[index]) }
            place += length
        }
        return kept
    }

    /// The JSON text with strings that are without them, whether they stand there as they are or escaped. Values of members
    /// whose name has `password` in it stay as they are: what somebody chose there is no text that anybody is shown.
    ///
    /// - Parameters:
    ///   - json: UTF-8. What is not well-formed, or has an escape that is none, comes back as it is: nothing that was no JSON
    ///     becomes some by what is taken out of it.
    ///   - keepingControls: whether controls stay, for whoever refuses them in words of their own.
    public static func removed(fromJSON json: [UInt8], keepingControls: Bool = false) -> [UInt8] {
        guard isUTF8(json.span) else { return json }
        var kept: [UInt8] = []
        kept.reserveCapacity(json.count)
        var place = 0
        var isSecret = false
        while place < json.count {
            guard json[place] == UInt8(ascii: "\"") else {
                switch json[place] {
                case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    isSecret = false
                default: break
                }
                kept.append(json[place])
                place += 1
                continue
            }
            let end = endOfString(json, from: place + 1)
            if isName(json, endingAt: end) {
                isSecret = saysPassword(json[place..<end])
            }
            if isSecret, !isName(json, endingAt: end) {
                kept += json[place..<end]
            } else {
                guard clean(json[place..<end], keepingControls, into: &kept) else { return json }
            }
            place = end
        }
        return kept
    }

    /// Whether bytes are a text in UTF-16 or UTF-32, with a mark at its start or without, or have a NUL in them as none of
    /// JSON has: a decoder that guesses the encoding would read characters in it that ``removed(fromJSON:keepingControls:)``
    /// cannot see. JSON that is exchanged is UTF-8 (RFC 8259, 8.1), and each of its signs has a NUL in the others.
    public static func isForeign(toJSON bytes: [UInt8]) -> Bool {
        bytes.contains(0) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    }

    // MARK: - Parts

    /// The offset behind the quote that ends a string, or the end of the text.
    private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
        var place = start
        while place < json.count {
            switch json[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "\""): return place + 1
            default: place += 1
            }
        }
        return json.count
    }

    /// Whether a string is the name of a member: a colon follows it.
    private static func isName(_ json: [UInt8], endingAt end: Int) -> Bool {
        var place = end
        while place < json.count, [0x20, 0x09, 0x0A, 0x0D].contains(json[place]) { place += 1 }
        return place < json.count && json[place] == UInt8(ascii: ":")
    }

    private static func saysPassword(_ name: ArraySlice<UInt8>) -> Bool {
        let word: [UInt8] = [0x70, 0x61, 0x73, 0x73, 0x77, 0x6F, 0x72, 0x64]
        guard name.count >= word.count else { return false }
        for start in name.startIndex...(name.endIndex - word.count) {
            var isSame = true
            for offset in word.indices where name[start + offset] | 0x20 != word[offset] { isSame = false }
            if isSame { return true }
        }
        return false
    }

    /// Appends a string without them; false where it has an escape that is none.
    private static func clean(_ string: ArraySlice<UInt8>, _ keepingControls: Bool, into kept: inout [UInt8]) -> Bool {
        let bytes = Array(string)
        var place = 0
        while place < bytes.count {
            let (decoded, size) = decodedScalar(bytes.span, at: place)
            // A control that is not escaped is no JSON (RFC 8259, 7): whoever decodes it says so.
            var scalar: UInt32? = decoded < 0x20 ? nil : decoded
            var length = size
            if bytes[place] == UInt8(ascii: "\\") {
                guard let escape = escape(bytes, at: place) else { return false }
                (scalar, length) = escape
            }
            let isGone =
                scalar.map { isDirection($0) || isWithoutWidth($0) || isControl($0) && !keepingControls } ?? false
            if !isGone { for index in place..<min(place + length, bytes.count) { kept.append(bytes[index]) } }
            place += length
        }
        return true
    }

    /// The scalar of an escape and its length in bytes; nil for one that is none (RFC 8259, 7).
    private static func escape(_ bytes: [UInt8], at place: Int) -> (scalar: UInt32?, length: Int)? {
        guard place + 1 < bytes.count else { return nil }
        switch bytes[place + 1] {
        case UInt8(ascii: "b"): return (0x08, 2)
        case UInt8(ascii: "f"): return (0x0C, 2)
        case UInt8(ascii: "u"):
            guard place + 5 < bytes.count else { return nil }
            var scalar: UInt32 = 0
            for index in place + 2..<place + 6 {
                guard let digit = hexValue(bytes[index]) else { return nil }
                scalar = scalar << 4 | UInt32(digit)
            }
            return (scalar, 6)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "n"), UInt8(ascii: "r"),
            UInt8(ascii: "t"):
            return (nil, 2)
        default: return nil
        }
    }
}
