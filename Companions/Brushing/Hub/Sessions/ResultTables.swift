import Storage

/// The tables of what came of sessions, and of awards, beside the platform's own `session` with the events.
enum ResultTables {
    static let migration = Migration("brushing-001") { db in
        try db.execute(
            sql: """
                -- What the engine made of a session's events when they came, on the local day of that time: who moves
                -- later has brushed on the same days all the same.
                CREATE TABLE brushing_session(
                    household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, day INTEGER NOT NULL,
                    minute INTEGER NOT NULL, is_morning INTEGER NOT NULL, started_at INTEGER NOT NULL,
                    brush_milliseconds INTEGER NOT NULL, floss_milliseconds INTEGER NOT NULL,
                    rinse_milliseconds INTEGER NOT NULL, paused_milliseconds INTEGER NOT NULL, skipped INTEGER NOT NULL,
                    is_complete INTEGER NOT NULL, counts INTEGER NOT NULL, reason TEXT NOT NULL,
                    PRIMARY KEY(household, id),
                    FOREIGN KEY(household, id) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
                CREATE INDEX brushing_session_day ON brushing_session(person, day, started_at);
                -- What was given stays given, whatever is decided or delivered later.
                CREATE TABLE brushing_award(
                    household TEXT NOT NULL REFERENCES household,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, award INTEGER NOT NULL,
                    session TEXT NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(person, award),
                    FOREIGN KEY(household, session) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
                """)
    }
}
