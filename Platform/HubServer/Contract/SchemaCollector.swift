import Foundation
import HubKit

/// A JSON Schema (2020-12, the dialect of OpenAPI 3.1), as Foundation represents JSON objects.
typealias JSONSchema = [String: any Sendable]

/// An error for a type without a schema. It is a mistake in the hub's own source, which the tests find.
struct SchemaError: Error, CustomStringConvertible {
    var description: String
}

/// A generator of schemas for `Codable` types. It runs their own `init(from:)`: since a type encodes what it decodes,
/// each key that it requests is a property, and each that it requests with `decodeIfPresent` is optional.
///
/// Enumerations have to be `CaseIterable`. A type that is not one of JSON's own becomes a component under its own name.
final class SchemaCollector {
    /// The direction of a type: in a request, null stands for absent too; a response leaves out absent values.
    enum Direction { case request, response }

    /// The components by name.
    private(set) var components: [String: JSONSchema] = [:]
    private var types: [ObjectIdentifier: (name: String, value: Any, direction: Direction, hasOptional: Bool)] = [:]
    private var open: Set<ObjectIdentifier> = []

    /// The schema of a type: a reference to its component, or the schema itself for one of JSON's own types.
    func schema(of type: any Decodable.Type, _ direction: Direction) throws -> JSONSchema {
        func open<Value: Decodable>(_ type: Value.Type) throws -> JSONSchema { try collect(type, direction).schema }
        return try open(type)
    }

    /// The schema, and some value of the type for the initialiser that requested it.
    func collect<Value: Decodable>(_ type: Value.Type, _ direction: Direction) throws -> (
        schema: JSONSchema, value: Value
    ) {
        if let (schema, value) = try builtIn(type, direction) {
            guard let value = value as? Value else { throw SchemaError(description: "\(type) is no value of its own") }
            return (schema, value)
        }
        let id = ObjectIdentifier(type)
        if let known = types[id], let value = known.value as? Value {
            guard known.direction == direction || !known.hasOptional else {
                throw SchemaError(
                    description:
                        "\(known.name) is in requests and in answers, where what may be absent differs: use two types")
            }
            return (Self.reference(known.name), value)
        }
        guard open.insert(id).inserted else {
            throw SchemaError(description: "\(type) holds itself, which no schema is made of")
        }
        defer { open.remove(id) }
        let name = Self.name(of: type)
        guard components[name] == nil else {
            throw SchemaError(description: "Two types are called \(name): give one another name")
        }
        let shape = SchemaShape(self, direction)
        let value: Value
        if let choices = type as? any (CaseIterable & RawRepresentable).Type {
            (shape.schema, value) = try Self.enumeration(choices, as: type)
        } else {
            do {
                value = try Value(from: SchemaDecoder(shape))
            } catch let error as DecodingError {
                throw SchemaError(
                    description:
                        "\(name) decodes no value that it was given (\(error)); an enumeration has to be CaseIterable")
            }
        }
        components[name] = shape.schema
        types[id] = (name, value, direction, shape.hasOptional)
        return (Self.reference(name), value)
    }

    private static func reference(_ name: String) -> JSONSchema { ["$ref": "#/components/schemas/\(name)"] }

    private static func enumeration<Value>(_ choices: any (CaseIterable & RawRepresentable).Type, as type: Value.Type)
        throws -> (JSONSchema, Value)
    {
        func open<Choice: CaseIterable & RawRepresentable>(_ choices: Choice.Type) throws -> (JSONSchema, Value) {
            let all = Array(choices.allCases)
            guard let first = all.first as? Value else { throw SchemaError(description: "\(type) has no cases") }
            let names = all.compactMap { $0.rawValue as? String }
            guard names.count == all.count else {
                throw SchemaError(description: "\(type) is not an enumeration of strings")
            }
            return (["type": "string", "enum": names], first)
        }
        return try open(choices)
    }

