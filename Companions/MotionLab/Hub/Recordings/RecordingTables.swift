import Storage

/// The tables of recordings, beside the platform's sessions and sample streams, which have the samples.
enum RecordingTables {
    static let migration = Migration("lab-001") { db in
        try db.execute(
            sql: """
                -- What was recorded. Of a page or a file the samples are in the session of the same id, of an app in the
                -- streams of its phone between the two times, UTC microseconds by the phone's clock.
                CREATE TABLE lab_recording(
                    household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
                    person TEXT REFERENCES person ON DELETE CASCADE, device TEXT, origin TEXT NOT NULL,
                    day INTEGER NOT NULL, start_microseconds INTEGER NOT NULL, end_microseconds INTEGER NOT NULL,
                    name TEXT NOT NULL, experiment TEXT NOT NULL, streams TEXT NOT NULL, samples INTEGER NOT NULL,
                    is_ended INTEGER NOT NULL, clock_offset INTEGER, clock_uncertainty INTEGER,
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
                -- In which units a phone sends, as was found last.
                CREATE TABLE lab_phone(device TEXT PRIMARY KEY REFERENCES device, source INTEGER NOT NULL) WITHOUT ROWID;
                """)
    }
}
