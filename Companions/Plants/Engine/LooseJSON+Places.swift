import Wire

/// The ends of the parts of a text that is no JSON.
extension LooseJSON {
    /// The place of the next byte that is no white space, comment or NUL; nil at the end of the text.
    ///
    /// - Parameter passing: whether commas and semicolons are passed over as well: one too many separates nothing.
    static func content(_ source: Span<UInt8>, from start: Int, passing: Bool = true) -> Int? {
        var index = start
        while index < source.count {
            let byte = source[index]
            if isASCIISpace(byte) || byte == 0 || passing && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")) {
                index += 1
            } else if isComment(source, at: index) {
                index = endOfComment(source, from: index)
            } else {
                return index
            }
        }
        return nil
    }

    /// Whether a comment begins: `//` or `/*`, not that of an address behind its colon.
    private static func isComment(_ source: Span<UInt8>, at index: Int) -> Bool {
        guard source[index] == UInt8(ascii: "/"), index + 1 < source.count else { return false }
        if source[index + 1] == UInt8(ascii: "*") { return true }
        return source[index + 1] == UInt8(ascii: "/") && (index == 0 || source[index - 1] != UInt8(ascii: ":"))
    }

    private static func endOfComment(_ source: Span<UInt8>, from start: Int) -> Int {
        var index = start + 2
        let isLine = source[start + 1] == UInt8(ascii: "/")
        while index < source.count {
            if isLine, source[index] == 0x0A || source[index] == 0x0D { return index }
            if !isLine, source[index] == UInt8(ascii: "/"), source[index - 1] == UInt8(ascii: "*"), index > start + 2 {
                return index + 1
            }
            index += 1
        }
        return source.count
    }

    /// The place of the quote that ends a string; nil if there is none.
    ///
    /// A quote ends it only where a colon, a comma, a bracket or the end of the text follows, or the next member, whose comma is
    /// missing: `"a"b"` is one string. Behind a backslash it ends a string where the next member or the text's end follows, as
    /// in `"C:\"`.
    ///
    /// - Parameter isName: whether it names a member, so that a number or a bracket behind it is its value without a colon.
    static func endOfString(_ source: Span<UInt8>, from start: Int, isName: Bool = false) -> Int? {
        let quote = source[start]
        var index = start + 1
        while index < source.count {
            if source[index] == UInt8(ascii: "\\"), index + 1 < source.count {
                if source[index + 1] == quote, endsAll(source, after: index + 1, quote: quote) { return index + 1 }
                index += 2
            } else {
                if source[index] == quote, isEnd(source, after: index, quote: quote, isName: isName) { return index }
                index += 1
            }
        }
        return nil
    }

    private static func isEnd(_ source: Span<UInt8>, after place: Int, quote: UInt8, isName: Bool) -> Bool {
        guard let next = content(source, from: place + 1, passing: false) else { return true }
        switch source[next] {
        case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "}"),
            UInt8(ascii: "]"):
            return true
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return isName || beginsMember(source, at: next, quote: quote)
        default: return beginsMember(source, at: next, quote: quote)
        }
    }

    /// Whether behind a quote with a backslash comes the next member, or a bracket and nothing more.
    private static func endsAll(_ source: Span<UInt8>, after place: Int, quote: UInt8) -> Bool {
        guard let next = content(source, from: place + 1, passing: false) else { return false }
        if source[next] == UInt8(ascii: "}") { return content(source, from: next + 1) == nil }
        guard source[next] == UInt8(ascii: ","), let name = content(source, from: next + 1) else { return false }
        return beginsMember(source, at: name, quote: quote)
    }

    /// Whether a name between quotes and a colon stand at a place.
    private static func beginsMember(_ source: Span<UInt8>, at start: Int, quote: UInt8) -> Bool {
        guard source[start] == quote else { return false }
        var index = start + 1
        while index < source.count, index - start <= 64, source[index] != quote, source[index] != UInt8(ascii: "\\") {
            index += 1
        }
        guard index < source.count, source[index] == quote, index > start + 1 else { return false }
        guard let colon = content(source, from: index + 1, passing: false) else { return false }
        return source[colon] == UInt8(ascii: ":")
    }

    /// The place behind a list or an object, however deep it is; nil if it was cut off.
    static func endOfNested(_ source: Span<UInt8>, from start: Int) -> Int? {
        var depth = 0
        var index = start
        // One that ends nowhere is looked for once.
        var hasSingleQuotes = true
        while let place = content(source, from: index) {
            index = place + 1
            switch source[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index }
            // A single quote may be one in a word.
            case UInt8(ascii: "\""):
                guard let end = endOfString(source, from: place) else { return nil }
                index = end + 1
            case UInt8(ascii: "'") where hasSingleQuotes && !isLetter(source[place - 1]):
                if let end = endOfString(source, from: place) { index = end + 1 } else { hasSingleQuotes = false }
            default: continue
            }
        }
        return nil
    }

    /// The place behind a word. A colon in a value is that of a time: `2026-11-24T00:43:59Z`.
    static func endOfWord(_ source: Span<UInt8>, from start: Int, isName: Bool) -> Int {
        var index = start
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
                UInt8(ascii: "]"),
                UInt8(ascii: "\""):
                return index
            case UInt8(ascii: ":"), UInt8(ascii: "="):
                if isName { return index }
            default:
                if isComment(source, at: index) { return index }
            }
            index += 1
        }
        return index
    }

    /// The length of an escape of JSON (RFC 8259, section 7); 0 if it is none.
    static func escapeLength(_ text: Span<UInt8>, at index: Int) -> Int {
        guard index + 1 < text.count else { return 0 }
        switch text[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            guard index + 5 < text.count else { return 0 }
            for place in index + 2..<index + 6 where hexValue(text[place]) == nil { return 0 }
            return 6
        default: return 0
        }
    }

    /// Whether a word is a value of JSON as it is: one of its three, or a number.
    static func isJSON(_ word: Span<UInt8>) -> Bool {
        var reader = JSONReader(sizeLimit: word.count)
        do throws(JSONError) {
            switch try reader.next(in: word) {
            case .number, .bool, .null: return try reader.next(in: word) == .end
            default: return false
            }
        } catch {
            return false
        }
    }

    /// Whether a word begins as a number does, so that digits behind a comma may be its own.
    static func isNumber(_ word: Span<UInt8>) -> Bool {
        let sign = word[0] == UInt8(ascii: "-") || word[0] == UInt8(ascii: "+") ? 1 : 0
        return sign < word.count && isDigit(word[sign])
    }

    static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }
}
