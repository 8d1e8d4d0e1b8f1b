extension Schema {
    /// The table of devices.
    static let devices = """
        CREATE TABLE device(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, kind TEXT NOT NULL, name TEXT NOT NULL,
            token_hash BLOB NOT NULL, is_virtual INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
            -- A removed device keeps its readings and loses its voice.
            removed_at INTEGER,
            -- How often it sent what could not be understood, and the last of that.
            error_count INTEGER NOT NULL DEFAULT 0, error_at INTEGER, error_topic TEXT, error_message TEXT);
        """

    /// The tables of readings, in blocks and in the journal, and of their summaries. All times are UTC milliseconds.
    static let readings = """
        CREATE TABLE series(
            id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            device TEXT NOT NULL REFERENCES device, quantity TEXT NOT NULL, unit TEXT,
            -- Readings before it are stored no longer, and not taken again.
            expired_to INTEGER NOT NULL DEFAULT 0, UNIQUE(device, quantity));
        CREATE INDEX series_expired ON series(id, expired_to) WHERE expired_to > 0;
        CREATE TABLE reading(
            series INTEGER NOT NULL, at INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY(series, at)) WITHOUT ROWID;
        -- What the readings of a stretch come to, `span` milliseconds long: a minute, an hour or a day.
        CREATE TABLE rollup(
            series INTEGER NOT NULL, span INTEGER NOT NULL, start INTEGER NOT NULL, n INTEGER NOT NULL,
            low REAL NOT NULL, high REAL NOT NULL, sum REAL NOT NULL, PRIMARY KEY(series, span, start)) WITHOUT ROWID;
        -- Readings that are some days old, many in a row. What they come to by the minute is in no rollup, but is worked
        -- out of them; so it is by the hour where has_hours is 0. By the day rollups count all that was ever stored.
        CREATE TABLE reading_block(
            id INTEGER PRIMARY KEY, series INTEGER NOT NULL REFERENCES series,
            -- The stretch of time that it is of, whole minutes, without `until` itself; no two of a series overlap.
            start INTEGER NOT NULL, until INTEGER NOT NULL,
            -- The times of its first and last reading, and how many it has.
            first INTEGER NOT NULL, last INTEGER NOT NULL, n INTEGER NOT NULL,
            has_hours INTEGER NOT NULL, content BLOB NOT NULL);
        -- Says where blocks lie without a look at what is in them.
        CREATE UNIQUE INDEX reading_block_place ON reading_block(series, start, until, first, last, n, has_hours);
        CREATE INDEX reading_block_without_hours ON reading_block(series, start, until) WHERE has_hours = 0;
        -- Some stretches of time, which do not touch: no block of any series lies outside of them, so that who stores what
        -- was measured there looks for none.
        CREATE TABLE reading_sealed(start INTEGER PRIMARY KEY, until INTEGER NOT NULL);
        -- Readings that are stored and not in their rows yet, as `JournaledReadings` has them, in the order of their ids.
        CREATE TABLE reading_journal(id INTEGER PRIMARY KEY, readings BLOB NOT NULL);
        -- At most one row. Of all readings up to the journal's row `last`, ordered by series and else as they came, the
        -- first `moved` are in their rows.
        CREATE TABLE reading_journal_run(last INTEGER NOT NULL, moved INTEGER NOT NULL);
        """
}
