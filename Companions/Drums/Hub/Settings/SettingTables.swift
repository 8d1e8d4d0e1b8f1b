import Storage

/// What is decided about a person's practice. Who moves out takes it along.
enum SettingTables {
    static let migration = Migration("drums-003") { db in
        try db.execute(
            sql: """
                CREATE TABLE drums_settings(
                    person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE,
                    household TEXT NOT NULL REFERENCES household,
                    -- Bit n is drum n.
                    drums INTEGER NOT NULL, level INTEGER NOT NULL, mode TEXT NOT NULL, hands TEXT NOT NULL,
                    -- NULL while nobody has said.
                    affected_side TEXT,
                    count_in INTEGER NOT NULL, has_song INTEGER NOT NULL, has_metronome INTEGER NOT NULL,
                    has_hits INTEGER NOT NULL, link TEXT NOT NULL, device TEXT) WITHOUT ROWID;
                -- What tapping along found, tenths of milliseconds, by the link.
                CREATE TABLE drums_latency(
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, link TEXT NOT NULL,
                    household TEXT NOT NULL REFERENCES household, tenths INTEGER NOT NULL,
                    lower_tenths INTEGER NOT NULL, upper_tenths INTEGER NOT NULL, taps INTEGER NOT NULL,
                    measured_at INTEGER NOT NULL, PRIMARY KEY(person, link)) WITHOUT ROWID;
                -- A plan holds from its day, since 1 January 1970, to that of the next; one of no minutes ends it. What
                -- was planned then is what practice then is compared with.
                CREATE TABLE drums_plan(
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, from_day INTEGER NOT NULL,
                    household TEXT NOT NULL REFERENCES household, set_by TEXT NOT NULL,
                    minutes_per_week INTEGER NOT NULL, level INTEGER, drums INTEGER,
                    -- Identifiers, a line each.
                    songs TEXT NOT NULL, is_only_songs INTEGER NOT NULL,
                    minutes_per_session INTEGER, minutes_per_day INTEGER, below_percent INTEGER, beats INTEGER NOT NULL,
                    note TEXT, PRIMARY KEY(person, from_day)) WITHOUT ROWID;
                """)
    }
}
