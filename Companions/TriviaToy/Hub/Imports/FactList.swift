import Foundation
import Wire

/// The entries of a JSON text with facts: of a list, of the one list in an object, or an object a line (JSON Lines).
///
/// A text that is JSON is read as such. One that is not is taken apart: somebody has edited it by hand, and a comma or a quote
/// that is missing costs the entry that it stands in, or its line, and not the others.
enum FactList {
    /// An entry.
    enum Entry {
        case fact(FactFields)
        /// JSON that is no fact.
        case other
        /// A part that is no JSON.
        ///
        /// - Parameter line: where it begins, from 1.
        case broken(line: Int)
    }

    /// The entries of a text in UTF-8; nil where it has none, or none that is a fact.
    static func entries(_ text: [UInt8]) -> [Entry]? {
        let decoder = JSONDecoder()
        if let list = try? decoder.decode([Lenient].self, from: Data(text)) { return list.map(\.entry) }
        if let named = try? decoder.decode([String: NamedList].self, from: Data(text)) {
            let lists = named.values.compactMap(\.entries)
            return lists.count == 1 ? lists[0].map(\.entry) : nil
        }
        let apart = lines(text, decoder) ?? objects(text, decoder)
        return apart.contains { if case .fact = $0 { true } else { false } } ? apart : nil
    }

    /// An entry each line; nil where fewer than two lines begin as an object does, or fewer of them are whole than are not.
    private static func lines(_ text: [UInt8], _ decoder: JSONDecoder) -> [Entry]? {
        var entries: [Entry] = []
        var whole = 0
        var begun = 0
        guard text.first(where: { !isASCIISpace($0) }) == UInt8(ascii: "{") else { return nil }
        for (line, content) in numberedLines(text) {
            // An object with a list of facts.
            if content.last == UInt8(ascii: "[") { return nil }
            if content.first == UInt8(ascii: "{") { begun += 1 }
            let entry = entry(content, line, decoder)
            if case .broken = entry {} else { whole += 1 }
            entries.append(entry)
        }
        // A list or an object over several lines has hardly any that are JSON by themselves.
        guard entries.count > 1, begun > 0, whole > 0, begun * 2 > entries.count else { return nil }
        return entries
    }

    /// The lines that hold anything, without white space around it, with their numbers from 1. A line ends as on any system.
    private static func numberedLines(_ text: [UInt8]) -> [(Int, ArraySlice<UInt8>)] {
        var lines: [(Int, ArraySlice<UInt8>)] = []
        var number = 1
        var start = 0
        for place in 0...text.count {
            let isEnd = place == text.count || text[place] == 0x0A || text[place] == 0x0D
            guard isEnd else { continue }
            let content = trimmed(text[start..<place])
            if !content.isEmpty { lines.append((number, content)) }
            // The second byte of a Windows line end is no line.
            if place < text.count, text[place] == 0x0A || place + 1 == text.count || text[place + 1] != 0x0A {
                number += 1
            }
            start = place + 1
        }
        return lines
    }

    private static func trimmed(_ slice: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let rest = slice.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? rest.prefix(0)
    }

    /// The objects of a list that is no JSON as a whole, each from its `{` on to its `}`.
    ///
    /// A quote that is not closed would turn all that follows around: a text does not go over a line's end, as JSON has it
    /// (RFC 8259, 7), and an object in which another begins has ended there.
    private static func objects(_ text: [UInt8], _ decoder: JSONDecoder) -> [Entry] {
        var entries: [Entry] = []
        var start: Int?
        var (line, firstLine) = (1, 1)
        var isQuoted = false
        var isEscaped = false
        // The last byte that is no white space, outside of quotes.
        var last: UInt8 = 0
        func take(_ end: Int) {
            guard let begin = start else { return }
            entries.append(entry(text[begin..<end], firstLine, decoder))
            start = nil
        }
        for (place, byte) in text.enumerated() {
            let isLineEnd = byte == 0x0A || byte == 0x0D && (place + 1 == text.count || text[place + 1] != 0x0A)
            if isLineEnd { line += 1 }
            if isEscaped {
                isEscaped = false
            } else if byte == 0x0A || byte == 0x0D {
                isQuoted = false
            } else if isQuoted {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { (isQuoted, last) = (false, byte) }
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            } else if byte == UInt8(ascii: "{") {
                // A fact has no object in it; what has a list of them is no fact.
                if last == UInt8(ascii: "[") { start = nil }
                take(place)
                (start, firstLine, last) = (place, line, byte)
            } else if byte == UInt8(ascii: "}") {
                take(place + 1)
                last = byte
            } else if byte != 0x20, byte != 0x09 {
                last = byte
            }
        }
        take(text.count)
        return entries
    }

    private static func entry(_ json: ArraySlice<UInt8>, _ line: Int, _ decoder: JSONDecoder) -> Entry {
        // In JSON Lines and in a list that was made into lines a comma may follow.
        let own = json.last == UInt8(ascii: ",") ? json.dropLast() : json
        return (try? decoder.decode(Lenient.self, from: Data(own)))?.entry ?? .broken(line: line)
    }

    /// An entry of a list, which may be anything.
    private struct Lenient: Decodable {
        var fields: FactFields?
        var entry: Entry { fields.map { .fact($0) } ?? .other }

        init(from decoder: any Decoder) { fields = try? FactFields(from: decoder) }
    }

    /// A member of an object, which is a list or something else.
    private struct NamedList: Decodable {
        var entries: [Lenient]?

        init(from decoder: any Decoder) { entries = try? [Lenient](from: decoder) }
    }
}
