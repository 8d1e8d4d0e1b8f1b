import Foundation
import GRDB
import Storage

/// A session as the hub has it: as it was delivered, what the companion made of it then, and as today's engine plays it.
public struct StoredSession<Format: SessionFormat>: Sendable {
    public let record: SessionRecord
    /// The companion's row beside it.
    public let result: Format.StoredResult
    /// Nil where today's engine cannot read it.
    public let session: Format.Session?
}

/// How much of an export is read at once.
public struct SessionExportLimits: Sendable {
    /// The most sessions of one query.
    public var pageSessions = 200
    /// A query ends behind the session with which it has read so many bytes of events.
    public var pageBytes = 4 << 20

    public init() {}
}

/// Everything that is stored of somebody's sessions with one companion, for a file of them.
///
/// The sessions are read in pages, each of one query, and played through while no reader of the database is held. What a
/// session comes to in a file is the companion's: its ``SessionFormat/exported(_:)``, or what it makes of each.
public struct SessionExport<Format: SessionFormat>: Sendable {
    let format: Format
    let limits: SessionExportLimits

    public init(_ format: Format, limits: SessionExportLimits = SessionExportLimits()) {
        self.format = format
        self.limits = limits
    }

    /// All of somebody's sessions, the earliest first. It blocks its thread, for as long as playing them takes.
    ///
    /// - Parameters:
    ///   - person: their id.
    ///   - entry: what is made of one; nil leaves it out.
    /// - Throws: what `entry` throws, and a 404 problem for a session without its result, which the hub never stores.
    public func sessions<Entry>(
        of person: String, in database: HubDatabase, _ entry: (StoredSession<Format>) throws -> Entry?
    ) throws -> [Entry] {
        var entries: [Entry] = []
        var last: SessionRecord?
        while true {
            let page = try database.pool.read { db in try nextPage(of: person, after: last, db) }
            guard let end = page.last?.record else { return entries }
            for (record, result) in page {
                let session = try? format.session(Array(record.content))
                let stored = StoredSession<Format>(record: record, result: result, session: session)
                if let made = try entry(stored) { entries.append(made) }
            }
            last = end
        }
    }

    /// As ``sessions(of:in:_:)``, as one JSON document of the form that all companions' have. Keys are added, never changed
    /// or taken away.
    ///
    /// - Parameter now: the hub's time, UTC milliseconds.
    public func json(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, in database: HubDatabase) throws
        -> Data
    {
        let sessions = try sessions(of: person.id, in: database) { stored in
            ExportedSession(part: try format.exported(stored), content: stored.record.content)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = ExportedFile(
            companion: Format.companion, exportedAt: now,
            person: .init(id: person.id, name: person.name, timeZone: person.zone(household).identifier),
            sessions: sessions)
        return try encoder.encode(file) + Data("\n".utf8)
    }

    /// The sessions that come after one, as bytes.
    private func nextPage(of person: String, after last: SessionRecord?, _ db: Database) throws -> [(
        record: SessionRecord, result: Format.StoredResult
    )] {
        let own = try db.columns(in: SessionRecord.databaseTableName).count
        let parts = splittingRowAdapters(columnCounts: [own])
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT s.*, r.* FROM session s
                LEFT JOIN \(Format.StoredResult.databaseTableName) r ON r.household = s.household AND r.id = s.id
                WHERE s.person = ? AND s.companion = ? AND (s.started_at, s.id) > (?, ?)
                ORDER BY s.started_at, s.id LIMIT ?
                """,
            arguments: [person, Format.companion, last?.startedAt ?? .min, last?.id ?? "", limits.pageSessions],
            adapter: ScopeAdapter(["session": parts[0], "result": parts[1]]))
        var page: [(SessionRecord, Format.StoredResult)] = []
        var bytes = 0
        while bytes < limits.pageBytes, let row = try rows.next() {
            guard let session = row.scopes["session"], let result = row.scopes["result"], result.containsNonNullValue
            else { throw Problem.notFound("There is no session here. It may have been removed.") }
            let record = try SessionRecord(row: session)
            bytes += record.content.count
            page.append((record, try Format.StoredResult(row: result)))
        }
        return page
    }
}

/// The document.
private struct ExportedFile<Part: Encodable>: Encodable {
    struct Person: Encodable { var id, name, timeZone: String }

    var version = 1
    var companion: String
    /// UTC milliseconds.
    var exportedAt: Int64
    var person: Person
    /// The earliest first.
    var sessions: [ExportedSession<Part>]
}

/// What the companion says of a session, with the events as they were delivered: base64.
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
