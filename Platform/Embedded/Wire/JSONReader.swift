/// A reader of JSON (RFC 8259) from bytes, token by token and without a heap: the caller holds the bytes, the reader
/// its position.
///
/// ```
/// var reader = JSONReader()
/// while true {
///     switch try reader.next(in: text) { ... case .end: return }
/// }
/// ```
/// The whole grammar is checked on the way, so a caller that reads to `.end` has read well-formed JSON. Duplicate keys
/// are left to the caller.
public struct JSONReader: Sendable {
    /// A token of the text. Ranges are offsets into the text.
    public enum Token: Equatable, Sendable {
        /// The start of an object, `{`.
        case objectStart
        /// The end of an object, `}`.
        case objectEnd
        /// The start of an array, `[`.
        case arrayStart
        /// The end of an array, `]`.
        case arrayEnd
        /// A member's name, without quotes and still escaped; see ``JSONReader/unescaped(_:in:)``.
        case key(Range<Int>)
        /// A string, without quotes and still escaped.
        case string(Range<Int>)
        /// A number, for ``decimal(_:)``, which reads every number of the grammar.
        case number(Range<Int>)
        /// The literal `true` or `false`.
        case bool(Bool)
        /// The literal `null`.
        case null
        /// The end of the text, where it may end.
        case end
    }

    /// The most levels that ``init(depthLimit:sizeLimit:)`` accepts.
    public static let deepest = 64

    /// The offset of the next byte to be read.
    public private(set) var offset = 0

    private let depthLimit: Int
    private let sizeLimit: Int
    private var depth = 0
    /// One bit a level: set where the level is an object.
    private var objects: UInt64 = 0
    private var expected = Expected.value

    private enum Expected {
        case value, valueOrArrayEnd, key, keyOrObjectEnd, commaOrEnd, end
    }

    /// A reader at the start of a text.
    /// - Parameters:
    ///   - depthLimit: levels of `{` and `[` inside each other, 1...64; deeper text is refused.
    ///   - sizeLimit: bytes; a longer text is refused at once.
    public init(depthLimit: Int = 16, sizeLimit: Int = 1 << 20) {
        self.depthLimit = min(max(depthLimit, 1), Self.deepest)
        self.sizeLimit = sizeLimit
    }

    /// The next token. After `.end`, `.end` again.
    public mutating func next(in text: Span<UInt8>) throws(JSONError) -> Token {
        guard text.count <= sizeLimit else { throw JSONError(.tooLarge, at: sizeLimit) }
        skipSpace(text)
        switch expected {
        case .end:
            guard offset == text.count else { throw JSONError(.unexpectedByte, at: offset) }
            return .end
        case .commaOrEnd:
            return try afterValue(text)
        case .key:
            return try key(text)
        case .keyOrObjectEnd:
            if peek(text) == UInt8(ascii: "}") { return close(.objectEnd) }
            return try key(text)
        case .valueOrArrayEnd:
            if peek(text) == UInt8(ascii: "]") { return close(.arrayEnd) }
            return try value(text)
        case .value:
            return try value(text)
        }
    }

    /// Passes over the rest of a value whose first token, `token`, was just read.
    public mutating func skipValue(after token: Token, in text: Span<UInt8>) throws(JSONError) {
        guard token == .objectStart || token == .arrayStart else { return }
        let outside = depth - 1
        while depth > outside { _ = try next(in: text) }
    }

