import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// What a session shares with another one: two devices went on with one song, and both were played. The beats before the
/// two went apart were played once, and count once: in the session that was there first.
struct SessionFork: Sendable, Equatable {
    /// The id under which both devices delivered.
    var root: String
    /// Of the session that the beginning is shared with: of all that there are, the one that shares most of it.
    var of: String
    /// How many events the two begin with alike.
    var events: Int
}

extension SessionFork {
    /// A session under the id that was delivered, or one of its forks, as far as this hub has it.
    struct Known: Sendable {
        var id: String
        var session: DrumSession
        /// Nil for the one that has the id that was delivered.
        var fork: SessionFork?
    }

    /// The forks of a session that are stored.
    static func all(of root: String, household: String, _ db: Database) throws -> [Known] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT p.id, p.fork_of, p.fork_events, s.content FROM drums_session p
                JOIN session s ON s.household = p.household AND s.id = p.id
                WHERE p.household = ? AND p.fork_root = ? ORDER BY p.id
                """, arguments: [household, root])
        return rows.compactMap { row in
            let content: [UInt8] = Array(row["content"] as Data)
            guard let session = try? DrumSession.decoded(content), let of = row["fork_of"] as String? else {
                return nil
            }
            return Known(
                id: row["id"], session: session, fork: SessionFork(root: root, of: of, events: row["fork_events"] ?? 0))
        }
    }
}
