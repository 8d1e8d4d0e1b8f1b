import Foundation
import GRDB
import HubKit
import Localization
import TriviaToyEngine
import Wire

/// The facts from a file, with what could not be taken of it.
struct FactImport: Sendable {
    /// A row, or an entry of a list, that was left out.
    struct RowFault: Sendable {
        /// The number of the row, from 1 on; of a table the header is row 1.
        var row: Int
        /// The reason in a sentence.
        var reason: LocalizedText
    }

    var facts: [NewFact] = []
    /// The first of them; ``refused`` counts all.
    var faults: [RowFault] = []
    var refused = 0

    /// Leaves a row out.
    ///
    /// - Parameter reason: why, in words that go on from "Row 7".
    private mutating func refuse(_ row: Int, _ reason: LocalizedText, _ limits: ToyLimits) {
        refused += 1
        guard faults.count < limits.namedRows else { return }
        faults.append(RowFault(row: row, reason: LocalizedText("Row \(row) \(reason).")))
    }

    private mutating func add(_ fields: FactFields, row: Int, _ origin: FactRecord.Origin, _ limits: ToyLimits) {
        do throws(FactFields.Fault) {
            facts.append(try fields.checked(origin: origin, limits))
        } catch {
            refuse(row, error.reason, limits)
        }
    }

    /// A table whose first row names the columns: `text`, and any of `category`, `difficulty`, `age`, `language`,
    /// `source`, `url`; others are passed over.
    static func table(_ bytes: [UInt8], _ limits: ToyLimits) throws(Problem) -> FactImport {
        let table = try FactTable(bytes, atMost: limits.facts)
        var result = FactImport()
        for row in table.rows {
            guard !row.isOpen else {
                result.refuse(
                    row.number, LocalizedText("has a quotation mark that is opened and never closed"), limits)
                continue
            }
            let age = table.field("age", of: row)?.trimmingCharacters(in: .whitespaces) ?? ""
            let years = FactFields.years(age)
            guard age.isEmpty || years != nil else {
                result.refuse(
                    row.number, LocalizedText("has the age “\(String(age.prefix(20)))”, which is no number"), limits)
                continue
            }
            result.add(
                FactFields(
                    text: table.field("text", of: row), category: table.field("category", of: row),
                    difficulty: table.field("difficulty", of: row), age: years,
                    language: table.field("language", of: row), source: table.field("source", of: row),
                    url: table.field("url", of: row)),
                row: row.number, .csv, limits)
        }
        if result.facts.isEmpty, let open = table.rows.first(where: \.isOpen) {
            throw .field(
                "file", "A quotation mark is opened and never closed in row \(open.number). Nothing was stored.")
        }
        return result
    }

    /// A list of objects with the same names, in UTF-8, or as an editor saved it; also as programs export one: under a name in
    /// an object, such as `{"facts": […]}`, or an object a line (JSON Lines). What is broken of it costs itself (``FactList``).
    static func list(_ bytes: [UInt8], _ limits: ToyLimits) throws(Problem) -> FactImport {
        guard let entries = FactList.entries(utf8Text(of: bytes)) else {
            throw .field("file", "The file is no JSON list of facts, such as [{\"text\": \"…\"}]. Nothing was stored.")
        }
        var result = FactImport()
        for (index, entry) in entries.enumerated() {
            switch entry {
            case .fact(let fields): result.add(fields, row: index + 1, .json, limits)
            case .other:
                result.refuse(
                    index + 1, LocalizedText("is no fact: its members are texts, and its age is a number"), limits)
            case .broken(let line):
                result.refuse(index + 1, LocalizedText("is no JSON, in line \(line) of the file"), limits)
            }
        }
        return result
    }

    /// The facts of an answer of Open Trivia DB, in UTF-8, or as an editor saved it.
    static func openTrivia(_ bytes: [UInt8], encoding: OpenTriviaResponse.Encoding, _ limits: ToyLimits) throws(Problem)
        -> FactImport
    {
        let response: OpenTriviaResponse
        do throws(OpenTriviaResponse.Fault) {
            response = try OpenTriviaResponse(utf8Text(of: bytes).span, encoding: encoding)
        } catch {
            throw .field("file", "\(error.words) Nothing was stored.")
        }
        if let problem = response.code.problem { throw problem }
        var result = FactImport()
        for index in response.unread {
            result.refuse(
                index + 1, LocalizedText("has no text, no answer, no difficulty or another encoding"), limits)
        }
        let read = (0..<response.questions.count + response.unread.count).filter { !response.unread.contains($0) }
        for (index, question) in zip(read, response.questions) {
            result.add(question.fields, row: index + 1, .openTrivia, limits)
        }
        return result
    }

    /// Stores what could be taken, all of it or nothing.
    ///
    /// - Returns: how many are new.
    /// - Throws: a 409 problem where there would be too many.
    func store(household: String, now: Int64, _ limits: ToyLimits, _ db: Database) throws -> Int {
        let stored = try FactRecord.filter(sql: "household = ?", arguments: [household]).fetchCount(db)
        guard stored + facts.count <= limits.facts else {
            throw Problem(
                .conflict, "No room",
                "The household has \(stored) facts, and there may be \(limits.facts). Nothing was stored.")
        }
        return try facts.count { try $0.store(household: household, now: now, db) }
    }
}
