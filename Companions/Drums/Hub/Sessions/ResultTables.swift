import DrumsEngine
import Foundation
import GRDB
import Storage

/// The table of what came of sessions, beside the platform's own `session` with the events.
enum ResultTables {
    static let migration = Migration("drums-001") { db in
        try db.execute(
            sql: """
                -- What the engine made of a session's events when they came, on the local day of that time: who moves
                -- later has practised on the same days all the same. Tenths are of milliseconds, and of the force.
                CREATE TABLE drums_session(
                    household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, day INTEGER NOT NULL,
                    minute INTEGER NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
                    milliseconds INTEGER NOT NULL, song_id TEXT NOT NULL, song_title TEXT NOT NULL,
                    level INTEGER NOT NULL, mode TEXT NOT NULL, hands TEXT NOT NULL, link TEXT NOT NULL,
                    beats INTEGER NOT NULL, judged INTEGER NOT NULL, answered INTEGER NOT NULL, right INTEGER NOT NULL,
                    reaction_count INTEGER NOT NULL, reaction_lower_tenths INTEGER, reaction_median_tenths INTEGER,
                    reaction_upper_tenths INTEGER, force_count INTEGER NOT NULL, force_lower_tenths INTEGER,
                    force_median_tenths INTEGER, force_upper_tenths INTEGER, latency_count INTEGER NOT NULL,
                    latency_lower_tenths INTEGER, latency_median_tenths INTEGER, latency_upper_tenths INTEGER,
                    implausible INTEGER NOT NULL, waits INTEGER NOT NULL, lost_milliseconds INTEGER NOT NULL,
                    stray INTEGER NOT NULL, "end" TEXT NOT NULL, is_closed_by_hub INTEGER NOT NULL,
                    PRIMARY KEY(household, id),
                    FOREIGN KEY(household, id) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
                CREATE INDEX drums_session_day ON drums_session(person, day, started_at);
                -- What is being played, as far as the hub has been told: it is a session as soon as it is over, or
                -- nobody has gone on with it for long enough.
                CREATE TABLE drums_running(
                    household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, content BLOB NOT NULL,
                    sign_in TEXT NOT NULL, agent TEXT NOT NULL, started_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
                    PRIMARY KEY(household, id)) WITHOUT ROWID;
                CREATE INDEX drums_running_seen ON drums_running(seen_at);
                """)
    }

    /// What the first screen needs of each session, what two sessions share, and what became of storing one that nobody
    /// came back to.
    static let more = Migration("drums-004") { db in
        try db.execute(
            sql: """
                -- A song that two devices went on with: the id that both delivered, the session that it shares its
                -- beginning with, and how many events and beats that is. The numbers of such a session are those after it.
                ALTER TABLE drums_session ADD COLUMN fork_root TEXT;
                ALTER TABLE drums_session ADD COLUMN fork_of TEXT;
                ALTER TABLE drums_session ADD COLUMN fork_events INTEGER;
                ALTER TABLE drums_session ADD COLUMN fork_beats INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX drums_session_fork ON drums_session(household, fork_root) WHERE fork_root IS NOT NULL;
                -- Whose clock measured the reactions that are told.
                ALTER TABLE drums_session ADD COLUMN reaction_clock TEXT;
                -- How late the hits of flow mode were, four bytes each.
                ALTER TABLE drums_session ADD COLUMN timing BLOB NOT NULL DEFAULT x'';
                -- How often the hub tried to store it when nobody came back, when it tries again, why it could not, and
                -- since when it does not try any more.
                ALTER TABLE drums_running ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE drums_running ADD COLUMN retry_at INTEGER;
                ALTER TABLE drums_running ADD COLUMN reason TEXT;
                ALTER TABLE drums_running ADD COLUMN parked_at INTEGER;
                -- What tapping along found is of a link and of the device that was tapped on, which its sign-in stands
                -- for. What was kept without one said of no device how fast it is.
                DROP TABLE drums_latency;
                CREATE TABLE drums_latency(
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, link TEXT NOT NULL,
                    sign_in TEXT NOT NULL REFERENCES sign_in ON DELETE CASCADE,
                    household TEXT NOT NULL REFERENCES household, tenths INTEGER NOT NULL,
                    lower_tenths INTEGER NOT NULL, upper_tenths INTEGER NOT NULL, taps INTEGER NOT NULL,
                    measured_at INTEGER NOT NULL, PRIMARY KEY(person, link, sign_in)) WITHOUT ROWID;
                """)
        let played = try Row.fetchAll(db, sql: "SELECT household, id FROM drums_session WHERE mode = 'flow'")
        for key in played {
            let arguments: StatementArguments = [key["household"] as String, key["id"] as String]
            let content = try Data.fetchOne(
                db, sql: "SELECT content FROM session WHERE household = ? AND id = ?", arguments: arguments)
            // One that today's engine cannot read teaches no window anything, as before.
            guard let content, let session = try? DrumSession.decoded(Array(content)) else { continue }
            try db.execute(
                sql: "UPDATE drums_session SET timing = ? WHERE household = ? AND id = ?",
                arguments: [TimingErrors(session.result.beats).bytes] + arguments)
        }
    }
}
