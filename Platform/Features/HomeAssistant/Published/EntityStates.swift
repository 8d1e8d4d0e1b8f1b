import Foundation
import HubKit
import Localization

/// The states of an owner's entities as one message: a value by the id of each; without one that nobody can know, and null for
/// one that has none yet.
struct EntityStates: Encodable, Equatable {
    enum Value: Encodable, Equatable {
        case number(Double)
        case text(String)
        case flag(Bool)
        case unknown

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .flag(let flag): try container.encode(flag)
            case .unknown: try container.encodeNil()
            }
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private(set) var values: [String: Value] = [:]
    private var attributes: [String: [String: String]] = [:]
    private var decimals: [String: Int] = [:]

    init(_ entities: [Entity], in words: Localizer) {
        for entity in entities {
            if case .measurement(let measured) = entity.kind { decimals[entity.id] = measured.decimals }
            switch entity.state {
            case .unavailable, .none: continue
            case .unknown: values[entity.id] = .unknown
            case .number(let number): set(number, of: entity.id)
            case .words(let text): values[entity.id] = .text(words.string(text))
            case .flag(let flag): values[entity.id] = .flag(flag)
            }
            if !entity.attributes.isEmpty { attributes[entity.id] = entity.attributes }
        }
    }

    /// Sets the number of an entity, as exact as is worth showing.
    mutating func set(_ number: Double, of entity: String) {
        var scale = 1.0
        for _ in 0..<(decimals[entity] ?? 3) { scale *= 10 }
        let rounded = (number * scale).rounded() / scale
        values[entity] = .number(rounded.isFinite ? rounded : 0)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (id, value) in values { try container.encode(value, forKey: Key(stringValue: id)) }
        if !attributes.isEmpty { try container.encode(attributes, forKey: Key(stringValue: "attributes")) }
    }
}
