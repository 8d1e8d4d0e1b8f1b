import Storage

/// The tables of sessions, beside the platform's own `session` with the events.
enum SessionTables {
    static let migration = Migration("drums-001") { db in
        try db.execute(
            sql: """
                -- What the engine made of a session's events when they came, on the local day of that time: who moves
                -- later has practised on the same days all the same. Tenths are of milliseconds, and of the force.
                CREATE TABLE drums_session(
                    household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, day INTEGER NOT NULL,
                    minute INTEGER NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
                    milliseconds INTEGER NOT NULL, song_id TEXT NOT NULL, song_title TEXT NOT NULL,
                    level INTEGER NOT NULL, mode TEXT NOT NULL, hands TEXT NOT NULL, link TEXT NOT NULL,
                    beats INTEGER NOT NULL, judged INTEGER NOT NULL, answered INTEGER NOT NULL, right INTEGER NOT NULL,
                    reaction_count INTEGER NOT NULL, reaction_lower_tenths INTEGER, reaction_median_tenths INTEGER,
                    reaction_upper_tenths INTEGER, force_count INTEGER NOT NULL, force_lower_tenths INTEGER,
                    force_median_tenths INTEGER, force_upper_tenths INTEGER, latency_count INTEGER NOT NULL,
                    latency_lower_tenths INTEGER, latency_median_tenths INTEGER, latency_upper_tenths INTEGER,
                    implausible INTEGER NOT NULL, waits INTEGER NOT NULL, lost_milliseconds INTEGER NOT NULL,
                    stray INTEGER NOT NULL, "end" TEXT NOT NULL, is_closed_by_hub INTEGER NOT NULL,
                    PRIMARY KEY(household, id),
                    FOREIGN KEY(household, id) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
                CREATE INDEX drums_session_day ON drums_session(person, day, started_at);
                -- What is being played, as far as the hub has been told: it is a session as soon as it is over, or
                -- nobody has gone on with it for long enough.
                CREATE TABLE drums_running(
                    household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, content BLOB NOT NULL,
                    sign_in TEXT NOT NULL, agent TEXT NOT NULL, started_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
                    PRIMARY KEY(household, id)) WITHOUT ROWID;
                CREATE INDEX drums_running_seen ON drums_running(seen_at);
                """)
    }
}
