import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// The stored data of the first screen, read at once: the rest is calculated when the reader of the database has been
/// let go.
struct StoredOverview: Sendable {
    /// The people of the household, children first: the kit is theirs.
    let people: [StoredOverviewPerson]
    let failed: [FailedSession]
    /// Whether anybody of the household has ever played.
    let hasPlayed: Bool

    /// Reads the data of a member's household.
    ///
    /// - Throws: a 404 problem where the household is gone.
    init(for member: Member, hub: HubContext, _ db: Database) throws {
        let now = hub.clock.now()
        guard let home = try HouseholdRecord.fetchOne(db, key: member.household) else {
            throw Problem.notFound("There is no household here. It may have been removed.")
        }
        people = try PersonRecord.fetchAll(
            db, cached: "SELECT * FROM person WHERE household = ? ORDER BY role = 'adult', created_at, id",
            arguments: [member.household]
        ).map { try StoredOverviewPerson(Subject($0, of: home, now: now), db) }
        failed = try FailedSession.all(of: Drums.slug, for: member, hub, db)
        hasPlayed =
            try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM drums_session WHERE household = ?)",
                arguments: [member.household]) ?? false
    }
}

/// The stored data of one person.
struct StoredOverviewPerson: Sendable {
    let subject: Subject
    let settings: PracticeSettings
    let latencies: [LinkLatency.Found]
    let plans: PracticePlans
    /// The sessions of this week: of each its day, and milliseconds.
    let practised: [(day: Int32, milliseconds: Int64)]
    /// The songs of the day, the earliest first.
    let played: [OverviewPerson.PlayedToday]
    /// The time at which they last said how hard it was or whether it hurt, UTC milliseconds.
    let reportedAt: Int64?
    /// The distances of hits from the beat in flow mode in the last ``AdaptiveWindow/days``, as ``TimingErrors`` are
    /// stored, the earliest first.
    let timing: [Data]
    /// Whether anything of theirs is stored.
    let hasPlayed: Bool

    init(_ subject: Subject, _ db: Database) throws {
        let (person, today) = (subject.person, subject.today)
        self.subject = subject
        settings = try PracticeSettings.of(person, db)
        latencies = try LinkLatency.all(of: person.id, db)
        plans = try PracticePlans(of: person.id, db)
        practised = try DataResponse.practised(subject, PracticeWeek.week(around: today), db)
        played = try Row.fetchAll(
            db,
            cached: """
                SELECT ended_at, song_id, song_title FROM drums_session WHERE person = ? AND day = ? ORDER BY ended_at
                """,
            arguments: [person.id, today]
        ).map { .init(at: $0[0], song: $0[1], title: $0[2]) }
        reportedAt = try Int64.fetchOne(
            db, cached: "SELECT max(at) FROM drums_self_report WHERE person = ?", arguments: [person.id])
        timing = try Data.fetchAll(
            db,
            cached: """
                SELECT timing FROM drums_session
                WHERE person = ? AND day BETWEEN ? AND ? AND mode = 'flow' AND length(timing) > 0
                ORDER BY day, started_at, id
                """, arguments: [person.id, today - AdaptiveWindow.days + 1, today + 1])
        hasPlayed =
            try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM drums_session WHERE person = ?)", arguments: [person.id])
            ?? false
    }
}
