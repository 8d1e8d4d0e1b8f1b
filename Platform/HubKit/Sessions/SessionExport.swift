import Foundation
import GRDB
import Storage

/// A stored session: its record, the companion's result, and the session as the current engine replays it.
public struct StoredSession<Definition: SessionDefinition>: Sendable {
    /// The session as it was delivered.
    public let record: SessionRecord
    /// The companion's result, stored beside the record.
    public let result: Definition.StoredResult
    /// The session as the current engine replays it; nil if it cannot be read.
    public let session: Definition.Session?
}

/// The limits for reading an export in parts.
public struct SessionExportLimits: Sendable {
    /// The number of sessions in one query.
    public var pageSessions = 200
    /// The size of the events in one query, in bytes; it ends with the session that exceeds it.
    public var pageBytes = 4 << 20

    /// Creates the default limits.
    public init() {}
}

/// An export of all stored sessions of a person with one companion.
///
/// Sessions are read in pages of one query each, and replayed while no reader of the database is held. The companion
/// decides what the file says of a session, by ``SessionDefinition/exported(_:)`` or by a function.
public struct SessionExport<Definition: SessionDefinition>: Sendable {
    let definition: Definition
    let limits: SessionExportLimits

    /// Creates an export for a companion's definition.
    public init(_ definition: Definition, limits: SessionExportLimits = SessionExportLimits()) {
        self.definition = definition
        self.limits = limits
    }

    /// All sessions of a person, each converted by a function, earliest first. It blocks its thread while it replays
    /// them.
    ///
    /// - Parameters:
    ///   - person: the person's id.
    ///   - database: the hub's database.
    ///   - entry: converts one session; nil leaves it out.
    /// - Throws: the errors of `entry`, and a 404 problem for a session without a result, which the hub never stores.
    public func sessions<Entry>(
        of person: String, in database: HubDatabase, _ entry: (StoredSession<Definition>) throws -> Entry?
    ) throws -> [Entry] {
        var entries: [Entry] = []
        var last: SessionRecord?
        while true {
            let page = try database.pool.read { db in try nextPage(of: person, after: last, db) }
            guard let end = page.last?.record else { return entries }
            for (record, result) in page {
                let session = record.intactContent.flatMap { try? definition.session($0, isComplete: true) }
                let stored = StoredSession<Definition>(record: record, result: result, session: session)
                if let made = try entry(stored) { entries.append(made) }
            }
            last = end
        }
    }

    /// All sessions of a person as one JSON document, which has the same form for all companions. Later versions only
    /// add keys.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - household: the person's household.
    ///   - now: the current time, in UTC milliseconds.
    ///   - database: the hub's database.
    public func json(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, in database: HubDatabase) throws
        -> Data
    {
        let sessions = try sessions(of: person.id, in: database) { stored in
            ExportedSession(part: try definition.exported(stored), content: stored.record.content)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = ExportedFile(
            companion: Definition.companion, exportedAt: now,
            person: .init(id: person.id, name: person.name, timeZone: person.zone(household).identifier),
            sessions: sessions)
        return try encoder.encode(file) + Data("\n".utf8)
    }

    /// The sessions after another one, with their content unread.
    private func nextPage(of person: String, after last: SessionRecord?, _ db: Database) throws -> [(
        record: SessionRecord, result: Definition.StoredResult
    )] {
        let own = try db.columns(in: SessionRecord.databaseTableName).count
        let parts = splittingRowAdapters(columnCounts: [own])
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT s.*, r.* FROM session s
                LEFT JOIN \(Definition.StoredResult.databaseTableName) r ON r.household = s.household AND r.id = s.id
                WHERE s.person = ? AND s.companion = ? AND (s.started_at, s.id) > (?, ?)
                ORDER BY s.started_at, s.id LIMIT ?
                """,
            arguments: [person, Definition.companion, last?.startedAt ?? .min, last?.id ?? "", limits.pageSessions],
            adapter: ScopeAdapter(["session": parts[0], "result": parts[1]]))
        var page: [(SessionRecord, Definition.StoredResult)] = []
        var bytes = 0
        while bytes < limits.pageBytes, let row = try rows.next() {
            guard let session = row.scopes["session"], let result = row.scopes["result"], result.containsNonNullValue
            else { throw Problem.notFound("There is no session here. It may have been removed.") }
            let record = try SessionRecord(row: session)
            bytes += record.content.count
            page.append((record, try Definition.StoredResult(row: result)))
        }
        return page
    }
}

/// The JSON document of an export.
private struct ExportedFile<Part: Encodable>: Encodable {
    struct Person: Encodable { var id, name, timeZone: String }

    var version = 1
    var companion: String
    /// The time of the export, in UTC milliseconds.
    var exportedAt: Int64
    var person: Person
    /// The sessions, earliest first.
    var sessions: [ExportedSession<Part>]
}

/// The companion's description of a session, with its events as they were delivered, in base64.
private struct ExportedSession<Part: Encodable>: Encodable {
    var part: Part
    var content: Data

    private enum CodingKeys: CodingKey { case content }

    func encode(to encoder: any Encoder) throws {
        try part.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(content, forKey: .content)
    }
}
