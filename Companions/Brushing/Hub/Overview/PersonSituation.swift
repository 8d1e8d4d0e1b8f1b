import BrushingEngine
import GRDB
import HubKit
import Storage

/// The facts about one person's brushing at a moment, read at once.
struct PersonSituation: Sendable {
    let subject: Subject
    let settings: Settings
    let history: SessionHistory
    /// The frozen days from Monday of this week on, in order.
    let frozen: [FrozenDay]
    /// The appointments of today and later, the next first.
    let appointments: [Appointment]
    let awards: [SessionHistory.Given]
    /// The sessions of this brushing day, the earliest first.
    let sessionsToday: [BrushingSessionResponse]
    let last: BrushingSessionResponse?
    /// The daily reminders that are on, by name.
    let reminders: [BrushingReminder: ReminderRecord]

    /// The situations of all people of a household, adults first.
    static func all(household: String, now: Int64, _ db: Database) throws -> [PersonSituation] {
        let home = try HouseholdRecord.find(db, key: household)
        return try PersonRecord.all(of: household, db).map { try PersonSituation(Subject($0, of: home, now: now), db) }
    }

    init(_ subject: Subject, _ db: Database) throws {
        self.subject = subject
        let person = subject.person
        settings = try Settings.of(subject, db)
        history = try SessionHistory(
            person, subject.household, now: subject.now, from: { $0 - 2 * BrushingTrend.days }, db)
        let monday = history.today - Int32(CivilDate(day: history.today).weekday - 1)
        frozen = try FrozenDay.fetchAll(
            db, cached: "SELECT * FROM brushing_frozen_day WHERE person = ? AND day >= ? ORDER BY day",
            arguments: [person.id, monday])
        appointments = try Appointment.ahead(of: subject, db)
        awards = try SessionHistory.awards(of: person.id, db)
        sessionsToday = try BrushingSessionResponse.all(of: person.id, days: history.today...history.today, db)
        last = try BrushingSessionResponse.last(of: person.id, db)
        var reminders: [BrushingReminder: ReminderRecord] = [:]
        for name in BrushingReminder.allCases {
            guard let record = try name.record(of: person.id, db), record.isOn else { continue }
            reminders[name] = record
        }
        self.reminders = reminders
    }

    /// Whether it is the first half of the brushing day.
    var isMorning: Bool { LocalMoment(day: subject.today, minute: subject.minute).isMorning }

    /// Whether nothing is asked today.
    var isFrozen: Bool { frozen.contains { $0.day == history.today } }

    var isBrushHeadDue: Bool { settings.headSuggested.map { $0 <= subject.today } ?? false }

    /// The time at which the reminder of a brushing day comes: days from today and a minute of that day; nil where it
    /// does not come, or has come.
    ///
    /// - Parameter isDone: whether what it reminds of is done, so that one that keeps silent then does not come.
    func reminder(_ name: BrushingReminder, onBrushingDay day: Int32, isDone: Bool = false)
        -> OverviewText.Person.Moment?
    {
        guard let record = reminders[name] else { return nil }
        if isDone, record.silencedByDone ?? name.kind.isSilencedByDone { return nil }
        // An evening's reminder after midnight belongs to the day before.
        let isLate = name == .evening && record.minute < LocalMoment.dayBegins
        let civil = isLate ? day + 1 : day
        guard record.weekdays & 1 << (CivilDate(day: civil).weekday - 1) != 0,
            subject.isAhead(day: civil, minute: record.minute)
        else { return nil }
        return .init(days: civil - subject.today, minute: record.minute)
    }
}
