import BrushingEngine
import GRDB
import HubKit
import Storage

/// All that is to be known of one person's brushing at a moment, read once.
struct PersonSituation: Sendable {
    let subject: Subject
    let settings: Settings
    let history: SessionHistory
    /// From Monday of this week on, in order.
    let frozen: [FrozenDay]
    /// Those of today and later, the next first.
    let appointments: [Appointment]
    let awards: [SessionHistory.Given]
    /// The sessions of this brushing day, the earliest first.
    let sessionsToday: [BrushingSessionResponse]
    let last: BrushingSessionResponse?
    /// The daily reminders that are on, by name.
    let reminders: [BrushingReminder: ReminderRecord]

    init(_ subject: Subject, _ db: Database) throws {
        self.subject = subject
        let person = subject.person
        settings = try Settings.of(subject, db)
        history = try SessionHistory(person, subject.household, now: subject.now, db)
        let monday = history.today - Int32(CivilDate(day: history.today).weekday - 1)
        frozen = try FrozenDay.fetchAll(
            db, sql: "SELECT * FROM brushing_frozen_day WHERE person = ? AND day >= ? ORDER BY day",
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

    /// Which half of the brushing day it is.
    var isMorning: Bool { LocalMoment(day: subject.today, minute: subject.minute).isMorning }

    /// Whether nothing is asked today.
    var isFrozen: Bool { frozen.contains { $0.day == history.today } }

    var isBrushHeadDue: Bool { settings.headSuggested.map { $0 <= subject.today } ?? false }

    /// When the reminder of a half of a brushing day comes: days from today and a minute of that day; nil where it does
    /// not come, or has come.
    func reminder(_ name: BrushingReminder, onBrushingDay day: Int32) -> (days: Int32, minute: Int32)? {
        guard let record = reminders[name] else { return nil }
        // An evening's reminder after midnight belongs to the day before.
        let isLate = name == .evening && record.minute < LocalMoment.dayBegins
        let civil = isLate ? day + 1 : day
        guard record.weekdays & 1 << (CivilDate(day: civil).weekday - 1) != 0,
            subject.isAhead(day: civil, minute: record.minute)
        else { return nil }
        return (civil - subject.today, record.minute)
    }
}

extension OverviewText.Person {
    /// A brushing at four in the afternoon is an evening's, but nobody reads before six that they missed one.
    private static let eveningIsSaid: Int32 = 18 * 60

    init(_ situation: PersonSituation) {
        let subject = situation.subject
        let today = situation.history.today
        let sessions = situation.history.entries.suffix(while: { $0.day == today }).filter(\.counts)
        let isAfternoon = !situation.isMorning && (LocalMoment.dayBegins..<Self.eveningIsSaid).contains(subject.minute)
        let isMorning = situation.isMorning || isAfternoon && sessions.allSatisfy(\.isMorning)
        let perDay = situation.settings.perDay
        name = subject.person.name
        takesPart = subject.person.role == .child || !situation.history.entries.isEmpty
        self.isMorning = isMorning
        hasBrushedNow = sessions.contains { $0.isMorning == isMorning }
        sessionsToday = sessions.count
        self.perDay = perDay
        dayOff = situation.frozen.first { $0.day == today }?.reason
        streakDays = situation.history.progress.streakDays
        plannedSeconds = Int(situation.settings.steps.plannedMilliseconds / 1_000)
        reminderNow = situation.reminder(situation.isMorning ? .morning : .evening, onBrushingDay: today)?.minute
        if isMorning, sessions.count < perDay {
            reminderNext = situation.reminder(.evening, onBrushingDay: today)
        } else {
            reminderNext =
                situation.reminder(.morning, onBrushingDay: today + 1)
                ?? situation.reminder(.evening, onBrushingDay: today + 1)
        }
        isBrushHeadDue = situation.isBrushHeadDue
        appointment = situation.appointments.first { subject.isAhead(day: $0.day, minute: $0.minute) }
            .map { ($0.title, $0.day - subject.today, $0.minute) }
    }
}

extension Array {
    /// The elements at the end that all hold a condition.
    fileprivate func suffix(while isSuch: (Element) -> Bool) -> ArraySlice<Element> {
        self[(lastIndex { !isSuch($0) }.map { $0 + 1 } ?? 0)...]
    }
}
