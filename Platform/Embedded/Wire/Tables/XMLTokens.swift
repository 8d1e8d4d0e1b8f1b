/// A reader of the XML that spreadsheets are written in: tags, their attributes, and the text between them.
///
/// Nothing is checked that is not needed to find cells, no definition is followed and no entity but XML's own five is
/// known, so that a text never becomes longer than it is.
struct XMLTokens {
    /// A part of the text. Names stand without what is before a colon.
    enum Token: Equatable {
        /// The beginning of an element, with the place of its attributes.
        case open(name: Range<Int>, attributes: Range<Int>, isEmpty: Bool)
        /// The end of an element.
        case close(name: Range<Int>)
        /// Text, still with its entities.
        case text(Range<Int>)
        /// Text without entities (`<![CDATA[`).
        case literal(Range<Int>)
        /// The end of the text.
        case end
    }

    private var index = 0

    /// The next part.
    mutating func next(in text: Span<UInt8>) -> Token {
        while index < text.count {
            guard text[index] == UInt8(ascii: "<") else {
                let start = index
                while index < text.count, text[index] != UInt8(ascii: "<") { index += 1 }
                return .text(start..<index)
            }
            let rest = text.extracting(index..<text.count)
            if hasPrefix(rest, "<![CDATA[") {
                let start = index + 9
                let end = Self.find("]]>", in: text, from: start)
                index = min(end + 3, text.count)
                return .literal(min(start, end)..<end)
            }
            if hasPrefix(rest, "<!--") {
                index = min(Self.find("-->", in: text, from: index + 4) + 3, text.count)
                continue
            }
            if hasPrefix(rest, "<?") || hasPrefix(rest, "<!") {
                index = min(Self.find(">", in: text, from: index) + 1, text.count)
                continue
            }
            return tag(text)
        }
        return .end
    }

    private mutating func tag(_ text: Span<UInt8>) -> Token {
        let isEnd = index + 1 < text.count && text[index + 1] == UInt8(ascii: "/")
        var start = index + (isEnd ? 2 : 1)
        var end = start
        while end < text.count, !isASCIISpace(text[end]), text[end] != UInt8(ascii: ">"), text[end] != UInt8(ascii: "/")
        {
            if text[end] == UInt8(ascii: ":") { start = end + 1 }
            end += 1
        }
        var close = end
        var quote: UInt8 = 0
        while close < text.count, quote != 0 || text[close] != UInt8(ascii: ">") {
            if quote != 0 {
                if text[close] == quote { quote = 0 }
            } else if text[close] == UInt8(ascii: "\"") || text[close] == UInt8(ascii: "'") {
                quote = text[close]
            }
            close += 1
        }
        index = min(close + 1, text.count)
        let name = start..<end
        if isEnd { return .close(name: name) }
        let isEmpty = close > end && text[close - 1] == UInt8(ascii: "/")
        return .open(name: name, attributes: end..<(isEmpty ? close - 1 : close), isEmpty: isEmpty)
    }

    /// The value of an attribute, by its name without what is before a colon; nil where there is none.
    static func attribute(_ name: StaticString, of attributes: Range<Int>, in text: Span<UInt8>) -> [UInt8]? {
        var index = attributes.lowerBound
        while index < attributes.upperBound {
            while index < attributes.upperBound, isASCIISpace(text[index]) { index += 1 }
            var start = index
            while index < attributes.upperBound, text[index] != UInt8(ascii: "="), !isASCIISpace(text[index]) {
                if text[index] == UInt8(ascii: ":") { start = index + 1 }
                index += 1
            }
            let key = start..<index
            while index < attributes.upperBound, isASCIISpace(text[index]) || text[index] == UInt8(ascii: "=") {
                index += 1
            }
            guard index < attributes.upperBound, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'")
            else {
                // No value: the next begins where this should have stood.
                if key.isEmpty { index += 1 }
                continue
            }
            let quote = text[index]
            let value = index + 1
            index = value
            while index < attributes.upperBound, text[index] != quote { index += 1 }
            if matches(text.extracting(key), name) { return unescaped(value..<index, in: text) }
            index += 1
        }
        return nil
    }

    /// A text with its entities in place; of a number that is no character nothing is left.
    static func unescaped(_ range: Range<Int>, in text: Span<UInt8>) -> [UInt8] {
        var writer = TextWriter()
        var index = range.lowerBound
        while index < range.upperBound {
            guard text[index] == UInt8(ascii: "&") else {
                writer.write(byte: text[index])
                index += 1
                continue
            }
            var end = index + 1
            while end < range.upperBound, end - index < 12, text[end] != UInt8(ascii: ";") { end += 1 }
            guard end < range.upperBound, text[end] == UInt8(ascii: ";") else {
                writer.write(byte: text[index])
                index += 1
                continue
            }
            let name = text.extracting((index + 1)..<end)
            if matches(name, "amp") {
                writer.write("&")
            } else if matches(name, "lt") {
                writer.write("<")
            } else if matches(name, "gt") {
                writer.write(">")
            } else if matches(name, "quot") {
                writer.write("\"")
            } else if matches(name, "apos") {
                writer.write("'")
            } else if name.count > 1, name[0] == UInt8(ascii: "#") {
                if let scalar = number(name) { writer.write(scalar: scalar) }
            } else {
                writer.write(bytes: text.extracting(index..<(end + 1)))
            }
            index = end + 1
        }
        return writer.bytes
    }

    /// The character that `#38` or `#x26` names.
    private static func number(_ name: Span<UInt8>) -> UInt32? {
        let isHexadecimal = name[1] | 0x20 == UInt8(ascii: "x")
        var value: UInt32 = 0
        for index in (isHexadecimal ? 2 : 1)..<name.count {
            guard let digit = hexValue(name[index]), isHexadecimal || digit < 10 else { return nil }
            value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
            guard value <= 0x10FFFF else { return nil }
        }
        return value > 0 && value & 0xFFFF_F800 != 0xD800 ? value : nil
    }

    /// The offset of a word from a place on; the end where it does not come.
    private static func find(_ word: StaticString, in text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < text.count {
            if hasPrefix(text.extracting(index..<text.count), word) { return index }
            index += 1
        }
        return text.count
    }
}
