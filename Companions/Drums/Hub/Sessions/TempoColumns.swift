import GRDB
import Storage

/// How fast songs are played: as somebody chose it, as a plan says it, and as it was.
enum TempoColumns {
    static let migration = Migration("drums-006") { db in
        try db.execute(
            sql: """
                -- Percent of a song's own tempo. Until now every song was played as it is written.
                ALTER TABLE drums_session ADD COLUMN tempo_percent INTEGER NOT NULL DEFAULT 100;
                ALTER TABLE drums_settings ADD COLUMN tempo_percent INTEGER NOT NULL DEFAULT 100;
                -- NULL where the plan leaves it to the settings.
                ALTER TABLE drums_plan ADD COLUMN tempo_percent INTEGER;
                """)
    }
}
