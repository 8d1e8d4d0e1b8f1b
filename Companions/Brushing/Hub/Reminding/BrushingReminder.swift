import BrushingEngine
import GRDB
import HubKit
import Storage

/// The daily reminders of this companion.
enum BrushingReminder: String, Sendable, CaseIterable {
    case morning, midday, evening

    /// The minutes at which midday and the evening begin where three sessions a day are asked: a session from the first
    /// on is no morning's any more, and from the second on the evening's.
    private static let middayBegins: Int32 = 11 * 60
    private static let eveningBegins: Int32 = 17 * 60

    var kind: ReminderKind {
        switch self {
        case .morning: ReminderKind(name: rawValue, title: "Brush in the morning", minute: 7 * 60)
        case .midday: ReminderKind(name: rawValue, title: "Brush at midday", minute: 13 * 60)
        case .evening: ReminderKind(name: rawValue, title: "Brush in the evening", minute: 19 * 60 + 30)
        }
    }

    /// Whether a session at that local minute of the day is midday's, where three a day are asked.
    static func isMidday(minute: Int32) -> Bool { (middayBegins..<eveningBegins).contains(minute) }

    /// The reminder as the person has set it; nil while nobody has.
    func record(of person: String, _ db: Database) throws -> ReminderRecord? {
        try ReminderRecord.fetchOne(
            db, key: ["person": person, "companion": Brushing.slug, "name": rawValue])
    }

    /// The brushing day that a reminder of this name is about.
    func brushingDay(day: Int32, minute: Int32) -> Int32 {
        // A morning's reminder before the day begins is for the day that comes.
        self == .morning ? day : LocalMoment(day: day, minute: minute).brushingDay
    }

    /// Whether nothing has to be said: it is done, or nothing is asked on that day.
    func isSilent(on day: Int32, _ person: PersonRecord, _ db: Database) throws -> Bool {
        if try isDayOff(day, person, db) { return true }
        let perDay = try Settings.perDay(person: person.id, db)
        let sessions = try Row.fetchAll(
            db, cached: "SELECT is_morning, minute FROM brushing_session WHERE person = ? AND day = ? AND counts",
            arguments: [person.id, day]
        ).map { (isMorning: $0[0] as Bool, minute: $0[1] as Int32) }
        return sessions.count >= perDay
            || sessions.contains { isDone(isMorning: $0.isMorning, minute: $0.minute, perDay: perDay) }
    }

    /// Whether a session at that local minute is what it reminds of.
    private func isDone(isMorning: Bool, minute: Int32, perDay: Int) -> Bool {
        let isMidday = Self.isMidday(minute: minute)
        return switch self {
        case .morning: isMorning && !(perDay > 2 && isMidday)
        case .midday: isMidday
        case .evening: !isMorning && !(perDay > 2 && isMidday)
        }
    }

    /// Whether it would say nothing on that day: nothing is asked, or it is done and silence was wanted then.
    func isSilenced(_ due: DueReminder, on day: Int32, _ db: Database) throws -> Bool {
        try due.isSilencedByDone ? isSilent(on: day, due.person, db) : isDayOff(day, due.person, db)
    }

    /// Whether nothing is asked on that day.
    func isDayOff(_ day: Int32, _ person: PersonRecord, _ db: Database) throws -> Bool {
        try FrozenDay.exists(db, key: ["person": person.id, "day": day])
    }
}

extension Brushing {
    /// The kinds of the companion's daily reminders.
    public static let reminderKinds = BrushingReminder.allCases.map(\.kind)

    /// Whether a daily reminder that is due says nothing.
    public func isSilenced(_ due: DueReminder) async throws -> Bool {
        guard let reminder = BrushingReminder(rawValue: due.name) else { return false }
        let day = reminder.brushingDay(day: due.day, minute: due.minute)
        return try await hub.database.pool.read { db in try reminder.isSilenced(due, on: day, db) }
    }

    /// The words of a reminder that has come; nil where it is done already, or nothing is asked that day.
    public func reminderText(_ due: DueReminder) async throws -> ReminderText? {
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            let subject = try Subject.find(due.person.id, household: due.person.household, now: now, db)
            if let reminder = BrushingReminder(rawValue: due.name) {
                let day = reminder.brushingDay(day: due.day, minute: due.minute)
                if !due.needsText, try reminder.isSilenced(due, on: day, db) { return nil }
                return DailyReminderText(reminder, try PersonSituation(subject, db)).text(in: due.language)
            }
            if due.name == OneOffReminder.brushHead {
                return ReminderText(brushHeadOf: try Settings.of(subject, db), due, subject)
            }
            guard let id = OneOffReminder.appointment(in: due.name),
                let appointment = try Appointment.fetchOne(db, key: id),
                appointment.person == subject.person.id
            else { return nil }
            return ReminderText(appointment, due, subject)
        }
    }
}