    /// The bytes that an escaped `key` or `string` range stands for: UTF-8.
    public static func unescaped(_ range: Range<Int>, in text: Span<UInt8>) -> [UInt8] {
        var writer = TextWriter()
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            guard byte == UInt8(ascii: "\\"), index + 1 < range.upperBound else {
                writer.write(byte: byte)
                index += 1
                continue
            }
            let escape = text[index + 1]
            index += 2
            switch escape {
            case UInt8(ascii: "b"): writer.write(byte: 0x08)
            case UInt8(ascii: "f"): writer.write(byte: 0x0C)
            case UInt8(ascii: "n"): writer.write(byte: 0x0A)
            case UInt8(ascii: "r"): writer.write(byte: 0x0D)
            case UInt8(ascii: "t"): writer.write(byte: 0x09)
            case UInt8(ascii: "u"): writer.write(scalar: escapedScalar(text, range, &index))
            default: writer.write(byte: escape)
            }
        }
        return writer.bytes
    }

    // MARK: - The grammar

    private mutating func afterValue(_ text: Span<UInt8>) throws(JSONError) -> Token {
        guard let byte = peek(text) else { throw JSONError(.unexpectedEnd, at: offset) }
        let inObject = objects >> UInt64(depth - 1) & 1 == 1
        if byte == UInt8(ascii: ",") {
            offset += 1
            skipSpace(text)
            return inObject ? try key(text) : try value(text)
        }
        if inObject, byte == UInt8(ascii: "}") { return close(.objectEnd) }
        if !inObject, byte == UInt8(ascii: "]") { return close(.arrayEnd) }
        throw JSONError(.unexpectedByte, at: offset)
    }

    private mutating func key(_ text: Span<UInt8>) throws(JSONError) -> Token {
        guard let byte = peek(text) else { throw JSONError(.unexpectedEnd, at: offset) }
        guard byte == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: offset) }
        let name = try string(text)
        skipSpace(text)
        guard let colon = peek(text) else { throw JSONError(.unexpectedEnd, at: offset) }
        guard colon == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: offset) }
        offset += 1
        expected = .value
        return .key(name)
    }

    private mutating func value(_ text: Span<UInt8>) throws(JSONError) -> Token {
        guard let byte = peek(text) else { throw JSONError(.unexpectedEnd, at: offset) }
        switch byte {
        case UInt8(ascii: "{"): return try open(.objectStart)
        case UInt8(ascii: "["): return try open(.arrayStart)
        case UInt8(ascii: "\""):
            let range = try string(text)
            valueEnded()
            return .string(range)
        case UInt8(ascii: "t"): return try word("true", .bool(true), text)
        case UInt8(ascii: "f"): return try word("false", .bool(false), text)
        case UInt8(ascii: "n"): return try word("null", .null, text)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let range = try number(text)
            valueEnded()
            return .number(range)
        default: throw JSONError(.unexpectedByte, at: offset)
        }
    }

    private mutating func open(_ token: Token) throws(JSONError) -> Token {
        guard depth < depthLimit else { throw JSONError(.tooDeep, at: offset) }
        let bit = UInt64(1) << UInt64(depth)
        objects = token == .objectStart ? objects | bit : objects & ~bit
        depth += 1
        offset += 1
        expected = token == .objectStart ? .keyOrObjectEnd : .valueOrArrayEnd
        return token
    }

    private mutating func close(_ token: Token) -> Token {
        depth -= 1
        offset += 1
        valueEnded()
        return token
    }

    private mutating func valueEnded() {
        expected = depth == 0 ? .end : .commaOrEnd
    }

    private mutating func word(
        _ letters: StaticString, _ token: Token, _ text: Span<UInt8>
    ) throws(JSONError) -> Token {
        guard hasPrefix(text.extracting(offset..<text.count), letters) else {
            throw JSONError(.unexpectedByte, at: offset)
        }
        offset += letters.withUTF8Buffer { $0.count }
        valueEnded()
        return token
    }

    /// RFC 8259, section 6.
    private mutating func number(_ text: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = offset
        if peek(text) == UInt8(ascii: "-") { offset += 1 }
        let leadingZero = peek(text) == UInt8(ascii: "0")
        guard case let whole = digits(text), whole > 0, !leadingZero || whole == 1 else {
            throw JSONError(.badNumber, at: start)
        }
        if peek(text) == UInt8(ascii: ".") {
            offset += 1
            guard digits(text) > 0 else { throw JSONError(.badNumber, at: start) }
        }
        if let byte = peek(text), byte | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if let sign = peek(text), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { offset += 1 }
            guard digits(text) > 0 else { throw JSONError(.badNumber, at: start) }
        }
        return start..<offset
    }

    private mutating func digits(_ text: Span<UInt8>) -> Int {
        let start = offset
        while let byte = peek(text), byte &- UInt8(ascii: "0") < 10 { offset += 1 }
        return offset - start
    }

    /// RFC 8259, section 7. Leaves the place after the closing quote.
    private mutating func string(_ text: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = offset + 1
        offset = start
        var plain = true
        while let byte = peek(text) {
            switch byte {
            case UInt8(ascii: "\""):
                let range = start..<offset
                guard plain || isUTF8(text.extracting(range)) else { throw JSONError(.notUTF8, at: start) }
                offset += 1
                return range
            case UInt8(ascii: "\\"):
                try escape(text)
            case 0..<0x20:
                throw JSONError(.badString, at: offset)
            default:
                if byte >= 0x80 { plain = false }
                offset += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: offset)
    }

    private mutating func escape(_ text: Span<UInt8>) throws(JSONError) {
        offset += 1
        guard let byte = peek(text) else { throw JSONError(.unexpectedEnd, at: offset) }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 1
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                offset += 1
                guard let digit = peek(text) else { throw JSONError(.unexpectedEnd, at: offset) }
                guard hexValue(digit) != nil else { throw JSONError(.badString, at: offset) }
            }
            offset += 1
        default: throw JSONError(.badString, at: offset)
        }
    }

    private func peek(_ text: Span<UInt8>) -> UInt8? {
        offset < text.count ? text[offset] : nil
    }

    private mutating func skipSpace(_ text: Span<UInt8>) {
        while offset < text.count, isASCIISpace(text[offset]) { offset += 1 }
    }

    /// The character of `\uXXXX` whose digits begin at `index`, with its second half; a lone surrogate is U+FFFD.
    private static func escapedScalar(_ text: Span<UInt8>, _ range: Range<Int>, _ index: inout Int) -> UInt32 {
        guard let first = hexUnit(text, at: index, within: range) else { return 0xFFFD }
        index += 4
        guard first & 0xF800 == 0xD800 else { return first }
        guard first < 0xDC00, index + 1 < range.upperBound, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"), let second = hexUnit(text, at: index + 2, within: range),
            second & 0xFC00 == 0xDC00
        else { return 0xFFFD }
        index += 6
        return 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
    }

    private static func hexUnit(_ text: Span<UInt8>, at index: Int, within range: Range<Int>) -> UInt32? {
        guard index + 4 <= range.upperBound else { return nil }
        var unit: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = hexValue(text[index + offset]) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}

/// The reason why a text is not JSON, or exceeds the reader's limits.
public struct JSONError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Kind: Equatable, Sendable {
        /// The text stops in the middle.
        case unexpectedEnd
        /// A byte that the grammar does not allow there.
        case unexpectedByte
        /// A number such as `01`, `1.` or `-`.
        case badNumber
        /// A control character or an unknown escape inside a string.
        case badString
        /// A string that is not well-formed UTF-8.
        case notUTF8
        /// More levels than the reader accepts.
        case tooDeep
        /// More bytes than the reader accepts.
        case tooLarge
    }

    /// The kind of error.
    public let kind: Kind
    /// The offset of the error, in bytes from the start.
    public let offset: Int

    /// Creates an error at an offset.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
