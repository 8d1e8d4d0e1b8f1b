import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// The stored practice of a person on some days, read at once, so that no reader of the database waits while charts are
/// calculated from it.
struct StoredPractice: Sendable {
    let subject: Subject
    /// The days, counted from 1 January 1970.
    let days: ClosedRange<Int32>
    let affectedSide: SideName?
    let plans: PracticePlans
    /// The earliest first.
    let songs: [Song]
    /// The self-reports of these days, the earliest first.
    let reports: [SelfReport]

    /// A song with its events, in the engine's codec.
    struct Song: Sendable {
        let result: ResultRecord
        let content, digest: Data

        /// The session as today's engine replays it; nil where it cannot.
        var session: DrumSession? { Sessions.intact(content, digest).flatMap { try? DrumSession.decoded($0) } }
    }

    init(of subject: Subject, days: ClosedRange<Int32>, _ db: Database) throws {
        self.subject = subject
        self.days = days
        affectedSide = try PracticeSettings.of(subject.person, db).affectedSide
        plans = try PracticePlans(of: subject.person.id, db)
        let start = subject.calendar.instant(day: days.lowerBound, minute: 0)
        let end = subject.calendar.instant(day: days.upperBound + 1, minute: 0)
        reports = try SelfReport.fetchAll(
            db, sql: "SELECT * FROM drums_self_report WHERE person = ? AND at >= ? AND at < ? ORDER BY at, moment DESC",
            arguments: [subject.person.id, start, end])
        songs = try Self.songs(of: subject.person.id, days: days, db)
    }

    /// A person's songs of some local days, the earliest first.
    ///
    /// - Parameter days: since 1 January 1970.
    static func songs(of person: String, days: ClosedRange<Int32>, _ db: Database) throws -> [Song] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT p.*, s.content, s.digest FROM drums_session p JOIN session s ON s.household = p.household AND s.id = p.id
                WHERE p.person = ? AND p.day BETWEEN ? AND ? ORDER BY p.day, p.started_at, p.id
                """, arguments: [person, days.lowerBound, days.upperBound])
        var songs: [Song] = []
        while let row = try rows.next() {
            songs.append(
                Song(result: try ResultRecord(row: row), content: row["content"], digest: row["digest"]))
        }
        return songs
    }
}
