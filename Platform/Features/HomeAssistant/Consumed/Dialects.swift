import HubKit
import MQTT
import NIOCore
import Wire

/// The dialects of makers' firmware: on which topics it says by itself what it measures, and how. For a device that has signed in
/// with its own token and publishes beside its own topics.
///
/// `dialects.tsv` beside this file is the table; a line says a maker, a topic filter, and where the values are.
struct Dialects: Sendable {
    /// Where the values of a message are.
    enum Place: Sendable, Equatable {
        /// The message is the value, of the quantity that a level of the topic names, counted from 0.
        case level(Int)
        /// Members of JSON, at any depth, by their names.
        case members
        /// It says how the device is, or is for people to read: nothing is measured.
        case nothing
    }

    /// One line of the table.
    struct Line: Sendable {
        var maker: String
        var filter: TopicFilter
        var place: Place
    }

    /// A name that makers give a quantity, with the unit that it means.
    private struct Name: Sendable {
        var quantity: AdoptedQuantity
        var unit: AdoptedQuantity.Unit
    }

    private let lines: [Line]
    private let names: [String: Name]

    /// Reads the table.
    ///
    /// - Parameters:
    ///   - table: its text: lines of three columns, separated by tabs; `#` begins a comment. Lines that are none are left out.
    ///   - kinds: what the companions take over.
    init(_ table: String, _ kinds: [AdoptedKind]) {
        var lines: [Line] = []
        var names: [String: Name] = [:]
        for quantity in kinds.flatMap(\.quantities) {
            guard let unit = quantity.units.first else { continue }
            for word in quantity.words + [quantity.name] {
                names[word] = names[word] ?? Name(quantity: quantity, unit: unit)
            }
        }
        for line in table.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t").map(String.init)
            guard columns.count == 3 else { continue }
            if columns[0] == "name" {
                // name <tab> rh <tab> humidity %
                let meaning = columns[2].split(separator: " ", maxSplits: 1).map(String.init)
                guard let first = meaning.first, let known = names[first]?.quantity,
                    let unit = meaning.count == 2
                        ? known.units.first(where: { $0.name == meaning[1] }) : known.units.first
                else { continue }
                names[columns[1].lowercased()] = Name(quantity: known, unit: unit)
            } else if let filter = try? TopicFilter(columns[1]), let place = Place(columns[2]) {
                lines.append(Line(maker: columns[0], filter: filter, place: place))
            }
        }
        self.lines = lines
        self.names = names
    }

    /// What a message measures: quantities and values in their own units; nil where no dialect has such a topic.
    func values(topic: String, payload: ByteBuffer) -> [(quantity: String, value: Double)]? {
        guard let name = try? TopicName(topic), let line = lines.first(where: { $0.filter.matches(name) }) else {
            return nil
        }
        switch line.place {
        case .nothing: return []
        case .level(let index):
            let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
            guard levels.indices.contains(index), let name = self.name(endOf: String(levels[index])),
                let value = ValueTemplate.bare.value(of: payload.readableBytesUInt8Span)
            else { return [] }
            return [converted(name, value)]
        case .members:
            guard let json = try? JSONValue(payload.readableBytesUInt8Span) else { return [] }
            var found: [(String, Double)] = []
            collect(json, into: &found)
            return found
        }
    }

    private func converted(_ name: Name, _ value: Double) -> (quantity: String, value: Double) {
        (name.quantity.name, value * name.unit.factor + name.unit.offset)
    }

    /// The name that a text is or ends with, after a `_` or a `-`: `fern_soil_moisture` is moisture.
    private func name(endOf text: String) -> Name? {
        var rest = Substring(text.lowercased().map { $0 == "-" ? "_" : $0 }.map(String.init).joined())
        while true {
            if let known = names[String(rest)] { return known }
            guard let next = rest.firstIndex(of: "_") else { return nil }
            rest = rest[rest.index(after: next)...]
        }
    }

    /// Collects the first value of each quantity.
    private func collect(_ json: JSONValue, into found: inout [(String, Double)]) {
        guard case .object(let members) = json else { return }
        for (member, value) in members {
            switch value {
            case .object: collect(value, into: &found)
            case .number, .string:
                guard let name = names[member.lowercased()], let number = value.number else { continue }
                let (quantity, converted) = converted(name, number)
                if !found.contains(where: { $0.0 == quantity }) { found.append((quantity, converted)) }
            case .array, .bool, .null: continue
            }
        }
    }
}

extension Dialects.Place {
    init?(_ text: String) {
        switch text {
        case "members": self = .members
        case "nothing": self = .nothing
        case _ where text.hasPrefix("level "):
            guard let level = Int(text.dropFirst(6)) else { return nil }
            self = .level(level)
        default: return nil
        }
    }
}

extension JSONValue {
    /// The number, also one between quotes.
    fileprivate var number: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): decimal(Array(text.utf8).span)
        default: nil
        }
    }
}
