import GRDB
import HubKit
import Storage

/// The names and times of the reminders that come once.
enum OneOffReminder {
    static let brushHead = "brush-head"

    private static let appointmentPrefix = "appointment:"
    /// The minute at which an appointment's first reminder comes, on the day before, when there is still time to
    /// prepare.
    private static let eve: Int32 = 18 * 60
    /// The time before an appointment at which its second reminder comes, milliseconds.
    private static let soon: Int64 = 2 * 3_600_000

    /// The part of the name that all reminders of an appointment share.
    static func event(of appointment: String) -> String { appointmentPrefix + appointment }

    /// The appointment that a reminder is for; nil for a reminder of something else.
    static func appointment(in name: String) -> String? {
        guard name.hasPrefix(appointmentPrefix) else { return nil }
        return name.dropFirst(appointmentPrefix.count).split(separator: ":").first.map(String.init)
    }

    /// The time at which somebody is reminded that their brush head has done its time: on the day itself, or, where
    /// that has passed, at the next such time of day. Nil while nobody has said when it was new.
    ///
    /// - Parameter minute: of the morning's reminder.
    static func brushHead(_ settings: Settings, _ subject: Subject, minute: Int32) -> (day: Int32, minute: Int32)? {
        guard let suggested = settings.headSuggested else { return nil }
        let next = subject.isAhead(day: subject.today, minute: minute) ? subject.today : subject.today + 1
        return (max(suggested, next), minute)
    }

    /// The times at which somebody is reminded of an appointment: the evening before, and two hours before it begins,
    /// by the clock, so that both go along with somebody who travels.
    static func moments(of appointment: Appointment, _ subject: Subject) -> [(
        name: String, day: Int32, minute: Int32
    )] {
        let event = event(of: appointment.id)
        let start = subject.calendar.instant(day: appointment.day, minute: appointment.minute)
        let soon = subject.calendar.moment(of: start - soon)
        return [(event + ":eve", appointment.day - 1, eve), (event + ":soon", soon.day, soon.minute)]
    }
}

extension Brushing {
    /// Sets, moves or takes away the reminder of somebody's brush head, in the transaction that changes it.
    func remindOfBrushHead(_ settings: Settings, _ subject: Subject, _ db: Database) throws {
        let person = subject.person.id
        let minute = try BrushingReminder.morning.record(of: person, db)?.minute ?? BrushingReminder.morning.kind.minute
        guard let moment = OneOffReminder.brushHead(settings, subject, minute: minute) else {
            return try hub.reminders.removeOnce(
                companion: Self.slug, name: OneOffReminder.brushHead, person: person, db)
        }
        try hub.reminders.setOnce(
            companion: Self.slug, name: OneOffReminder.brushHead, person: person, day: moment.day,
            minute: moment.minute, following: BrushingReminder.morning.rawValue, db)
    }

    /// Sets or moves the reminders of an appointment, in the transaction that changes it. Those that would lie in the
    /// past are none.
    func remind(of appointment: Appointment, _ subject: Subject, _ db: Database) throws {
        let event = ReminderEvent(
            name: OneOffReminder.event(of: appointment.id), title: appointment.title, note: appointment.note,
            day: appointment.day, minute: appointment.minute)
        for moment in OneOffReminder.moments(of: appointment, subject) {
            if subject.isAhead(day: moment.day, minute: moment.minute) {
                try hub.reminders.setOnce(
                    companion: Self.slug, name: moment.name, person: subject.person.id, day: moment.day,
                    minute: moment.minute, of: event, db)
            } else {
                try hub.reminders.removeOnce(
                    companion: Self.slug, name: moment.name, person: subject.person.id, db)
            }
        }
    }

    /// Removes the reminders of an appointment that was removed.
    func forget(_ appointment: Appointment, _ db: Database) throws {
        try hub.reminders.removeOnce(
            companion: Self.slug, event: OneOffReminder.event(of: appointment.id), person: appointment.person, db)
    }
}
