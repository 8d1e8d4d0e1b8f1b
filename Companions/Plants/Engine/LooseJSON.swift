import Wire

/// The JSON that a sensor meant, of what is none: a bad value is to cost nothing that is good beside it.
///
/// What programs write that RFC 8259 does not have:
/// - words in place of a number: `NaN` of Python's `json`, `nan` and `inf` of C's `printf`, `None` of a template, `undefined`
///   of JavaScript, nothing at all between `:` and a comma; they become `null`;
/// - numbers such as `.5`, `+5`, `041.5` and `5.`, bare times, and other bare words and names, which become strings;
/// - strings and names between single quotes, as Python prints a dictionary;
/// - a comma before the last bracket, as a loop of `printf` leaves it;
/// - in strings, bytes that are not UTF-8, such as the `°` of Latin 1, and control characters; they become `?` and a space.
///
/// A text that was cut off stays as it is.
struct LooseJSON {
    /// The bytes written so far.
    private(set) var text: [UInt8] = []
    /// Whether one of the words is a value out of bounds, and not a missing one.
    private(set) var hasInfinity = false

    /// The text as JSON, as far as it can be made one.
    init(_ source: Span<UInt8>) {
        text.reserveCapacity(source.count + 16)
        var index = 0
        while index < source.count {
            let byte = source[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index = writeString(source, from: index)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                endMember()
                text.append(byte)
                index += 1
            case UInt8(ascii: ","):
                if last == UInt8(ascii: ":") { writeNull() }
                text.append(byte)
                index += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"):
                text.append(byte)
                index += 1
            case _ where isASCIISpace(byte): index += 1
            default: index = writeWord(source, from: index)
            }
        }
    }

    /// The last byte that was written; a space where there is none.
    private var last: UInt8 { text.isEmpty ? UInt8(ascii: " ") : text[text.count - 1] }

    /// Writes what is missing before a bracket: a value; or takes back the comma that is too many.
    private mutating func endMember() {
        if last == UInt8(ascii: ":") {
            writeNull()
        } else if last == UInt8(ascii: ",") {
            text.removeLast()
        }
    }

    private mutating func writeNull() {
        for letter in [UInt8](arrayLiteral: 0x6E, 0x75, 0x6C, 0x6C) { text.append(letter) }
    }

    /// Writes a string.
    ///
    /// - Returns: where the source goes on.
    private mutating func writeString(_ source: Span<UInt8>, from start: Int) -> Int {
        let quote = source[start]
        text.append(UInt8(ascii: "\""))
        var index = start + 1
        while index < source.count {
            let byte = source[index]
            if byte == quote {
                text.append(UInt8(ascii: "\""))
                return index + 1
            }
            if byte == UInt8(ascii: "\\"), index + 1 < source.count {
                // JSON has no escape for the single quote.
                if source[index + 1] != UInt8(ascii: "'") { text.append(byte) }
                text.append(source[index + 1] < 0x80 ? source[index + 1] : UInt8(ascii: "?"))
                index += 2
                continue
            }
            index += writeLetter(source, at: index)
        }
        return index
    }

    /// Writes one letter of a string.
    ///
    /// - Returns: how many bytes it has in the source.
    private mutating func writeLetter(_ source: Span<UInt8>, at index: Int) -> Int {
        let byte = source[index]
        if byte < 0x80 {
            if byte == UInt8(ascii: "\"") { text.append(UInt8(ascii: "\\")) }
            text.append(byte < 0x20 ? UInt8(ascii: " ") : byte)
            return 1
        }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard index + length <= source.count, isUTF8(source.extracting(index..<index + length)) else {
            text.append(UInt8(ascii: "?"))
            return 1
        }
        for place in index..<index + length { text.append(source[place]) }
        return length
    }

    /// Writes a number, a word or a name without quotes.
    ///
    /// - Returns: where the source goes on.
    private mutating func writeWord(_ source: Span<UInt8>, from start: Int) -> Int {
        // A colon in a value is that of a time: `2026-11-24T00:43:59Z`.
        let isValue = last == UInt8(ascii: ":")
        var end = start
        while end < source.count, !Self.endsWord(source[end]) || isValue && source[end] == UInt8(ascii: ":") {
            end += 1
        }
        let raw = source.extracting(start..<end)
        let range = trimmedRange(raw)
        let word = raw.extracting(range)
        let isName = !isValue && end < source.count && source[end] == UInt8(ascii: ":")
        // What goes on to the end of the text was cut off.
        let isWhole = end < source.count
        if !isName, isWhole, SensorMessage.isNoValue(word) {
            writeNull()
        } else if !isName, isWhole, word[0] &- UInt8(ascii: "0") >= 10, SensorMessage.spellsNonNumber(word) {
            hasInfinity = true
            writeNull()
        } else if !isWhole || (!isName && Self.isJSON(word)) {
            for index in word.indices { text.append(word[index]) }
        } else {
            text.append(UInt8(ascii: "\""))
            var index = 0
            while index < word.count {
                if word[index] == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
                index += writeLetter(word, at: index)
            }
            text.append(UInt8(ascii: "\""))
        }
        return end
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"),
            UInt8(ascii: "\""):
            true
        default: false
        }
    }

    /// Whether a word is a value of JSON as it is: one of its three, or a number (RFC 8259, section 6).
    private static func isJSON(_ word: Span<UInt8>) -> Bool {
        if matches(word, "true") || matches(word, "false") || matches(word, "null") { return true }
        let sign = word[0] == UInt8(ascii: "-") ? 1 : 0
        guard sign < word.count, isDigit(word[sign]), isDigit(word[word.count - 1]) else { return false }
        if word[sign] == UInt8(ascii: "0"), sign + 1 < word.count, isDigit(word[sign + 1]) { return false }
        for index in word.indices {
            switch word[index] {
            case UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
            default: guard isDigit(word[index]) else { return false }
            }
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
