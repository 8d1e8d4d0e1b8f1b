import GRDB

/// The tables of the platform. Every row belongs to a household, the key by which it would be partitioned.
///
/// In all of them `_at` is a moment, UTC milliseconds, and so is `at` alone where nothing else is said; a `day` is counted
/// from 1 January 1970 and a `minute` from midnight, both local; what is called `is_` or `has_` is 0 or 1.
enum Schema {
    /// The platform's migrations. The first is the schema of 0.1.0, and a file with it is opened for ever: each change is a
    /// further migration.
    static let migrations = [
        Migration("hub-0.1.0") { db in
            for tables in [
                accounts, devices, readings, streams, sessions, reminders, calendars, push, mqtt, idempotency, settings,
            ] {
                try db.execute(sql: tables)
            }
        },
        Migration("hub-0.1.0-retained") { db in try db.execute(sql: retainedReadings) },
        Migration("hub-0.2.0-adopted") { db in try db.execute(sql: adoptedSensors) },
        Migration("hub-0.2.0-channels") { db in try db.execute(sql: channels) },
        Migration("hub-0.2.0-passkeys") { db in try db.execute(sql: passkeys) },
        Migration("hub-0.2.0-firmware") { db in try db.execute(sql: firmware) },
    ]

    /// The identifier of the first migration of files from before 0.1.0, which no release wrote.
    static let unreleased = "hub-001"

    private static let settings = """
        -- What the hub remembers of itself.
        CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """
}
