/// The text of a table that some program wrote, in UTF-8, and the character between its cells.
///
/// Spreadsheets and apps do not say how they write. It is told from the bytes:
/// - UTF-8 or UTF-16 by a byte order mark; UTF-16 without one by its zeros; what is not UTF-8 is in the encoding of one byte a
///   letter by which its words are of some language, as Excel writes them in each country (``OldEncoding/likeliest(_:tie:)``),
///   Windows-1252 where none is better; unless more letters of it are UTF-8 than are not: then single bytes are damaged, and
///   become U+FFFD.
/// - A first line `sep=;`, which Excel reads and writes, names the separator and is no part of the table. Without it the
///   separator is the one of comma, semicolon and tab that comes most often in the first line, outside of quotes, that is
///   not empty and no remark (``isRemark(_:from:)``); where none of them does, a bar.
public struct TableText: Sendable, Equatable {
    /// The table without a byte order mark and the line that names its separator, UTF-8.
    public let bytes: [UInt8]
    /// The separator: a comma, a semicolon, a tab, or what the file says.
    public let separator: UInt8

    /// A text whose separator is known.
    init(bytes: [UInt8], separator: UInt8) { (self.bytes, self.separator) = (bytes, separator) }

    /// The separators that a table has where it does not name one.
    public static var usualSeparators: [UInt8] {
        [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]
    }

    /// The same text with another separator between its cells: where a title stands in the first line, that line does not
    /// tell it.
    public func separated(by separator: UInt8) -> TableText { TableText(bytes: bytes, separator: separator) }

    /// Reads the bytes of a file.
    public init(_ file: [UInt8]) {
        var text = utf8Text(of: file)
        var separator: UInt8?
        var start = 0
        if let declared = Self.declaredSeparator(text.span) { (separator, start) = declared }
        if start > 0 { text.removeFirst(start) }
        bytes = text
        self.separator = separator ?? Self.usual(text.span)
    }

    /// The separator that a first line `sep=;` names, in any case and perhaps in quotes, and where the next line begins.
    private static func declaredSeparator(_ text: Span<UInt8>) -> (UInt8, Int)? {
        var index = 0
        let isQuoted = text.count > 0 && text[0] == UInt8(ascii: "\"")
        if isQuoted { index = 1 }
        guard text.count > index + 4, text[index] | 0x20 == UInt8(ascii: "s"),
            text[index + 1] | 0x20 == UInt8(ascii: "e"),
            text[index + 2] | 0x20 == UInt8(ascii: "p"), text[index + 3] == UInt8(ascii: "=")
        else { return nil }
        let separator = text[index + 4]
        index += 5
        if isQuoted, index < text.count, text[index] == UInt8(ascii: "\"") { index += 1 }
        guard separator < 0x80, separator != UInt8(ascii: "\""), separator >= 0x20 || separator == 0x09 else {
            return nil
        }
        // Nothing else stands in the line, but separators that a spreadsheet has filled it up with.
        while index < text.count, text[index] == separator { index += 1 }
        guard index == text.count || text[index] == 0x0D || text[index] == 0x0A else { return nil }
        if index < text.count, text[index] == 0x0D { index += 1 }
        if index < text.count, text[index] == 0x0A { index += 1 }
        return (separator, index)
    }

    /// Whether a line is a remark, as some apps write them above a table: `# Recording started at …`. A column that is called
    /// `#` is none.
    public static func isRemark(_ text: Span<UInt8>, from start: Int) -> Bool {
        guard start + 1 < text.count, text[start] == UInt8(ascii: "#") else { return false }
        switch text[start + 1] {
        case UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, 0x0A, 0x0D, UInt8(ascii: "\""): return false
        default: return true
        }
    }

    private static func usual(_ text: Span<UInt8>) -> UInt8 {
        var start = 0
        while start < text.count, text[start] == 0x0A || text[start] == 0x0D || isRemark(text, from: start) {
            while start < text.count, text[start] != 0x0A, text[start] != 0x0D { start += 1 }
            while start < text.count, text[start] == 0x0A || text[start] == 0x0D { start += 1 }
        }
        var counts = (comma: 0, semicolon: 0, tab: 0, bar: 0)
        var isQuoted = false
        counting: for index in start..<text.count {
            switch text[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case 0x0A where !isQuoted, 0x0D where !isQuoted: break counting
            case UInt8(ascii: ",") where !isQuoted: counts.comma += 1
            case UInt8(ascii: ";") where !isQuoted: counts.semicolon += 1
            case 0x09 where !isQuoted: counts.tab += 1
            case UInt8(ascii: "|") where !isQuoted: counts.bar += 1
            default: continue
            }
        }
        if counts.tab > 0, counts.tab >= counts.semicolon, counts.tab >= counts.comma { return 0x09 }
        if counts.semicolon > 0, counts.semicolon >= counts.comma { return UInt8(ascii: ";") }
        return counts.comma == 0 && counts.bar > 0 ? UInt8(ascii: "|") : UInt8(ascii: ",")
    }
}

