import GRDB

extension Schema {
    static let sessions = Migration("hub-003") { db in
        try db.execute(
            sql: """
                -- A person's time with a companion, as the events that it was made of.
                CREATE TABLE session(
                    household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, companion TEXT NOT NULL,
                    started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL, engine_version INTEGER NOT NULL,
                    content BLOB NOT NULL, digest BLOB NOT NULL, claim_differs INTEGER NOT NULL,
                    received_at INTEGER NOT NULL, PRIMARY KEY(household, id));
                CREATE INDEX session_person ON session(person, companion, started_at);
                """)
    }
}
