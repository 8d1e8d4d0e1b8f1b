extension Schema {
    /// The tables of streams: samples that a device sends many a second. All times are UTC microseconds.
    static let streams = """
        CREATE TABLE stream(
            id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            device TEXT NOT NULL REFERENCES device, name TEXT NOT NULL, axis_count INTEGER NOT NULL,
            -- A longer pause is a gap, microseconds.
            gap INTEGER NOT NULL,
            -- Samples before it are stored no longer, and not taken again.
            expired_to INTEGER NOT NULL DEFAULT 0, UNIQUE(device, name));
        -- No two of a stream overlap, and none has a gap in it. The index says where they lie without the samples.
        CREATE TABLE stream_block(
            id INTEGER PRIMARY KEY, stream INTEGER NOT NULL REFERENCES stream, first INTEGER NOT NULL,
            last INTEGER NOT NULL, n INTEGER NOT NULL, content BLOB NOT NULL);
        CREATE UNIQUE INDEX stream_block_place ON stream_block(stream, first, last, n);
        CREATE TABLE stream_summary(
            stream INTEGER NOT NULL REFERENCES stream, width INTEGER NOT NULL, start INTEGER NOT NULL,
            content BLOB NOT NULL, PRIMARY KEY(stream, width, start)) WITHOUT ROWID;
        """
}
