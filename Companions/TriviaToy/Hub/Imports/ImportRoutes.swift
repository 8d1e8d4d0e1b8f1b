import HubKit
import Localization
import NIOCore
import TriviaToyEngine

/// The routes by which a household brings facts of its own.
struct ImportRoutes: Sendable {
    let toy: TriviaToy

    func add(to routes: Routes) {
        let (toy, limits) = (toy, toy.limits)
        routes.post(
            "/api/toy/imports", .adult,
            "Adds facts: a table (CSV, Excel’s .xlsx, LibreOffice’s .ods, or one in a ZIP file), a list (JSON), or an answer of Open Trivia DB. Rows that cannot be taken are named, the others stored. Takes an Idempotency-Key.",
            query: [.format, .encoding], media: "application/octet-stream"
        ) { request in
            let bytes = Array(
                buffer: try await request.bytes(
                    upTo: limits.importBytes,
                    otherwise: Problem(
                        .contentTooLarge, "Too large",
                        "The hub reads files of at most \(limits.importBytes / 1_024) KB. Nothing was stored.",
                        field: "file")))
            let household = try request.member.household
            try await toy.prepare(household)
            let (format, encoding) = (try request.importFormat(), try request.openTriviaEncoding())
            // Read before the transaction, which others wait for.
            let read = Result { () throws(Problem) in
                switch format {
                case .csv: try FactImport.table(bytes, limits)
                case .json: try FactImport.list(bytes, limits)
                case .openTrivia: try FactImport.openTrivia(bytes, encoding: encoding.engine, limits)
                }
            }
            let now = request.hub.clock.now()
            return try await request.idempotently { db in
                let facts = try read.get()
                let added = try facts.store(household: household, now: now, limits, db)
                toy.hub.live.publish(changed: "facts", of: TriviaToy.self, household: household, after: db)
                return try .json(ImportResponse(facts, added: added, in: request.localized))
            }
        }
        routes.post(
            "/api/toy/imports/open-trivia", .adult, "Asks Open Trivia DB for questions, and adds them.",
            takes: OpenTriviaRequest.self
        ) { request, input in
            let household = try request.member.household
            try await toy.prepare(household)
            let facts = try await input.send(request.hub, household: household, limits)
            let now = request.hub.clock.now()
            let added = try await request.hub.database.pool.write { db in
                toy.hub.live.publish(changed: "facts", of: TriviaToy.self, household: household, after: db)
                return try facts.store(household: household, now: now, limits, db)
            }
            return try .json(ImportResponse(facts, added: added, in: request.localized))
        }
    }
}

/// The format of a file that is imported.
private enum ImportFormat: String, CaseIterable { case csv, json, openTrivia }

/// The way in which Open Trivia DB writes its texts, as its `encode` is called.
private enum EncodingName: String, CaseIterable {
    case none, urlLegacy, url3986, base64

    var engine: OpenTriviaResponse.Encoding {
        switch self {
        case .none: .none
        case .urlLegacy: .urlLegacy
        case .url3986: .url3986
        case .base64: .base64
        }
    }
}

/// The outcome of an import.
private struct ImportResponse: Codable {
    /// The numbers of facts that are new, that were there already, and that were refused.
    var added, known, refused: Int
    /// The first of the refused.
    var faults: [RowFault]

    /// A row, or an entry of a list, that was left out, with the reason in a sentence.
    struct RowFault: Codable {
        var row: Int
        var reason: String
    }

    init(_ facts: FactImport, added: Int, in localized: Localizer) {
        self.added = added
        known = facts.facts.count - added
        refused = facts.refused
        faults = facts.faults.map { RowFault(row: $0.row, reason: localized.string($0.reason)) }
    }
}

extension APIRequest {
    fileprivate func importFormat() throws -> ImportFormat {
        guard let format = query(.format).flatMap({ ImportFormat(rawValue: $0) }) else {
            throw Problem.field("format", "The format is csv, json or openTrivia.")
        }
        return format
    }

    fileprivate func openTriviaEncoding() throws -> EncodingName {
        guard let text = query(.encoding) else { return .none }
        guard let encoding = EncodingName(rawValue: text) else {
            throw Problem.field("encoding", "The encoding is none, urlLegacy, url3986 or base64.")
        }
        return encoding
    }
}

extension QueryParameter {
    fileprivate static let format = QueryParameter(
        "format", "What the file is.", values: ImportFormat.allCases.map(\.rawValue), isRequired: true)
    fileprivate static let encoding = QueryParameter(
        "encoding", "How Open Trivia DB wrote its texts; none where it is left out.",
        values: EncodingName.allCases.map(\.rawValue))
}
