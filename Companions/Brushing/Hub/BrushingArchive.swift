import HubKit
import Localization

extension Brushing {
    /// The companion's tables in the archive of a household's data.
    public static var archivePart: ArchivePart {
        ArchivePart(
            tables: [
                "brushing_session", "brushing_award", "brushing_settings", "brushing_frozen_day",
                "brushing_appointment", "brushing_brush",
            ],
            leftOut: [
                LeftOutTables(
                    ["brushing_progress"],
                    LocalizedText("How far everybody’s brushing had come month by month: it is worked out again."))
            ],
            words: [
                LocalizedText(
                    "brushing: each brushing as a row of sessions.csv, with its minutes and seconds in milliseconds, and everybody’s sessions with all that happened in them as JSON."
                )
            ])
    }

    /// Adds the sessions to the archive, as a table and as JSON.
    public static func addReadableFiles(to files: ReadableFiles) throws {
        try files.addTable(
            "sessions.csv",
            sql: """
                SELECT person.name AS person, started_at AS "started (ms since 1970, UTC)",
                    day AS "day (since 1970-01-01)", minute AS "minute of the day",
                    brush_milliseconds AS "brushed (ms)", floss_milliseconds AS "flossed (ms)",
                    rinse_milliseconds AS "rinsed (ms)", paused_milliseconds AS "paused (ms)", skipped AS "steps skipped",
                    is_complete AS "complete (1 = yes)", counts AS "counts (1 = yes)"
                FROM brushing_session JOIN person ON person.id = person
                WHERE ?1 IS NULL OR person.id = ?1 ORDER BY started_at, brushing_session.id
                """, arguments: [files.onlyPerson])
        for person in files.people {
            let json = try SessionExport(BrushingSessionDefinition()).json(
                of: person, files.household, now: files.now, in: files.database)
            try files.add("\(ReadableFiles.name(person.name, id: person.id)).json") { try $0(Array(json)) }
        }
    }
}