    /// The schema of JSON's own types: numbers, strings, arrays and maps.
    private func builtIn(_ type: any Decodable.Type, _ direction: Direction) throws -> (JSONSchema, Any)? {
        if let simple = Self.simple[ObjectIdentifier(type)] { return simple }
        if let list = type as? any SchemaList.Type {
            return (["type": "array", "items": try schema(of: list.element, direction)], list.empty)
        }
        if let map = type as? any SchemaMap.Type {
            return (["type": "object", "additionalProperties": try schema(of: map.element, direction)], map.empty)
        }
        if let optional = type as? any SchemaOptional.Type {
            let null: JSONSchema = ["type": "null"]
            return (["anyOf": [try schema(of: optional.wrapped, direction), null]], optional.absent)
        }
        if let choice = type as? any SchemaAlternatives.Type {
            return (
                ["anyOf": try choice.alternatives.map { try schema(of: $0, direction) }],
                try choice.example(self, direction)
            )
        }
        return nil
    }

    private static let integer: JSONSchema = ["type": "integer"]
    private static let number: JSONSchema = ["type": "number"]
    private static let simple: [ObjectIdentifier: (JSONSchema, any Sendable)] = [
        ObjectIdentifier(Bool.self): (["type": "boolean"], false),
        ObjectIdentifier(String.self): (["type": "string"], ""),
        ObjectIdentifier(Double.self): (number, 0.0),
        ObjectIdentifier(Int.self): (integer, 0),
        ObjectIdentifier(Int32.self): (integer, Int32(0)),
        ObjectIdentifier(Int64.self): (integer, Int64(0)),
        ObjectIdentifier(UInt8.self): (integer, UInt8(0)),
        ObjectIdentifier(UInt32.self): (integer, UInt32(0)),
        ObjectIdentifier(Data.self): (["type": "string", "contentEncoding": "base64"], Data()),
    ]

    /// The name of a type in the document: as in the source, below its companion's name or `Hub`.
    static func name(of type: Any.Type) -> String {
        // "PlantsHub.(unknown context at $10f0).ListReply.Kind" and "(extension in DrumsHub):DrumsEngine.Hands.Name": what is
        // private, or in an extension, says so.
        let parts = String(reflecting: type)
            .replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "").replacing(/\(extension in \w+\):/, with: "")
            .split(separator: ".").map(String.init)
        guard let module = parts.first, parts.count > 1 else { return parts.joined(separator: ".") }
        let kinds = ["Kit", "Server", "Hub", "Engine"]
        let space = kinds.first { module.hasSuffix($0) }.map { String(module.dropLast($0.count)) } ?? module
        return ([space] + parts.dropFirst()).joined(separator: ".")
    }
}

// MARK: What holds other values

private protocol SchemaList {
    static var element: any Decodable.Type { get }
    static var empty: Any { get }
}

extension Array: SchemaList where Element: Decodable {
    fileprivate static var element: any Decodable.Type { Element.self }
    fileprivate static var empty: Any { [Element]() }
}

private protocol SchemaMap {
    static var element: any Decodable.Type { get }
    static var empty: Any { get }
}

extension Dictionary: SchemaMap where Key == String, Value: Decodable {
    fileprivate static var element: any Decodable.Type { Value.self }
    fileprivate static var empty: Any { [String: Value]() }
}

private protocol SchemaOptional {
    static var wrapped: any Decodable.Type { get }
    static var absent: Any { get }
}

extension Optional: SchemaOptional where Wrapped: Decodable {
    fileprivate static var wrapped: any Decodable.Type { Wrapped.self }
    fileprivate static var absent: Any { Optional<Wrapped>.none as Any }
}

/// A value that has one of several types.
protocol SchemaAlternatives {
    static var alternatives: [any Decodable.Type] { get }
    static func example(_ collector: SchemaCollector, _ direction: SchemaCollector.Direction) throws -> Any
}

extension OneOf: SchemaAlternatives {
    static var alternatives: [any Decodable.Type] { [First.self, Second.self] }

    static func example(_ collector: SchemaCollector, _ direction: SchemaCollector.Direction) throws -> Any {
        Self.first(try collector.collect(First.self, direction).value)
    }
}
