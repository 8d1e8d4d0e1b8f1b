import GRDB

/// The tables of the platform. Every row belongs to a household, the key by which it would be partitioned.
enum Schema {
    static let migrations = [
        Migration("hub-001") { db in
            try db.execute(
                sql: """
                    CREATE TABLE household(
                        id TEXT PRIMARY KEY, name TEXT NOT NULL, time_zone TEXT NOT NULL, created_at INTEGER NOT NULL,
                        is_demo INTEGER NOT NULL DEFAULT 0);
                    CREATE TABLE person(
                        id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
                        role TEXT NOT NULL CHECK(role IN ('adult', 'child')), email TEXT UNIQUE COLLATE NOCASE,
                        password BLOB, face TEXT, birth_year INTEGER, created_at INTEGER NOT NULL);
                    CREATE TABLE sign_in(
                        id TEXT PRIMARY KEY, token_hash BLOB NOT NULL UNIQUE, person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
                        profile TEXT NOT NULL REFERENCES person ON DELETE CASCADE, agent TEXT NOT NULL,
                        created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL);
                    CREATE TABLE invitation(
                        code_hash BLOB PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
                        inviter TEXT NOT NULL REFERENCES person ON DELETE CASCADE, expires_at INTEGER NOT NULL);
                    CREATE TABLE device(
                        id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, kind TEXT NOT NULL, name TEXT NOT NULL,
                        token_hash BLOB NOT NULL, is_virtual INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
                        removed_at INTEGER, error_count INTEGER NOT NULL DEFAULT 0, error_at INTEGER, error_topic TEXT,
                        error_message TEXT);
                    CREATE TABLE integration(
                        id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
                        token_hash BLOB NOT NULL, filters TEXT NOT NULL, created_at INTEGER NOT NULL);
                    CREATE TABLE series(
                        id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
                        device TEXT NOT NULL REFERENCES device, quantity TEXT NOT NULL, unit TEXT, UNIQUE(device, quantity));
                    CREATE TABLE reading(
                        series INTEGER NOT NULL, at INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY(series, at)) WITHOUT ROWID;
                    CREATE TABLE rollup(
                        series INTEGER NOT NULL, span INTEGER NOT NULL, start INTEGER NOT NULL, n INTEGER NOT NULL,
                        low REAL NOT NULL, high REAL NOT NULL, sum REAL NOT NULL, PRIMARY KEY(series, span, start)) WITHOUT ROWID;
                    CREATE TABLE mqtt_retained(
                        topic TEXT PRIMARY KEY, payload BLOB NOT NULL, qos INTEGER NOT NULL, publisher TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE mqtt_session(
                        id INTEGER PRIMARY KEY, principal TEXT NOT NULL, client TEXT NOT NULL, UNIQUE(principal, client));
                    CREATE TABLE mqtt_subscription(
                        session INTEGER NOT NULL REFERENCES mqtt_session ON DELETE CASCADE, filter TEXT NOT NULL,
                        qos INTEGER NOT NULL, PRIMARY KEY(session, filter)) WITHOUT ROWID;
                    CREATE TABLE mqtt_queue(
                        session INTEGER NOT NULL REFERENCES mqtt_session ON DELETE CASCADE, sequence INTEGER NOT NULL,
                        topic TEXT NOT NULL, payload BLOB NOT NULL, qos INTEGER NOT NULL, publisher TEXT NOT NULL,
                        PRIMARY KEY(session, sequence)) WITHOUT ROWID;
                    """)
        },
        Migration("hub-002") { db in
            try db.execute(
                sql: """
                    -- Where the first run goes on after a break; NULL when it is finished.
                    ALTER TABLE household ADD COLUMN setup_step TEXT;
                    -- The family's own device: it asks who is there.
                    ALTER TABLE sign_in ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0;
                    -- Only what somebody decided: a companion without a row is in use.
                    CREATE TABLE companion_choice(
                        household TEXT NOT NULL REFERENCES household, slug TEXT NOT NULL, is_used INTEGER NOT NULL,
                        PRIMARY KEY(household, slug)) WITHOUT ROWID;
                    -- What was answered to a request that may come again.
                    CREATE TABLE receipt(
                        household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL, digest BLOB NOT NULL,
                        status INTEGER NOT NULL, body BLOB, type TEXT NOT NULL, person TEXT, at INTEGER NOT NULL,
                        PRIMARY KEY(household, id)) WITHOUT ROWID;
                    CREATE INDEX receipt_at ON receipt(at);
                    -- What the hub remembers of itself.
                    CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    """)
        },
        sessions,
        personTimeZone,
        reminders,
        push,
        confirmations,
        accounts,
        passwordResets,
        streams,
        activeSessions,
        languages,
        readingRetention,
        mqtt5,
        reminderRules,
        mqttWills,
        readingBlocks,
        readingJournal,
        sealedStretches,
    ]
}
