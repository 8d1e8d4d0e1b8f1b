/// A reader of CBOR in the canonical form of CTAP2 (Client to Authenticator Protocol 2.1, 8): lengths that are said, numbers
/// in as few bytes as they need, keys in order and once, four levels at most. What is written otherwise is refused, so that
/// one value has one form.
struct CBORReader {
    /// The number of arrays and maps within each other (CTAP 2.1, 8).
    static let deepest = 4
    /// The number of values in one reading; a key has five, an attestation with its certificates a dozen.
    static let most = 256

    private let bytes: [UInt8]
    /// The index of the next byte.
    private(set) var position: Int
    private var count = 0

    /// Creates a reader that begins at an index.
    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = min(max(position, 0), bytes.count)
    }

    /// Reads one value that is all of the bytes.
    static func whole(_ bytes: [UInt8]) throws(CBORError) -> CBORValue {
        var reader = CBORReader(bytes)
        let value = try reader.next()
        guard reader.position == bytes.count else { throw .leftOver }
        return value
    }

    /// Reads the next value.
    mutating func next() throws(CBORError) -> CBORValue { try value(level: 0) }

    private mutating func value(level: Int) throws(CBORError) -> CBORValue {
        count += 1
        guard count <= Self.most else { throw .tooMany }
        let first = try byte()
        let (major, information) = (first >> 5, first & 0x1F)
        if major == 7 { return try simple(information) }
        let argument = try argument(information)
        switch major {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(try take(argument))
        case 3:
            guard let text = String(validating: try take(argument), as: UTF8.self) else { throw .notText }
            return .text(text)
        case 4: return try array(count: argument, level: level + 1)
        case 5: return try map(count: argument, level: level + 1)
        default: throw .unsupported  // A tag.
        }
    }

    private mutating func array(count: UInt64, level: Int) throws(CBORError) -> CBORValue {
        let count = try counted(count, level: level)
        var values: [CBORValue] = []
        for _ in 0..<count { values.append(try value(level: level)) }
        return .array(values)
    }

    private mutating func map(count: UInt64, level: Int) throws(CBORError) -> CBORValue {
        let count = try counted(count, level: level)
        var entries: [CBORValue: CBORValue] = [:]
        var last: ArraySlice<UInt8> = []
        for index in 0..<count {
            let start = position
            let key = try value(level: level)
            let written = bytes[start..<position]
            guard index == 0 || Self.isBefore(last, written) else { throw .keyOrder }
            last = written
            // Texts may be the same in other bytes.
            guard entries.updateValue(try value(level: level), forKey: key) == nil else { throw .keyOrder }
        }
        return .map(entries)
    }

    /// Whether a key comes before another: by its kind, then the shorter one, then byte by byte.
    private static func isBefore(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        let kinds = (one.first.map { $0 >> 5 } ?? 0, other.first.map { $0 >> 5 } ?? 0)
        if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
        if one.count != other.count { return one.count < other.count }
        return one.lexicographicallyPrecedes(other)
    }

    private func counted(_ count: UInt64, level: Int) throws(CBORError) -> Int {
        guard level <= Self.deepest else { throw .tooDeep }
        // A value has one byte at least, so that no count takes memory that the bytes do not fill.
        guard count <= UInt64(bytes.count - position) else { throw .endsEarly }
        return Int(count)
    }

    private func simple(_ information: UInt8) throws(CBORError) -> CBORValue {
        switch information {
        case 20: .boolean(false)
        case 21: .boolean(true)
        case 22: .null
        default: throw .unsupported
        }
    }

    /// The number behind a first byte: in it, or in 1, 2, 4 or 8 bytes after it.
    private mutating func argument(_ information: UInt8) throws(CBORError) -> UInt64 {
        guard information >= 24 else { return UInt64(information) }
        guard information <= 27 else { throw .unsupported }
        let length = 1 << Int(information - 24)
        var value: UInt64 = 0
        for _ in 0..<length { value = value << 8 | UInt64(try byte()) }
        let least: UInt64 = length == 1 ? 24 : 1 << UInt64(length * 4)
        guard value >= least else { throw .longForm }
        return value
    }

    private mutating func take(_ length: UInt64) throws(CBORError) -> [UInt8] {
        guard length <= UInt64(bytes.count - position) else { throw .endsEarly }
        defer { position += Int(length) }
        return Array(bytes[position..<position + Int(length)])
    }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.count else { throw .endsEarly }
        defer { position += 1 }
        return bytes[position]
    }
}
