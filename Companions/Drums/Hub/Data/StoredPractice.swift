import GRDB
import HubKit
import Storage

/// What is stored of somebody's practice on some days, read at once, so that no reader of the database waits while charts
/// are calculated from it.
struct StoredPractice: Sendable {
    let subject: Subject
    /// Since 1 January 1970.
    let days: ClosedRange<Int32>
    let affectedSide: SideName?
    let plans: PracticePlans
    /// The earliest first.
    let songs: [PlayedSong.Stored]

    init(of subject: Subject, days: ClosedRange<Int32>, _ db: Database) throws {
        self.subject = subject
        self.days = days
        affectedSide = try PracticeSettings.of(subject.person, db).affectedSide
        plans = try PracticePlans(of: subject.person.id, db)
        songs = try PlayedSong.all(of: subject.person.id, days: days, db)
    }
}
