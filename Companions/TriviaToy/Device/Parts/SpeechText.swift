/// Turns a fact's UTF-8 into what the EMIC2 reads, byte by byte: ISO 8859-1 without control characters.
///
/// Typographic quotes, dashes and dots become their ASCII kin; what has no letter there, such as emoji, is left out.
struct SpeechLetters: Sendable {
    private var scalar: UInt32 = 0
    private var missing: UInt8 = 0

    /// Takes one byte of UTF-8; the letter that is complete with it, if any.
    mutating func take(_ byte: UInt8) -> UInt8? {
        if byte & 0xC0 == 0x80 {
            guard missing > 0 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            missing -= 1
            return missing == 0 ? Self.letter(scalar) : nil
        }
        missing = 0
        switch byte {
        case 0..<0x80: return Self.letter(UInt32(byte))
        case 0xC2...0xDF: (scalar, missing) = (UInt32(byte & 0x1F), 1)
        case 0xE0...0xEF: (scalar, missing) = (UInt32(byte & 0x0F), 2)
        case 0xF0...0xF4: (scalar, missing) = (UInt32(byte & 0x07), 3)
        default: break
        }
        return nil
    }

    private static func letter(_ scalar: UInt32) -> UInt8? {
        switch scalar {
        case 0..<0x20, 0x7F: 0x20
        case 0x20..<0x7F, 0xA0...0xFF: UInt8(truncatingIfNeeded: scalar)
        case 0x2018, 0x2019, 0x201A: UInt8(ascii: "'")
        case 0x201C, 0x201D, 0x201E: UInt8(ascii: "\"")
        case 0x2013, 0x2014: UInt8(ascii: "-")
        case 0x2026: UInt8(ascii: ".")
        default: nil
        }
    }
}

/// Finds where a text is cut so that each piece has at most ``EMIC2/longestText`` letters: after the last sentence that
/// fits, else after the last word, else where it must. Looks at each byte once and keeps none.
struct SentenceCutter: Sendable {
    private let limit: Int
    private var letters = SpeechLetters()
    private var count = 0
    private var bytes = 0
    private var afterSentence: Int?
    private var afterWord: Int?
    private var last: UInt8 = 0

    init(limit: Int = EMIC2.longestText) { self.limit = limit }

    /// Takes the next byte of the text.
    /// - Returns: how many bytes the piece has, once the text does not fit; the bytes after them begin the next piece.
    mutating func take(_ byte: UInt8) -> Int? {
        if let letter = letters.take(byte) {
            guard count < limit else { return afterSentence ?? afterWord ?? startOfScalar }
            count += 1
            if letter == 0x20 {
                afterWord = bytes + 1
                if last == UInt8(ascii: ".") || last == UInt8(ascii: "!") || last == UInt8(ascii: "?") {
                    afterSentence = bytes + 1
                }
            }
            last = letter
            startOfScalar = bytes + 1
        }
        bytes += 1
        return nil
    }

    /// The end of the last whole letter.
    private var startOfScalar = 0
}
