import Foundation
import HubKit
import Storage

/// A file of all sessions of a person. Columns are added, never changed or taken away.
struct ExportedDrums: Sendable {
    enum Format: String, FileMedia, Sendable {
        /// The original's `sessiondata.plist`.
        case plist
        /// A row a beat.
        case csv
        /// The hub's whole record, with the events.
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

    let person: PersonRecord
    let household: HouseholdRecord

    /// Reads all of them, plays them through, and writes the file. It blocks its thread.
    ///
    /// - Parameters:
    ///   - isBinary: of a property list; XML without.
    ///   - form: of a table.
    ///   - now: UTC milliseconds.
    func file(
        _ format: Format, isBinary: Bool, form: TableForm = .plain, now: Int64, in database: HubDatabase
    ) throws -> Data {
        let export = SessionExport(DrumSessionDefinition())
        switch format {
        case .plist:
            let originals = try export.sessions(of: person.id, in: database) { stored in
                stored.session.map { OriginalSession($0.session) }
            }
            return try SessionDataFile.write(originals, isBinary: isBinary)
        case .csv:
            let reports = try database.pool.read { db in try SessionSelfReports.all(of: person.id, db) }
            var table = TableWriter(form)
            BeatTable.addHeader(to: &table)
            _ = try export.sessions(of: person.id, in: database) { stored in
                if let session = stored.session?.session {
                    BeatTable.addRows(
                        of: session, DrumSessionResponse(stored), by: person.name, reports: reports[stored.record.id],
                        to: &table)
                }
                return Never?.none
            }
            return Data(table.take())
        case .json: return try export.json(of: person, household, now: now, in: database)
        }
    }
}
