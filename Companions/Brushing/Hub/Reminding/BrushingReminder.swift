import BrushingEngine
import GRDB
import HubKit
import Storage

/// What this companion reminds of every day.
enum BrushingReminder: String, Sendable, CaseIterable {
    case morning, evening

    var kind: ReminderKind {
        switch self {
        case .morning: ReminderKind(name: rawValue, title: "Brush in the morning", minute: 7 * 60)
        case .evening: ReminderKind(name: rawValue, title: "Brush in the evening", minute: 19 * 60 + 30)
        }
    }

    /// As somebody has set it; nil while nobody has.
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
        let mornings = try Bool.fetchAll(
            db, sql: "SELECT is_morning FROM brushing_session WHERE person = ? AND day = ? AND counts",
            arguments: [person.id, day])
        return try mornings.contains(self == .morning)
            || mornings.count >= Settings.perDay(person: person.id, db)
    }

    /// Whether nothing is asked on that day.
    func isDayOff(_ day: Int32, _ person: PersonRecord, _ db: Database) throws -> Bool {
        try FrozenDay.exists(db, key: ["person": person.id, "day": day])
    }
}

extension Brushing {
    public static let reminderKinds = BrushingReminder.allCases.map(\.kind)

    /// What to say when a reminder has come: nothing where it is done already, or nothing is asked that day.
    public func reminderText(_ due: DueReminder) async throws -> ReminderText? {
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            let subject = try Subject.find(due.person.id, household: due.person.household, now: now, db)
            if let reminder = BrushingReminder(rawValue: due.name) {
                let day = reminder.brushingDay(day: due.day, minute: due.minute)
                if !due.needsText {
                    let isSilent =
                        try due.isSilencedByDone
                        ? reminder.isSilent(on: day, subject.person, db) : reminder.isDayOff(day, subject.person, db)
                    if isSilent { return nil }
                }
                return ReminderText(reminder, try PersonSituation(subject, db))
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

extension ReminderText {
    /// It is time to brush.
    fileprivate init(_ reminder: BrushingReminder, _ situation: PersonSituation) {
        let subject = situation.subject
        let person = subject.person
        let settings = situation.settings
        var sentences: [String]
        if settings.isChildMode(of: person, year: CivilDate(day: subject.today).year) {
            sentences = [reminder == .morning ? "Good morning! Your teeth are awake." : "Your teeth want to go to bed."]
        } else {
            let length = OverviewText.duration(Int(settings.steps.plannedMilliseconds / 1_000))
            sentences = ["It takes \(length)."]
        }
        let streak = situation.history.progress.streakDays
        if streak >= 2 { sentences.append("\(streak.spelled.capitalizedFirst) days in a row so far.") }
        self.init(
            title: "\(person.name), time to brush", body: sentences.joined(separator: " "),
            path: "/brushing?person=\(person.id)")
    }

    /// A brush head has done its time; nil where it was replaced meanwhile, or was given more.
    fileprivate init?(brushHeadOf settings: Settings, _ due: DueReminder, _ subject: Subject) {
        guard let replaced = settings.headReplaced, let suggested = settings.headSuggested,
            suggested <= due.day || due.needsText
        else { return nil }
        let weeks = max(Int(max(due.day, suggested, due.needsText ? suggested : subject.today) - replaced) / 7, 1)
        self.init(
            title: "A new brush head for \(subject.person.name)",
            body: "The one in use is \(weeks.spelled) week\(weeks == 1 ? "" : "s") old. Say so when the new one is on.",
            path: "/brushing/settings?person=\(subject.person.id)")
    }

    /// Somebody has to be somewhere soon; nil where that has begun.
    fileprivate init?(_ appointment: Appointment, _ due: DueReminder, _ subject: Subject) {
        guard due.needsText || subject.isAhead(day: appointment.day, minute: appointment.minute) else { return nil }
        // It may be said later than it was to be.
        let today = max(due.day, subject.today)
        let time = LocalCalendar.timeOfDay(minute: appointment.minute)
        let date = CivilDate(day: appointment.day)
        let day =
            switch appointment.day - today {
            case 0: "today"
            case 1: "tomorrow"
            default: "\(date.weekdayName), \(date.words(from: CivilDate(day: today))),"
            }
        self.init(
            title: "\(subject.person.name): \(appointment.title) \(day) at \(time)",
            body: appointment.note ?? "\(date.weekdayName), \(date.words(from: CivilDate(day: today))).",
            path: "/brushing/settings?person=\(subject.person.id)")
    }
}
