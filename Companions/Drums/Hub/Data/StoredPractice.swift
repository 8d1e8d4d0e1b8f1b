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

    /// A song with what was played.
    struct Song: Sendable {
        let result: ResultRecord
        /// The events in the engine's codec and their digest; nil where they need not be replayed.
        let content, digest: Data?

        /// The beats that were played: as they are kept, or as today’s engine replays them; nil where it cannot.
        var played: PlayedBeats? {
            if let played = result.played.flatMap({ PlayedBeats(bytes: $0) }) { return played }
            guard let content, let digest, let events = Sessions.intact(content, digest) else { return nil }
            return (try? DrumSession.decoded(events)).map { PlayedBeats($0, after: result.forkBeats) }
        }
    }

    init(of subject: Subject, days: ClosedRange<Int32>, _ db: Database) throws {
        self.subject = subject
        self.days = days
        affectedSide = try PracticeSettings.of(subject.person, db).affectedSide
        plans = try PracticePlans(of: subject.person.id, db)
        let start = subject.calendar.instant(day: days.lowerBound, minute: 0)
        let end = subject.calendar.instant(day: days.upperBound + 1, minute: 0)
        reports = try SelfReport.fetchAll(
            db,
            cached: "SELECT * FROM drums_self_report WHERE person = ? AND at >= ? AND at < ? ORDER BY at, moment DESC",
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
                SELECT p.*, s.content, s.digest FROM drums_session p
                LEFT JOIN session s ON substr(p.played, 1, 1) IS NOT ?4 AND s.household = p.household AND s.id = p.id
                WHERE p.person = ?1 AND p.day BETWEEN ?2 AND ?3 ORDER BY p.day, p.started_at, p.id
                """, arguments: [person, days.lowerBound, days.upperBound, Data([PlayedBeats.version])])
        var songs: [Song] = []
        var places: ResultRecord.ColumnPlaces?
        while let row = try rows.next() {
            let known = try places ?? ResultRecord.ColumnPlaces(in: row)
            places = known
            songs.append(Song(result: try ResultRecord(row, known), content: row["content"], digest: row["digest"]))
        }
        return songs
    }
}
