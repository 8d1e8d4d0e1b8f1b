/// Whether the bytes are exactly the ASCII letters of `word`.
///
/// `StaticString` because comparing `String`s costs an Embedded build tens of kilobytes of Unicode tables.
public func matches(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in letters.count == text.count } && hasPrefix(text, word)
}

/// Whether the bytes spell one of `words` in any case.
public func matchesIgnoringCase(_ text: Span<UInt8>, oneOf words: [StaticString]) -> Bool {
    for word in words where matchesIgnoringCase(text, word) { return true }
    return false
}

/// Whether the bytes spell `word` in any case.
public func matchesIgnoringCase(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in
        guard letters.count == text.count else { return false }
        for index in 0..<letters.count where small(text[index]) != small(letters[index]) { return false }
        return true
    }
}

/// A letter of ASCII as a small one, and another byte as it is.
private func small(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

/// Whether the bytes begin with the ASCII letters of `word`.
public func hasPrefix(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in
        guard text.count >= letters.count else { return false }
        for index in 0..<letters.count where letters[index] != text[index] { return false }
        return true
    }
}

/// Whether two runs of bytes are the same.
public func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left[index] != right[index] { return false }
    return true
}

/// The part of `text` without surrounding spaces, tabs and line ends, which firmware likes to append.
public func trimmedRange(_ text: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = text.count
    while start < end, isASCIISpace(text[start]) { start += 1 }
    while end > start, isASCIISpace(text[end - 1]) { end -= 1 }
    return start..<end
}

/// Whether the text consists of visible ASCII characters only, without spaces.
public func isASCIIWord(_ text: [UInt8]) -> Bool { !text.contains { $0 < 0x21 || $0 > 0x7E } }

/// Whether the byte is a space, tab, carriage return or line feed: the white space of RFC 8259, section 2.
public func isASCIISpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

/// Whether the bytes are well-formed UTF-8 (Unicode, section 3.9, table 3-7): no overlong forms, no surrogates.
public func isUTF8(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
        let lead = text[index]
        index += 1
        if lead < 0x80 { continue }
        let following: Int
        var lowest: UInt8 = 0x80
        var highest: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: following = 1
        case 0xE0...0xEF:
            following = 2
            if lead == 0xE0 { lowest = 0xA0 }
            if lead == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            following = 3
            if lead == 0xF0 { lowest = 0x90 }
            if lead == 0xF4 { highest = 0x8F }
        default: return false
        }
        for _ in 0..<following {
            guard index < text.count, text[index] >= lowest, text[index] <= highest else { return false }
            lowest = 0x80
            highest = 0xBF
            index += 1
        }
    }
    return true
}

/// The number of Unicode scalars in well-formed UTF-8, as Python's `len` counts.
public func scalarCount(_ text: Span<UInt8>) -> Int {
    var count = 0
    for index in 0..<text.count where text[index] & 0xC0 != 0x80 { count += 1 }
    return count
}
