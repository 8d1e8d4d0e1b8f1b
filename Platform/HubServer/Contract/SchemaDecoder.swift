import HubKit

/// The schema of a type, collected while its initialiser runs.
final class SchemaShape {
    let collector: SchemaCollector
    let direction: SchemaCollector.Direction
    var schema: JSONSchema = [:]
    /// Whether any property is optional.
    private(set) var hasOptional = false
    private var properties: [String: any Sendable] = [:]
    private var required: [String] = []
    private var items: [any Sendable] = []
    private var leastItems = 0
    /// The names of values that were tested for null, and so are optional.
    private var mayBeAbsent: Set<String> = []
    private var nextMayBeAbsent = false

    init(_ collector: SchemaCollector, _ direction: SchemaCollector.Direction) {
        self.collector = collector
        self.direction = direction
    }

    /// Begins an object. Properties of a nested type that is decoded from the same decoder are added to it.
    func beginObject() { writeObject() }

    /// Marks the next value with this name as optional: `decodeIfPresent` calls this first.
    func mayBeAbsent(_ name: String) { mayBeAbsent.insert(name) }
    func nextItemMayBeAbsent() { nextMayBeAbsent = true }

    func property<Value: Decodable>(_ name: String, _ type: Value.Type) throws -> Value {
        let (schema, value) = try collector.collect(type, direction)
        if mayBeAbsent.remove(name) != nil {
            hasOptional = true
            let null: JSONSchema = ["type": "null"]
            properties[name] = direction == .request ? ["anyOf": [schema, null]] as JSONSchema : schema
        } else {
            properties[name] = schema
            if !required.contains(name) { required.append(name) }
        }
        writeObject()
        return value
    }

    /// Adds a value to a tuple, an array in which each position has a meaning.
    func item<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try collector.collect(type, direction)
        items.append(schema)
        if !nextMayBeAbsent { leastItems = items.count }
        nextMayBeAbsent = false
        self.schema = ["type": "array", "prefixItems": items, "minItems": leastItems, "maxItems": items.count]
        return value
    }

    /// Makes the schema that of another value.
    func single<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try collector.collect(type, direction)
        self.schema = schema
        return value
    }

    private func writeObject() {
        schema = ["type": "object", "properties": properties]
        if !required.isEmpty { schema["required"] = required.sorted() }
    }
}

/// A decoder that has whatever value is requested, and records the request.
struct SchemaDecoder: Decoder {
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ shape: SchemaShape) { self.shape = shape }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        shape.beginObject()
        return KeyedDecodingContainer(SchemaProperties<Key>(shape: shape))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { SchemaItems(shape: shape) }

    func singleValueContainer() -> any SingleValueDecodingContainer { SchemaSingle(shape: shape) }
}

private struct SchemaProperties<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        shape.mayBeAbsent(key.stringValue)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try shape.property(key.stringValue, type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    { throw nested }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw nested }

    func superDecoder() throws -> any Decoder { throw nested }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw nested }
}

private struct SchemaItems: UnkeyedDecodingContainer {
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { false }
    private(set) var currentIndex = 0

    init(shape: SchemaShape) { self.shape = shape }

    func decodeNil() -> Bool {
        shape.nextItemMayBeAbsent()
        return false
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        return try shape.item(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        throw nested
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw nested }

    func superDecoder() throws -> any Decoder { throw nested }
}

private struct SchemaSingle: SingleValueDecodingContainer {
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try shape.single(type) }
}

private let nested = SchemaError(description: "A nested container has no type of its own: give it one")
