import GRDB
import HubKit
import Localization

extension Plants {
    /// The companion's tables and photos in the archive of a household's data.
    public static var archivePart: ArchivePart {
        ArchivePart(
            tables: [
                "plant", "plant_sensor", "watering", "virtual_plant", "legacy_client", "legacy_plant", "legacy_sensor",
                "legacy_deleted", "plant_care", "plant_calibration",
                ArchivedTable(
                    "plant_photo", file: .init("bytes") { row in photoName(row["entry"], type: row["type"]) }),
            ],
            words: [
                LocalizedText(
                    "plants: the plants with their limits of soil moisture in percent, waterings and entries of care as tables (CSV), and photos as they were taken. Times are milliseconds since 1970 in UTC."
                )
            ])
    }

    private static func photoName(_ entry: String, type: String) -> String {
        "photos/\(ReadableFiles.name("photo", id: entry)).\(PhotoMedia(rawValue: type)?.ending ?? "bin")"
    }

    /// Adds plants, waterings and care to the archive as tables.
    public static func addReadableFiles(to files: ReadableFiles) throws {
        if files.onlyPerson == nil {
            try files.addTable(
                "plants.csv",
                sql: """
                    SELECT id, name, place, kind, low AS "moisture from (%)", high AS "moisture to (%)",
                        fertilise_weeks AS "fertilised each (weeks)", repot_years AS "repotted each (years)",
                        created_at AS "came (ms since 1970, UTC)", removed_at AS "went (ms since 1970, UTC)"
                    FROM plant ORDER BY created_at, id
                    """)
        }
        try files.addTable(
            "waterings.csv",
            sql: """
                SELECT at AS "time (ms since 1970, UTC)", plant.name AS plant, "by", person.name AS person,
                    level_before AS "moisture before (%)", level_after AS "moisture after (%)",
                    undone_at AS "taken back (ms since 1970, UTC)"
                FROM watering JOIN plant ON plant.id = plant LEFT JOIN person ON person.id = person
                WHERE ?1 IS NULL OR person.id = ?1 ORDER BY at
                """, arguments: [files.onlyPerson])
        try files.addTable(
            "care.csv",
            sql: """
                SELECT at AS "time (ms since 1970, UTC)", plant.name AS plant, what, note, person.name AS person,
                    plant_care.id AS "entry (names its photo)", undone_at AS "taken back (ms since 1970, UTC)"
                FROM plant_care JOIN plant ON plant.id = plant LEFT JOIN person ON person.id = person
                WHERE ?1 IS NULL OR person.id = ?1 ORDER BY at
                """, arguments: [files.onlyPerson])
    }
}

extension PhotoMedia {
    /// The ending of a file's name.
    fileprivate var ending: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        }
    }
}
