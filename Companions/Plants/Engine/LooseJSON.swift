import Wire

/// The objects that a sensor meant, of a text that is no JSON: a bad value is to cost nothing that is good beside it.
///
/// What programs write that RFC 8259 does not have:
/// - words in place of a number: `NaN` of Python's `json`, `nan` and `inf` of C's `printf`, `None` of a template, `undefined`
///   of JavaScript, nothing at all between `:` and a comma; they become `null`;
/// - numbers such as `.5`, `+5`, `041.5` and `5.`, bare times, and other bare words and names, `1.2.3` and `12-5` among them,
///   which become strings; so does `21,5` with a decimal comma, as one value, since 21 alone would be a wrong one;
/// - strings and names between single quotes, as Python prints a dictionary;
/// - commas too many or too few, semicolons for them, `=` for a colon, comments as JavaScript has them;
/// - in strings, bytes that are not UTF-8, such as the `°` of Latin 1, control characters, backslashes that escape nothing
///   (`C:\Users`), and quotes: one ends a string only where something of an object follows it (``endOfString(_:from:)``);
/// - several objects in one text, each of which stands alone, and whatever else is between and behind them.
///
/// Of a member that is a list or an object nobody needs the content, however deep it is: `[]` stands for it. What could not be
/// understood at all is left out, and ``unread`` says where it was. An object that was cut off is none.
struct LooseJSON {
    /// The bytes written so far.
    private(set) var text: [UInt8] = []
    /// The places of the objects in ``text``, in their order; each is well-formed JSON.
    private(set) var objects: [Range<Int>] = []
    /// Whether one of the words is a value out of bounds, and not a missing one.
    private(set) var hasInfinity = false
    /// The offset, in the source, of the first byte that belongs to nothing; nil if all was understood.
    private(set) var unread: Int?
    /// Whether the text ends within an object.
    private(set) var isCutOff = false

    /// The last member's value if it is a bare word, for a decimal comma in it.
    private var lastWord: (source: Int, written: Int)?

    /// The objects of a text, as far as it has some.
    init(_ source: Span<UInt8>) {
        text.reserveCapacity(source.count + 16)
        var index = 0
        while let place = Self.content(source, from: index) {
            if source[place] == UInt8(ascii: "{") {
                let start = text.count
                guard let end = writeObject(source, from: place) else {
                    text.removeSubrange(start...)
                    isCutOff = true
                    return
                }
                objects.append(start..<text.count)
                index = end
            } else {
                leave(place)
                index = place + 1
            }
        }
    }

    private mutating func leave(_ place: Int) {
        if unread == nil { unread = place }
    }

    // MARK: - Members

