import GRDB
import Storage

/// The household's own songs; those that come with Tandem are in the executable.
enum SongTables {
    static let migration = Migration("drums-002") { db in
        try db.execute(
            sql: """
                CREATE TABLE drums_song(
                    id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, title TEXT NOT NULL,
                    -- In the engine's codec; NULL for a recording whose tempo nobody has tapped yet.
                    content BLOB,
                    -- Of a recording, which lies in the data folder as songs/<id>: its media type and its size.
                    audio_type TEXT, audio_bytes INTEGER,
                    -- How long it is, as a browser said.
                    audio_milliseconds INTEGER,
                    created_at INTEGER NOT NULL, created_by TEXT REFERENCES person ON DELETE SET NULL) WITHOUT ROWID;
                CREATE INDEX drums_song_of ON drums_song(household, created_at);
                """)
    }
}
