import Foundation
import HubKit
import Localization
import Wire

/// A fact as a file of a household says it: a row of a table, or an object of JSON.
struct FactFields: Decodable {
    var text: String?
    var category: String?
    var difficulty: String?
    var age: Int?
    var language: String?
    var source: String?
    var url: String?

    private enum Key: String, CodingKey { case text, category, difficulty, age, language, source, url }

    /// Creates the fields of a row.
    init(
        text: String?, category: String? = nil, difficulty: String? = nil, age: Int? = nil, language: String? = nil,
        source: String? = nil, url: String? = nil
    ) {
        (self.text, self.category, self.difficulty, self.age) = (text, category, difficulty, age)
        (self.language, self.source, self.url) = (language, source, url)
    }

    /// Reads the fields of an object. An age may be a text, as spreadsheets and forms write it.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        text = try fields.decodeIfPresent(String.self, forKey: .text)
        category = try fields.decodeIfPresent(String.self, forKey: .category)
        difficulty = try fields.decodeIfPresent(String.self, forKey: .difficulty)
        language = try fields.decodeIfPresent(String.self, forKey: .language)
        source = try fields.decodeIfPresent(String.self, forKey: .source)
        url = try fields.decodeIfPresent(String.self, forKey: .url)
        guard let written = try? fields.decodeIfPresent(String.self, forKey: .age) else {
            age = try fields.decodeIfPresent(Int.self, forKey: .age)
            return
        }
        let years = written.trimmingCharacters(in: .whitespaces)
        age = years.isEmpty ? nil : Self.years(years)
        guard years.isEmpty || age != nil else {
            throw DecodingError.dataCorruptedError(forKey: .age, in: fields, debugDescription: "no number of years")
        }
    }

    /// The years that a text says, also as spreadsheets write a whole number: `6.0` and `6,0`.
    static func years(_ text: String) -> Int? { tableNumber(Array(text.utf8).span).flatMap { Int(exactly: $0) } }

    /// The reason why it cannot be taken, in a sentence that goes on from "Row 7".
    struct Fault: Error { var reason: LocalizedText }

    /// Checks the fields.
    ///
    /// - Throws: the first thing that is wrong with it.
    func checked(origin: FactRecord.Origin, _ limits: ToyLimits) throws(Fault) -> NewFact {
        let text = try Self.text(text, limits)
        let category = try Self.choice(category, CategoryName.self, .general, "category")
        let difficulty = try Self.choice(difficulty, DifficultyName.self, .easy, "difficulty")
        let language = try Self.choice(language, LanguageName.self, .en, "language")
        let youngest = age ?? Int(difficulty.difficulty.youngestAge)
        guard (0...99).contains(youngest) else {
            throw Fault(reason: LocalizedText("has the age \(youngest), which is none from 0 to 99"))
        }
        guard (source ?? "").utf8.count <= 500, (url ?? "").utf8.count <= 2_000 else {
            throw Fault(
                reason: LocalizedText("has a source longer than 500 letters, or an address longer than 2,000"))
        }
        // Pages make a link of it.
        if let url, !url.isEmpty, !url.lowercased().hasPrefix("https://") {
            throw Fault(reason: LocalizedText("has a source’s address that does not begin with https://"))
        }
        return NewFact(
            origin: origin, key: Self.key(text), language: language, category: category, difficulty: difficulty,
            youngestAge: youngest, text: text, sourceTitle: (source ?? "").withoutUnseenCharacters,
            sourceURL: url.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// A key that is the same for the same text.
    static func key(_ text: String) -> String { Secret.hash(text).base64EncodedString() }

    /// The text with spaces in place of line ends and the like: a toy speaks them all the same.
    static func text(_ text: String?, _ limits: ToyLimits) throws(Fault) -> String {
        let scalars = (text ?? "").unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        let clean = String(String.UnicodeScalarView(scalars)).withoutUnseenCharacters.trimmingCharacters(
            in: .whitespaces)
        guard !clean.isEmpty else { throw Fault(reason: LocalizedText("has no text")) }
        guard clean.utf8.count <= limits.textBytes else {
            throw Fault(
                reason: LocalizedText(
                    "has \(clean.count) characters in \(clean.utf8.count) bytes: a toy has room for \(limits.textBytes) bytes"
                )
            )
        }
        return clean
    }

    private static func choice<Name: RawRepresentable & CaseIterable>(
        _ text: String?, _: Name.Type, _ otherwise: Name, _ what: String
    ) throws(Fault) -> Name where Name.RawValue == String {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return otherwise }
        guard let found = Name.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
            let known = Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(
                reason: LocalizedText("has the \(what) “\(String(text.prefix(40)))”. It is one of \(known)"))
        }
        return found
    }
}
