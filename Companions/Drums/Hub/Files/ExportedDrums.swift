import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// All of somebody's sessions, as a file. Keys and columns are added, never changed or taken away.
struct ExportedDrums: Sendable {
    enum Format: String, FileMedia, Sendable {
        /// The original's `sessiondata.plist`.
        case plist
        /// A row a beat.
        case csv
        /// All that the hub has, with the events.
        case json

        var mediaType: String {
            switch self {
            case .plist: "application/x-plist"
            case .csv: "text/csv; charset=utf-8; header=present"
            case .json: "application/json"
            }
        }

        var fileName: String {
            switch self {
            case .plist: "sessiondata.plist"
            case .csv: "drums.csv"
            case .json: "drums.json"
            }
        }
    }

    /// A session, with its events as they were delivered.
    struct Stored: Sendable {
        var response: DrumSessionResponse
        var content: Data
        /// Nil where today's engine refuses the events.
        var session: DrumSession?
    }

    private struct Person: Encodable { var id, name, timeZone: String }

    private struct File: Encodable {
        var version = 1
        var companion = Drums.slug
        /// UTC milliseconds.
        var exportedAt: Int64
        var person: Person
        /// The earliest first.
        var sessions: [Entry]
    }

    private struct Entry: Encodable {
        var stored: Stored

        private enum CodingKeys: CodingKey { case content }

        func encode(to encoder: any Encoder) throws {
            if let session = stored.session {
                try SessionScore(stored.response, session).encode(to: encoder)
            } else {
                try stored.response.encode(to: encoder)
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(stored.content, forKey: .content)
        }
    }

    let person: PersonRecord
    let household: HouseholdRecord
    /// The earliest first.
    let sessions: [Stored]

    init(of person: PersonRecord, _ household: HouseholdRecord, _ db: Database) throws {
        self.person = person
        self.household = household
        sessions = try DrumSessionResponse.all(of: person.id, days: Int32.min...Int32.max, db).map { response in
            guard let record = try Sessions.find(response.id, household: household.id, db) else {
                throw Problem.notFound("session")
            }
            return Stored(
                response: response, content: record.content, session: try? DrumSession.decoded(Array(record.content)))
        }.sorted { ($0.response.startedAt, $0.response.id) < ($1.response.startedAt, $1.response.id) }
    }

    /// - Parameters:
    ///   - isBinary: of a property list; XML without.
    ///   - now: UTC milliseconds.
    func file(_ format: Format, isBinary: Bool, now: Int64) throws -> Data {
        switch format {
        case .plist:
            return try SessionDataFile.write(
                sessions.compactMap { $0.session.map { OriginalSession($0) } }, isBinary: isBinary)
        case .csv:
            return Data(BeatTable.text(sessions).utf8)
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let file = File(
                exportedAt: now,
                person: Person(id: person.id, name: person.name, timeZone: person.zone(household).identifier),
                sessions: sessions.map { Entry(stored: $0) })
            return try encoder.encode(file) + Data("\n".utf8)
        }
    }
}
