import Foundation
import GRDB
import HubKit
import TriviaToyEngine
import Wire

/// Facts from a file, with what could not be taken of it.
struct FactImport: Sendable {
    /// A row, or an entry of a list, that was left out.
    struct RowFault: Codable, Equatable, Sendable {
        /// From 1 on; of a table the header is row 1.
        var row: Int
        /// In a sentence.
        var reason: String
    }

    var facts: [NewFact] = []
    /// The first of them; ``refused`` counts all.
    var faults: [RowFault] = []
    var refused = 0

    private mutating func refuse(_ row: Int, _ reason: String, _ limits: ToyLimits) {
        refused += 1
        if faults.count < limits.namedRows { faults.append(RowFault(row: row, reason: "Row \(row) \(reason).")) }
    }

    private mutating func add(_ fields: FactFields, row: Int, _ origin: FactRecord.Origin, _ limits: ToyLimits) {
        do throws(FactFields.Fault) {
            facts.append(try fields.checked(origin: origin, limits))
        } catch {
            refuse(row, error.reason, limits)
        }
    }

    /// A table whose first row names the columns: `text`, and any of `category`, `difficulty`, `age`, `language`, `source`,
    /// `url`.
    static func table(_ bytes: [UInt8], _ limits: ToyLimits) throws(Problem) -> FactImport {
        guard !TableText.isPacked(bytes) else {
            throw .field("file", "This is a packed file, as Excel saves them. Save the table as CSV, then try again.")
        }
        let rows: [(number: Int, fields: [String])]
        do throws(CSVTable.OpenQuote) {
            rows = try CSVTable.rows(bytes)
        } catch {
            throw .field(
                "file", "A quotation mark is opened and never closed before row \(error.row). Nothing was stored.")
        }
        let names = rows.first?.fields.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? []
        guard names.contains("text") else {
            throw .field(
                "file", "The first row names the columns, and one of them is called “text”. Nothing was stored.")
        }
        var result = FactImport()
        for row in rows.dropFirst() {
            func field(_ name: String) -> String? {
                names.firstIndex(of: name).flatMap { row.fields.indices.contains($0) ? row.fields[$0] : nil }
            }
            let age = field("age")?.trimmingCharacters(in: .whitespaces) ?? ""
            let years = wholeNumber(age)
            guard age.isEmpty || years != nil else {
                result.refuse(row.number, "has the age “\(age.prefix(20))”, which is no number", limits)
                continue
            }
            result.add(
                FactFields(
                    text: field("text"), category: field("category"), difficulty: field("difficulty"), age: years,
                    language: field("language"), source: field("source"), url: field("url")),
                row: row.number, .csv, limits)
        }
        return result
    }

    /// A whole number, also as spreadsheets write it: `6.0` and `6,0`.
    private static func wholeNumber(_ text: String) -> Int? {
        Int(text) ?? Double(text.replacing(",", with: ".")).flatMap { Int(exactly: $0) }
    }

    /// A list of objects with the same names.
    static func list(_ bytes: [UInt8], _ limits: ToyLimits) throws(Problem) -> FactImport {
        guard let entries = try? JSONDecoder().decode([LenientFields].self, from: Data(bytes)) else {
            throw .field("file", "The file is no JSON list of facts, such as [{\"text\": \"…\"}]. Nothing was stored.")
        }
        var result = FactImport()
        for (index, entry) in entries.enumerated() {
            if let fields = entry.fields {
                result.add(fields, row: index + 1, .json, limits)
            } else {
                result.refuse(index + 1, "is no fact: its members are texts, and its age is a number", limits)
            }
        }
        return result
    }

    /// What Open Trivia DB answers.
    static func openTrivia(_ bytes: [UInt8], encoding: OpenTriviaResponse.Encoding, _ limits: ToyLimits) throws(Problem)
        -> FactImport
    {
        let response: OpenTriviaResponse
        do throws(OpenTriviaResponse.Fault) {
            response = try OpenTriviaResponse(bytes.span, encoding: encoding)
        } catch {
            throw .field("file", "\(error.words) Nothing was stored.")
        }
        if let problem = response.code.problem { throw problem }
        var result = FactImport()
        for (index, question) in response.questions.enumerated() {
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

/// An entry of a list, which may be anything.
private struct LenientFields: Decodable {
    var fields: FactFields?

    init(from decoder: any Decoder) { fields = try? FactFields(from: decoder) }
}
