import HubKit
import Localization

extension TriviaToy {
    /// The companion's tables and sounds in the archive of a household's data.
    public static var archivePart: ArchivePart {
        ArchivePart(
            tables: [
                "toy_fact", "toy_pack", "toy_fact_kind", "toy_listener", "toy_queue", "toy_heard", "toy_play",
                "toy_vote", "toy_vote_withdrawn",
                "toy_settings", "toy_rules", ArchivedTable("toy_original_user", secrets: ["password": .unknowable]),
                "toy_fetched", "toy_registration", "toy_device", "toy_status", "toy_report", "toy_device_vote",
                "toy_sent", "toy_message",
                ArchivedTable(
                    "toy_message_sound",
                    file: .init("wave") { row in "messages/message-\(row["message"] as Int64).wav" }),
                "toy_message_play",
            ],
            leftOut: [
                LeftOutTables(
                    ["toy_pairing"],
                    LocalizedText("Codes with which a toy joins the household, which hold for minutes."))
            ],
            words: [
                LocalizedText(
                    "toy: the facts, when each was heard by whom, and who voted for or against which, as tables (CSV). Messages that somebody recorded are WAVE files. Times are milliseconds since 1970 in UTC."
                )
            ])
    }

    /// Adds facts, plays, votes and messages to the archive as tables.
    public static func addReadableFiles(to files: ReadableFiles) throws {
        if files.onlyPerson == nil {
            try files.addTable(
                "facts.csv",
                sql: """
                    SELECT id AS fact, language, text, source_title AS source, source_url AS address, origin,
                        youngest_age AS "from age (years)", upvotes AS "votes for", downvotes AS "votes against"
                    FROM toy_fact ORDER BY id
                    """)
        }
        try files.addTable(
            "plays.csv",
            sql: """
                SELECT at AS "time (ms since 1970, UTC)", person.name AS person, device, fact, ending
                FROM toy_play JOIN toy_listener ON toy_listener.id = listener LEFT JOIN person ON person.id = person
                WHERE ?1 IS NULL OR person.id = ?1 ORDER BY toy_play.id
                """, arguments: [files.onlyPerson])
        try files.addTable(
            "votes.csv",
            sql: """
                SELECT at AS "time (ms since 1970, UTC)", person.name AS person, fact, vote AS "vote (1 for, -1 against)"
                FROM toy_vote JOIN toy_listener ON toy_listener.id = listener LEFT JOIN person ON person.id = person
                WHERE ?1 IS NULL OR person.id = ?1 ORDER BY at, fact
                """, arguments: [files.onlyPerson])
        try files.addTable(
            "messages.csv",
            sql: """
                SELECT toy_message.id AS "message (names its sound)", person.name AS "for", title AS "from",
                    milliseconds AS "length (ms)", toy_message.created_at AS "recorded (ms since 1970, UTC)",
                    heard_at AS "heard (ms since 1970, UTC)"
                FROM toy_message JOIN person ON person.id = person
                WHERE ?1 IS NULL OR person.id = ?1 ORDER BY toy_message.id
                """, arguments: [files.onlyPerson])
    }
}
