import HubKit
import Storage

/// The tables of this companion, beside the platform's sessions and sample streams, which have the samples.
enum LabTables {
    /// The first is the schema of 0.1.0: what changes is a further migration.
    static let migrations = [
        Migration("lab-0.1.0") { db in
            try db.execute(sql: recordings)
            try db.execute(sql: classes)
        },
        Migration("lab-0.1.0-content") { db in
            try SealedContent.rewrite(RecordingDefinition(), db)
            try GuestContentMigration.apply(db)
        },
    ]

    private static let recordings = """
        -- What was recorded. Of a page or a file the samples are in the session of the same id, of an app in the
        -- streams of its phone between the two times, UTC microseconds by the phone's clock.
        CREATE TABLE lab_recording(
            household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
            person TEXT REFERENCES person ON DELETE CASCADE, device TEXT, origin TEXT NOT NULL,
            day INTEGER NOT NULL, start_microseconds INTEGER NOT NULL, end_microseconds INTEGER NOT NULL,
            name TEXT NOT NULL, experiment TEXT NOT NULL, streams TEXT NOT NULL, samples INTEGER NOT NULL,
            is_ended INTEGER NOT NULL,
            -- How the phone's clock stands to the hub's, microseconds; NULL where nobody knows.
            clock_offset INTEGER, clock_uncertainty INTEGER,
            -- Of an app's messages.
            messages INTEGER NOT NULL, repeated_messages INTEGER NOT NULL, missing_messages INTEGER NOT NULL,
            refused_samples INTEGER NOT NULL, reordered_samples INTEGER NOT NULL,
            PRIMARY KEY(household, id)) WITHOUT ROWID;
        CREATE INDEX lab_recording_start ON lab_recording(household, start_microseconds);
        CREATE INDEX lab_recording_day ON lab_recording(person, day);
        -- What somebody called a recording afterwards, which goes before the name that is in it.
        CREATE TABLE lab_name(
            household TEXT NOT NULL, recording TEXT NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY(household, recording),
            FOREIGN KEY(household, recording) REFERENCES lab_recording ON DELETE CASCADE) WITHOUT ROWID;
        -- What somebody wrote down, in the app or afterwards. Those of a page's are in its bytes too.
        CREATE TABLE lab_annotation(
            household TEXT NOT NULL, recording TEXT NOT NULL, at_microseconds INTEGER NOT NULL,
            text TEXT NOT NULL, PRIMARY KEY(household, recording, at_microseconds, text),
            FOREIGN KEY(household, recording) REFERENCES lab_recording ON DELETE CASCADE) WITHOUT ROWID;
        -- Removed recordings: who did it, and when, UTC milliseconds. What an app sends of one again is not stored.
        CREATE TABLE lab_removed(
            household TEXT NOT NULL REFERENCES household, recording TEXT NOT NULL, removed_at INTEGER NOT NULL,
            removed_by TEXT NOT NULL, PRIMARY KEY(household, recording)) WITHOUT ROWID;
        -- In which units a phone sends, as was found last.
        CREATE TABLE lab_phone(device TEXT PRIMARY KEY REFERENCES device, source INTEGER NOT NULL) WITHOUT ROWID;
        -- A household's own experiment files, as they were written, beside the five that are built in.
        CREATE TABLE lab_experiment(
            household TEXT NOT NULL REFERENCES household, slug TEXT NOT NULL, file TEXT NOT NULL,
            changed_at INTEGER NOT NULL, PRIMARY KEY(household, slug)) WITHOUT ROWID;
        """

    /// The classes, whose guests have no account. Times are UTC milliseconds by the hub's clock.
    private static let classes = """
        CREATE TABLE lab_class(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
            experiment TEXT NOT NULL, sensors TEXT NOT NULL, hertz REAL NOT NULL, seconds INTEGER NOT NULL,
            -- The code that the QR code leads to: hashed, and nobody joins without.
            code_hash BLOB NOT NULL UNIQUE, code_ends_at INTEGER NOT NULL,
            opened_at INTEGER NOT NULL, ends_at INTEGER NOT NULL,
            run INTEGER NOT NULL, run_starts_at INTEGER NOT NULL, run_ends_at INTEGER NOT NULL,
            version INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX lab_class_opened ON lab_class(household, opened_at);
        -- Whoever joined one. A guest who was sent away has no token any more.
        CREATE TABLE lab_guest(
            id TEXT PRIMARY KEY, in_class TEXT NOT NULL REFERENCES lab_class ON DELETE CASCADE,
            number INTEGER NOT NULL, name TEXT, token_hash BLOB UNIQUE, joined_at INTEGER NOT NULL,
            UNIQUE(in_class, number)) WITHOUT ROWID;
        -- What has come of a recording that goes on.
        CREATE TABLE lab_guest_chunk(
            guest TEXT NOT NULL REFERENCES lab_guest ON DELETE CASCADE, run INTEGER NOT NULL,
            -- Of its first byte in the recording.
            start INTEGER NOT NULL,
            content BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(guest, run, start)) WITHOUT ROWID;
        -- A recording that is whole.
        CREATE TABLE lab_guest_recording(
            household TEXT NOT NULL, recording TEXT NOT NULL,
            in_class TEXT NOT NULL REFERENCES lab_class, guest TEXT NOT NULL REFERENCES lab_guest,
            run INTEGER NOT NULL, content BLOB NOT NULL,
            PRIMARY KEY(household, recording), UNIQUE(guest, run),
            FOREIGN KEY(household, recording) REFERENCES lab_recording ON DELETE CASCADE) WITHOUT ROWID;
        """
}
