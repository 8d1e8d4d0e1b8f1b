import HubKit
import Storage

/// The tables of this companion, beside the platform's own `session` with the events.
///
/// In all of them `_at` is UTC milliseconds, a day is counted from 1 January 1970, `tenths` are of milliseconds (of
/// forces, of a unit), and `tempo_percent` is of a song's own tempo.
enum DrumsTables {
    /// The first is the schema of 0.1.0: what changes is a further migration.
    static let migrations = [
        Migration("drums-0.1.0") { db in
            for tables in [results, songs, settings, goals] { try db.execute(sql: tables) }
        },
        Migration("drums-0.1.0-content") { db in
            try SealedContent.rewrite(DrumSessionDefinition(), db)
        },
        Migration("drums-played") { db in
            // The beats that charts are made of (PlayedBeats); NULL for sessions of before, which are replayed.
            try db.execute(sql: "ALTER TABLE drums_session ADD COLUMN played BLOB")
        },
    ]

    private static let results = """
        -- What the engine made of a session's events when they came, on the local day of that time: who moves
        -- later has practised on the same days all the same.
        CREATE TABLE drums_session(
            household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, day INTEGER NOT NULL,
            minute INTEGER NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL, song_id TEXT NOT NULL, song_title TEXT NOT NULL,
            level INTEGER NOT NULL, mode TEXT NOT NULL, hands TEXT NOT NULL, link TEXT NOT NULL,
            tempo_percent INTEGER NOT NULL,
            beats INTEGER NOT NULL, judged INTEGER NOT NULL, answered INTEGER NOT NULL, right INTEGER NOT NULL,
            -- Whose clock measured the reactions that are told.
            reaction_clock TEXT,
            reaction_count INTEGER NOT NULL, reaction_lower_tenths INTEGER, reaction_median_tenths INTEGER,
            reaction_upper_tenths INTEGER, force_count INTEGER NOT NULL, force_lower_tenths INTEGER,
            force_median_tenths INTEGER, force_upper_tenths INTEGER, latency_count INTEGER NOT NULL,
            latency_lower_tenths INTEGER, latency_median_tenths INTEGER, latency_upper_tenths INTEGER,
            implausible INTEGER NOT NULL, waits INTEGER NOT NULL, lost_milliseconds INTEGER NOT NULL,
            stray INTEGER NOT NULL,
            -- How late the hits of flow mode were, four bytes each.
            timing BLOB NOT NULL,
            "end" TEXT NOT NULL, is_closed_by_hub INTEGER NOT NULL,
            -- Of a song that two devices went on with: the session that it shares its beginning with, and how many events
            -- and beats that is. The numbers of such a session are those after it.
            fork_of TEXT, fork_events INTEGER, fork_beats INTEGER NOT NULL,
            PRIMARY KEY(household, id),
            FOREIGN KEY(household, id) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
        CREATE INDEX drums_session_day ON drums_session(person, day, started_at);
        -- What somebody said before and after a song, 0 to 10; NULL where it was not asked for or not said. It may
        -- come before the session does.
        CREATE TABLE drums_self_report(
            household TEXT NOT NULL REFERENCES household, session TEXT NOT NULL, moment TEXT NOT NULL,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, at INTEGER NOT NULL,
            effort INTEGER, pain INTEGER, PRIMARY KEY(household, session, moment)) WITHOUT ROWID;
        CREATE INDEX drums_self_report_person ON drums_self_report(person, at);
        """

    /// The household's own songs; those that come with Tandem are in the executable.
    private static let songs = """
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
        """

    /// The settings of each person's practice. They are deleted with the person.
    private static let settings = """
        CREATE TABLE drums_settings(
            person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            household TEXT NOT NULL REFERENCES household,
            -- Bit n is drum n.
            drums INTEGER NOT NULL, level INTEGER NOT NULL, mode TEXT NOT NULL, hands TEXT NOT NULL,
            tempo_percent INTEGER NOT NULL,
            -- NULL while nobody has said.
            affected_side TEXT,
            count_in INTEGER NOT NULL, has_song INTEGER NOT NULL, has_metronome INTEGER NOT NULL,
            has_hits INTEGER NOT NULL, link TEXT NOT NULL, device TEXT) WITHOUT ROWID;
        -- What tapping along found of a link and of the device that was tapped on, which its sign-in stands for.
        CREATE TABLE drums_latency(
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, link TEXT NOT NULL,
            sign_in TEXT NOT NULL REFERENCES sign_in ON DELETE CASCADE,
            household TEXT NOT NULL REFERENCES household, tenths INTEGER NOT NULL,
            lower_tenths INTEGER NOT NULL, upper_tenths INTEGER NOT NULL, taps INTEGER NOT NULL,
            measured_at INTEGER NOT NULL, PRIMARY KEY(person, link, sign_in)) WITHOUT ROWID;
        -- A plan holds from its day to that of the next; one of no minutes ends it. What was planned then is what
        -- practice then is compared with.
        CREATE TABLE drums_plan(
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, from_day INTEGER NOT NULL,
            household TEXT NOT NULL REFERENCES household, set_by TEXT NOT NULL,
            minutes_per_week INTEGER NOT NULL, level INTEGER, drums INTEGER,
            -- NULL where the plan leaves it to the settings.
            tempo_percent INTEGER,
            -- Identifiers, a line each.
            songs TEXT NOT NULL, is_only_songs INTEGER NOT NULL,
            minutes_per_session INTEGER, minutes_per_day INTEGER, below_percent INTEGER, beats INTEGER NOT NULL,
            asks_effort INTEGER NOT NULL, asks_pain INTEGER NOT NULL,
            -- From this pain on the page says to stop; NULL for no such limit.
            pain_limit INTEGER,
            note TEXT, PRIMARY KEY(person, from_day)) WITHOUT ROWID;
        """

    /// The goals in the child's own words, and scores that a clinic measured: typed in, and computed from nothing here.
    private static let goals = """
        CREATE TABLE drums_goal(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, text TEXT NOT NULL, state TEXT NOT NULL,
            created_at INTEGER NOT NULL, reached_at INTEGER) WITHOUT ROWID;
        CREATE INDEX drums_goal_person ON drums_goal(person, created_at);
        -- What is measured for each goal names it; what is measured for each hand, the side. A second value is COPM's
        -- satisfaction. What was removed can be put back.
        CREATE TABLE drums_clinic_score(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, measure TEXT NOT NULL, day INTEGER NOT NULL,
            side TEXT, goal TEXT REFERENCES drums_goal ON DELETE CASCADE, value INTEGER NOT NULL,
            satisfaction INTEGER, created_at INTEGER NOT NULL, removed_at INTEGER) WITHOUT ROWID;
        CREATE INDEX drums_clinic_score_person ON drums_clinic_score(person, day);
        """
}
