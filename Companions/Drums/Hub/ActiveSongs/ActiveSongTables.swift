import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// What was played when this version of the hub came, and the branches that it knew, are the platform's from then on.
enum ActiveSongTables {
    static let toPlatform = Migration("drums-005") { db in
        try db.execute(
            sql: """
                INSERT INTO session_branch(household, id, root, of, common)
                SELECT household, id, fork_root, coalesce(fork_of, fork_root), coalesce(fork_events, 0)
                FROM drums_session WHERE fork_root IS NOT NULL
                """)
        for row in try Row.fetchAll(db, sql: "SELECT * FROM drums_running") {
            let content = Array(row["content"] as Data)
            // What today's engine cannot read is stored as it is.
            let recording = (try? DrumSession.recording(of: content)) ?? content
            var record = ActiveSessionRecord(
                household: row["household"], id: row["id"], companion: Drums.slug, session: row["id"],
                person: row["person"], signIn: row["sign_in"], agent: row["agent"], startedAt: row["started_at"],
                seenAt: row["seen_at"])
            record.tries = row["tries"]
            record.retryAt = row["retry_at"]
            record.reason = row["reason"]
            record.parkedAt = row["parked_at"]
            try record.insert(with: recording, DrumSessionFormat.limits, db)
        }
        try db.execute(sql: "DELETE FROM drums_running")
    }
}