    /// Writes an object.
    ///
    /// - Returns: where the source goes on; nil if it was cut off.
    private mutating func writeObject(_ source: Span<UInt8>, from start: Int) -> Int? {
        text.append(UInt8(ascii: "{"))
        lastWord = nil
        var index = start + 1
        while let place = Self.content(source, from: index) {
            switch source[place] {
            case UInt8(ascii: "}"):
                text.append(UInt8(ascii: "}"))
                return place + 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                leave(place)
                guard let end = Self.endOfNested(source, from: place) else { return nil }
                index = end
            case UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "="):
                leave(place)
                index = place + 1
            default:
                guard let end = writeMember(source, from: place) else { return nil }
                index = end
            }
        }
        return nil
    }

    /// Writes a member, or leaves out what is none.
    ///
    /// - Returns: where the source goes on; nil if it was cut off.
    private mutating func writeMember(_ source: Span<UInt8>, from start: Int) -> Int? {
        let mark = text.count
        if text[mark - 1] != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
        let end: Int
        if Self.isQuote(source[start]) {
            guard let quote = Self.endOfString(source, from: start, isName: true) else { return nil }
            writeString(source.extracting(start + 1..<quote))
            end = quote + 1
        } else {
            end = Self.endOfWord(source, from: start, isName: true)
            let name = source.extracting(start..<end)
            writeString(name.extracting(trimmedRange(name)))
        }
        guard let colon = Self.content(source, from: end, passing: false) else { return nil }
        guard source[colon] == UInt8(ascii: ":") || source[colon] == UInt8(ascii: "=") else {
            text.removeSubrange(mark...)
            leaveOut(source, start..<end)
            // A word never is empty, but for a byte that ends one.
            return max(end, start + 1)
        }
        text.append(UInt8(ascii: ":"))
        guard let value = Self.content(source, from: colon + 1, passing: false) else { return nil }
        return writeValue(source, from: value)
    }

    /// Takes what stands in a member's place and has no colon: digits go to the number before, as what is behind its comma.
    ///
    /// No number has more than 64 bytes, and a list of many is not written anew for each.
    private mutating func leaveOut(_ source: Span<UInt8>, _ place: Range<Int>) {
        guard let word = lastWord, Self.isDigit(source[place.lowerBound]), place.upperBound - word.source <= 64 else {
            lastWord = nil
            return leave(place.lowerBound)
        }
        text.removeSubrange(word.written...)
        let number = source.extracting(word.source..<place.upperBound)
        writeString(number.extracting(trimmedRange(number)))
    }

    /// Writes a value.
    ///
    /// - Returns: where the source goes on; nil if it was cut off.
    private mutating func writeValue(_ source: Span<UInt8>, from start: Int) -> Int? {
        lastWord = nil
        switch source[start] {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: "]"):
            writeNull()
            return start
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            text.append(UInt8(ascii: "["))
            text.append(UInt8(ascii: "]"))
            return Self.endOfNested(source, from: start)
        case let byte where Self.isQuote(byte):
            guard let quote = Self.endOfString(source, from: start) else { return nil }
            writeString(source.extracting(start + 1..<quote))
            return quote + 1
        default:
            return writeWord(source, from: start)
        }
    }

    private mutating func writeNull() {
        for letter in [UInt8](arrayLiteral: 0x6E, 0x75, 0x6C, 0x6C) { text.append(letter) }
    }

    /// Writes a number or a word without quotes.
    ///
    /// - Returns: where the source goes on; nil if it goes on to the end of the text, and was cut off.
    private mutating func writeWord(_ source: Span<UInt8>, from start: Int) -> Int? {
        let end = Self.endOfWord(source, from: start, isName: false)
        guard Self.content(source, from: end) != nil else { return nil }
        let raw = source.extracting(start..<end)
        let word = raw.extracting(trimmedRange(raw))
        if SensorMessage.isNoValue(word) {
            writeNull()
        } else if Self.isJSON(word) {
            lastWord = Self.isNumber(word) ? (start, text.count) : nil
            for index in word.indices { text.append(word[index]) }
        } else if word[0] &- UInt8(ascii: "0") >= 10, SensorMessage.spellsNonNumber(word) {
            hasInfinity = true
            writeNull()
        } else {
            lastWord = Self.isNumber(word) ? (start, text.count) : nil
            writeString(word)
        }
        return end
    }

    /// Writes a string, of what is between its quotes.
    private mutating func writeString(_ content: Span<UInt8>) {
        text.append(UInt8(ascii: "\""))
        var index = 0
        while index < content.count {
            if content[index] == UInt8(ascii: "\\") {
                let length = Self.escapeLength(content, at: index)
                // JSON has no escape for the single quote; a backslash before what is none is a backslash.
                if length == 0 {
                    let isQuote = index + 1 < content.count && content[index + 1] == UInt8(ascii: "'")
                    if !isQuote {
                        text.append(UInt8(ascii: "\\"))
                        text.append(UInt8(ascii: "\\"))
                    }
                    index += 1
                } else {
                    for place in index..<index + length { text.append(content[place]) }
                    index += length
                }
            } else {
                index += writeLetter(content, at: index)
            }
        }
        text.append(UInt8(ascii: "\""))
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
}
