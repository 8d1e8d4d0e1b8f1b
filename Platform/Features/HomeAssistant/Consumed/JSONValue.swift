import Wire

/// A JSON value of a foreign program's, read as a whole and bounded: announcements are small and hardly ever come.
enum JSONValue: Equatable, Sendable {
    case object([(name: String, value: JSONValue)])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    /// The levels of `{` and `[` that are read: an announcement of a device has five.
    static let depthLimit = 10
    /// The values that are read of one text.
    static let countLimit = 20_000

    /// Reads a text.
    ///
    /// - Throws: `JSONError`, also for one that is too deep or has too many values.
    init(_ text: Span<UInt8>) throws(JSONError) {
        var reader = JSONReader(depthLimit: Self.depthLimit, sizeLimit: text.count)
        var room = Self.countLimit
        self = try Self.value(try reader.next(in: text), &reader, text, &room)
        _ = try reader.next(in: text)
    }

    private static func value(
        _ token: JSONReader.Token, _ reader: inout JSONReader, _ text: Span<UInt8>, _ room: inout Int
    ) throws(JSONError) -> JSONValue {
        room -= 1
        guard room >= 0 else { throw JSONError(.tooLarge, at: reader.offset) }
        switch token {
        case .objectStart:
            var members: [(name: String, value: JSONValue)] = []
            while case .key(let key) = try reader.next(in: text) {
                let name = String(decoding: JSONReader.unescaped(key, in: text), as: UTF8.self)
                members.append((name, try value(try reader.next(in: text), &reader, text, &room)))
            }
            return .object(members)
        case .arrayStart:
            var values: [JSONValue] = []
            while true {
                let next = try reader.next(in: text)
                if next == .arrayEnd { return .array(values) }
                values.append(try value(next, &reader, text, &room))
            }
        case .string(let range): return .string(String(decoding: JSONReader.unescaped(range, in: text), as: UTF8.self))
        case .number(let range): return decimal(text.extracting(range)).map { .number($0) } ?? .null
        case .bool(let value): return .bool(value)
        case .null, .objectEnd, .arrayEnd, .key, .end: return .null
        }
    }

    /// The member with a name; of several the last, as most readers have it.
    subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The element at a place.
    subscript(_ index: Int) -> JSONValue? {
        guard case .array(let values) = self, values.indices.contains(index) else { return nil }
        return values[index]
    }

    /// The text of a string, and of a number as a program would write it.
    var text: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .bool(let value): value ? "true" : "false"
        case .object, .array, .null: nil
        }
    }

    static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.value == $1.value }
        case (.array(let left), .array(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.null, .null): true
        default: false
        }
    }
}
