import Storage

/// The tables of this companion.
///
/// In all of them `at` and `_at` are UTC milliseconds. A category is a number of `FactCategory`, a youngest age is in
/// years, a language is BCP 47.
enum ToyTables {
    /// The first is the schema of 0.1.0: what changes is a further migration.
    static let migrations = [
        Migration("toy-0.1.0") { db in
            for tables in [facts, listeners, original, toys, messages] { try db.execute(sql: tables) }
        },
        Migration("toy-0.1.0-votes") { db in try db.execute(sql: withdrawnVotes) },
    ]

    private static let withdrawnVotes = """
        -- When a listener took a vote back: an earlier vote of a toy that was away does not stand then.
        CREATE TABLE toy_vote_withdrawn(
            listener INTEGER NOT NULL REFERENCES toy_listener ON DELETE CASCADE,
            fact INTEGER NOT NULL REFERENCES toy_fact, at INTEGER NOT NULL,
            PRIMARY KEY(listener, fact)) WITHOUT ROWID;
        -- How many facts of its own card a user's toy has played, before it fetched any.
        ALTER TABLE toy_original_user ADD COLUMN card_plays INTEGER NOT NULL DEFAULT 0;
        """

    private static let facts = """
        CREATE TABLE toy_fact(
            id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            -- From where it came, and what it is called there: it comes in once.
            origin TEXT NOT NULL, key TEXT NOT NULL, language TEXT NOT NULL,
            -- The numbers of FactCategory and FactDifficulty; years.
            category INTEGER NOT NULL, difficulty INTEGER NOT NULL, youngest_age INTEGER NOT NULL,
            text TEXT NOT NULL, source_title TEXT NOT NULL, source_url TEXT,
            upvotes INTEGER NOT NULL DEFAULT 0, downvotes INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL, UNIQUE(household, language, origin, key));
        -- The version of the pack that a household has.
        CREATE TABLE toy_pack(household TEXT PRIMARY KEY REFERENCES household, digest BLOB NOT NULL)
            WITHOUT ROWID;
        -- The kinds of facts that there are, of which FactQueue asks each for its first.
        CREATE TABLE toy_fact_kind(
            household TEXT NOT NULL REFERENCES household, language TEXT NOT NULL, category INTEGER NOT NULL,
            youngest_age INTEGER NOT NULL, PRIMARY KEY(household, language, category, youngest_age))
            WITHOUT ROWID;
        """

