import DrumsEngine
import Foundation
import GRDB
import Storage

/// Sessions with their events, as charts and reports are counted from them.
enum PlayedSessions {
    /// A session as it is stored and as today's engine replays it.
    struct Played: Sendable {
        var record: PlayedRecord
        var session: DrumSession
    }

    /// Somebody's sessions of some local days, the earliest first. Those that today's engine refuses are left out.
    ///
    /// - Parameter days: since 1 January 1970.
    static func all(of person: String, days: ClosedRange<Int32>, _ db: Database) throws -> [Played] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT p.*, s.content FROM drums_session p JOIN session s ON s.household = p.household AND s.id = p.id
                WHERE p.person = ? AND p.day BETWEEN ? AND ? ORDER BY p.day, p.started_at, p.id
                """, arguments: [person, days.lowerBound, days.upperBound])
        var all: [Played] = []
        while let row = try rows.next() {
            let content: Data = row["content"]
            guard let session = try? DrumSession.decoded(Array(content)) else { continue }
            all.append(Played(record: try PlayedRecord(row: row), session: session))
        }
        return all
    }
}