/// The UTF-8 of a text that does not say its encoding: UTF-8, UTF-16, UTF-32 by its byte order mark, or else letters of one byte
/// (``OldEncoding``), without the byte order marks that it begins with (``withoutByteOrderMarks(_:)``).
public func utf8Text(of file: [UInt8]) -> [UInt8] {
    // Of UTF-8, or what a program has put before another encoding.
    var start = 0
    while file[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    let bytes = start == 0 ? file : Array(file[start...])
    if let text = utf8Text(ofUTF32: bytes) ?? utf8Text(ofUTF16: bytes) { return withoutByteOrderMarks(text) }
    if isUTF8(bytes.span) { return withoutByteOrderMarks(bytes) }
    var writer = TextWriter()
    if isMostlyUTF8(bytes.span) {
        var index = 0
        while index < bytes.count {
            let (scalar, length) = decodedScalar(bytes.span, at: index)
            writer.write(scalar: scalar)
            index += max(length, 1)
        }
        return writer.bytes
    }
    return OldEncoding.likeliest(bytes.span, tie: .macRoman).utf8(bytes.span)
}

/// The UTF-8 of a text in UTF-32, by its byte order mark (Unicode, 23.8); nil for another text. A number that is no character's is
/// U+FFFD. The mark of the lesser end first begins like that of UTF-16, in which a NUL would follow it.
private func utf8Text(ofUTF32 bytes: [UInt8]) -> [UInt8]? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE, 0, 0])
    guard isLittle || bytes.starts(with: [0, 0, 0xFE, 0xFF]) else { return nil }
    var writer = TextWriter()
    for index in stride(from: 4, to: bytes.count - 3, by: 4) {
        var number: UInt32 = 0
        for place in 0..<4 { number = number << 8 | UInt32(bytes[index + (isLittle ? 3 - place : place)]) }
        let isScalar = number < 0x11_0000 && number & 0xFFFF_F800 != 0xD800
        writer.write(scalar: isScalar ? number : 0xFFFD)
    }
    return writer.bytes
}

/// The UTF-8 of a text in UTF-16, by its byte order mark, or by the zeros that letters of ASCII have; nil for another text.
/// A half of a pair alone is U+FFFD.
public func utf8Text(ofUTF16 bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 2 else { return nil }
    var start = 0
    let isLittle: Bool
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): (isLittle, start) = (true, 2)
    case (0xFE, 0xFF): (isLittle, start) = (false, 2)
    default:
        var (even, odd) = (0, 0)
        let looked = min(bytes.count, 64) / 2
        for pair in 0..<looked {
            if bytes[2 * pair] == 0 { even += 1 }
            if bytes[2 * pair + 1] == 0 { odd += 1 }
        }
        // Three letters of four are of ASCII in the head of a table or of XML.
        guard looked >= 2, max(even, odd) * 4 >= looked * 3, min(even, odd) == 0 else { return nil }
        isLittle = odd > even
    }
    func unit(_ index: Int) -> UInt32 {
        let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
        return isLittle ? second << 8 | first : first << 8 | second
    }
    var writer = TextWriter()
    var index = start
    while index + 1 < bytes.count {
        var scalar = unit(index)
        index += 2
        if scalar & 0xF800 == 0xD800 {
            let low = index + 1 < bytes.count ? unit(index) : 0
            if scalar < 0xDC00, low & 0xFC00 == 0xDC00 {
                scalar = 0x10000 + ((scalar & 0x3FF) << 10 | (low & 0x3FF))
                index += 2
            } else {
                scalar = 0xFFFD
            }
        }
        writer.write(scalar: scalar)
    }
    return writer.bytes
}

/// Whether more letters beyond ASCII are well-formed UTF-8 than are not.
private func isMostlyUTF8(_ text: Span<UInt8>) -> Bool {
    var (good, bad) = (0, 0)
    var index = 0
    while index < text.count {
        if text[index] < 0x80 {
            index += 1
            continue
        }
        var length = 2
        if text[index] >= 0xE0 { length = text[index] >= 0xF0 ? 4 : 3 }
        if index + length <= text.count, isUTF8(text.extracting(index..<(index + length))) {
            good += 1
            index += length
        } else {
            bad += 1
            index += 1
        }
    }
    return good > bad
}