    /// The listeners who hear facts, what they heard, and what they think of it.
    private static let listeners = """
        -- Somebody of the household, or a user of the original system.
        CREATE TABLE toy_listener(
            id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            person TEXT UNIQUE REFERENCES person ON DELETE CASCADE);
        -- Every fact of the household for every listener, in the order in which they hear it: what was never
        -- heard (0) first, better-voted sooner. The key is all of it, so that the first is one seek away.
        CREATE TABLE toy_queue(
            listener INTEGER NOT NULL REFERENCES toy_listener ON DELETE CASCADE, language TEXT NOT NULL,
            category INTEGER NOT NULL, youngest_age INTEGER NOT NULL, heard_at INTEGER NOT NULL,
            demotion INTEGER NOT NULL, shuffle INTEGER NOT NULL, fact INTEGER NOT NULL,
            PRIMARY KEY(listener, language, category, youngest_age, heard_at, demotion, shuffle, fact))
            WITHOUT ROWID;
        -- When a listener heard a fact last: with it the place in the queue is known.
        CREATE TABLE toy_heard(
            listener INTEGER NOT NULL REFERENCES toy_listener ON DELETE CASCADE, fact INTEGER NOT NULL,
            at INTEGER NOT NULL, PRIMARY KEY(listener, fact)) WITHOUT ROWID;
        CREATE TABLE toy_play(
            id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            listener INTEGER NOT NULL REFERENCES toy_listener ON DELETE CASCADE,
            fact INTEGER NOT NULL REFERENCES toy_fact, at INTEGER NOT NULL,
            -- The toy that spoke it; NULL where it was a page.
            device TEXT REFERENCES device, ending TEXT NOT NULL);
        CREATE INDEX toy_play_of ON toy_play(listener, id);
        CREATE INDEX toy_play_at ON toy_play(household, at);
        CREATE TABLE toy_vote(
            listener INTEGER NOT NULL REFERENCES toy_listener ON DELETE CASCADE,
            fact INTEGER NOT NULL REFERENCES toy_fact, vote INTEGER NOT NULL CHECK(vote IN (-1, 1)),
            at INTEGER NOT NULL, PRIMARY KEY(listener, fact)) WITHOUT ROWID;
        CREATE TABLE toy_settings(
            person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            household TEXT NOT NULL REFERENCES household,
            -- Bit n is the category n; NULL for the household's language.
            categories INTEGER NOT NULL, language TEXT) WITHOUT ROWID;
        CREATE TABLE toy_rules(
            person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            household TEXT NOT NULL REFERENCES household,
            -- Minutes of the day; both the same for none. NULL for no limit. Decibels; words a minute.
            quiet_start INTEGER NOT NULL, quiet_end INTEGER NOT NULL, daily_limit INTEGER,
            volume_cap INTEGER NOT NULL, words_per_minute INTEGER NOT NULL, voice INTEGER NOT NULL,
            speaks_without_clock INTEGER NOT NULL, uses_original_throw_rule INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// The original system's users and their toys.
    private static let original = """
        -- Identities of their own, under numbers that are hard to guess.
        CREATE TABLE toy_original_user(
            id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            listener INTEGER NOT NULL REFERENCES toy_listener, username TEXT NOT NULL,
            email TEXT NOT NULL COLLATE NOCASE, password BLOB NOT NULL, created_at INTEGER NOT NULL,
            -- Whom an adult has linked it to.
            person TEXT REFERENCES person ON DELETE SET NULL,
            -- How many facts its toy fetched, and how many of them it has played.
            fetched INTEGER NOT NULL DEFAULT 0, played INTEGER NOT NULL DEFAULT 0,
            UNIQUE(household, email));
        -- The facts that its toy has fetched, in their order, counted from 0.
        CREATE TABLE toy_fetched(
            user INTEGER NOT NULL REFERENCES toy_original_user ON DELETE CASCADE, position INTEGER NOT NULL,
            fact INTEGER NOT NULL REFERENCES toy_fact, PRIMARY KEY(user, position)) WITHOUT ROWID;
        -- Until when users of the original system may register.
        CREATE TABLE toy_registration(
            household TEXT PRIMARY KEY REFERENCES household, open_until INTEGER NOT NULL) WITHOUT ROWID;
        """

    private static let toys = """
        -- Codes with which a toy can join a household, by their hashes.
        CREATE TABLE toy_pairing(
            code_hash BLOB PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
            expires_at INTEGER NOT NULL) WITHOUT ROWID;
        -- What the hub knows of a toy: who plays with it, and who hears it where nobody does in particular.
        CREATE TABLE toy_device(
            device TEXT PRIMARY KEY REFERENCES device, household TEXT NOT NULL REFERENCES household,
            person TEXT REFERENCES person ON DELETE SET NULL,
            listener INTEGER NOT NULL REFERENCES toy_listener, twin_at INTEGER) WITHOUT ROWID;
        -- What a toy said of itself last.
        CREATE TABLE toy_status(
            device TEXT PRIMARY KEY REFERENCES device, household TEXT NOT NULL REFERENCES household,
            at INTEGER NOT NULL, battery_millivolts INTEGER NOT NULL, battery_percent INTEGER NOT NULL,
            faults INTEGER NOT NULL, stored INTEGER NOT NULL, unheard INTEGER NOT NULL,
            wanted INTEGER NOT NULL, unreported INTEGER NOT NULL, lost INTEGER NOT NULL,
            volume INTEGER NOT NULL, firmware INTEGER NOT NULL) WITHOUT ROWID;
        -- What came from a toy: each number of it is stored once, however often it is sent.
        CREATE TABLE toy_report(
            device TEXT NOT NULL REFERENCES device, sequence INTEGER NOT NULL, message BLOB NOT NULL,
            PRIMARY KEY(device, sequence, message)) WITHOUT ROWID;
        -- The number of a toy's newest vote on a fact.
        CREATE TABLE toy_device_vote(
            device TEXT NOT NULL REFERENCES device, fact INTEGER NOT NULL, sequence INTEGER NOT NULL,
            PRIMARY KEY(device, fact)) WITHOUT ROWID;
        -- The facts that a toy was sent, in their order.
        CREATE TABLE toy_sent(
            device TEXT NOT NULL REFERENCES device, fact INTEGER NOT NULL, at INTEGER NOT NULL);
        CREATE UNIQUE INDEX toy_sent_of ON toy_sent(device, fact);
        """

    /// The messages that somebody recorded.
    private static let messages = """
        CREATE TABLE toy_message(
            id INTEGER PRIMARY KEY AUTOINCREMENT, household TEXT NOT NULL REFERENCES household,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, sent_by TEXT NOT NULL,
            title TEXT NOT NULL, milliseconds INTEGER NOT NULL, created_at INTEGER NOT NULL,
            heard_at INTEGER);
        CREATE INDEX toy_message_of ON toy_message(person, id) WHERE heard_at IS NULL;
        -- Its sound, a WAVE file.
        CREATE TABLE toy_message_sound(
            message INTEGER PRIMARY KEY REFERENCES toy_message ON DELETE CASCADE, wave BLOB NOT NULL);
        -- In place of which fact of a toy a message was heard, until the toy reports its play.
        CREATE TABLE toy_message_play(
            device TEXT NOT NULL REFERENCES device, fact INTEGER NOT NULL,
            message INTEGER NOT NULL REFERENCES toy_message ON DELETE CASCADE,
            PRIMARY KEY(device, fact)) WITHOUT ROWID;
        """
}
