extension Schema {
    /// The tables of sessions, as the events that they consist of: stored ones and active ones.
    static let sessions = """
        CREATE TABLE session(
            household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, companion TEXT NOT NULL,
            started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL, engine_version INTEGER NOT NULL,
            -- In the codec of the companion's engine, and its SHA-256.
            content BLOB NOT NULL, digest BLOB NOT NULL,
            claim_differs INTEGER NOT NULL, received_at INTEGER NOT NULL, PRIMARY KEY(household, id));
        CREATE INDEX session_person ON session(person, companion, started_at);
        -- A session that two devices went on with: the second is stored under an id of its own, beside the one
        -- that both delivered.
        CREATE TABLE session_branch(
            household TEXT NOT NULL, id TEXT NOT NULL, root TEXT NOT NULL, of TEXT NOT NULL,
            -- How many events they share.
            common INTEGER NOT NULL, PRIMARY KEY(household, id),
            FOREIGN KEY(household, id) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
        CREATE INDEX session_branch_root ON session_branch(household, root);
        -- A session that goes on, as far as the hub has it: a row of constant size, and its bytes in chunks, which
        -- are appended to and never written anew. A session of its own once it is over.
        CREATE TABLE active_session(
            household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL, companion TEXT NOT NULL,
            session TEXT NOT NULL, person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            -- Of its bytes: how many there are, and their CRC-32.
            length INTEGER NOT NULL, checksum INTEGER NOT NULL,
            changes INTEGER NOT NULL,
            sign_in TEXT NOT NULL, agent TEXT NOT NULL, started_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
            -- How often the hub tried to store it when nobody came back, when it tries again, why it could not, and
            -- since when it does not try any more but when it starts.
            tries INTEGER NOT NULL DEFAULT 0, retry_at INTEGER, reason TEXT, failed_at INTEGER,
            PRIMARY KEY(household, id)) WITHOUT ROWID;
        CREATE INDEX active_session_seen ON active_session(companion, seen_at);
        CREATE TABLE active_session_chunk(
            household TEXT NOT NULL, id TEXT NOT NULL,
            -- Of its first byte in the session.
            start INTEGER NOT NULL,
            bytes BLOB NOT NULL, PRIMARY KEY(household, id, start),
            FOREIGN KEY(household, id) REFERENCES active_session ON DELETE CASCADE);
        """
}
