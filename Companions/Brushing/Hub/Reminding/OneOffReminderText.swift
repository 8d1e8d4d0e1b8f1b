import HubKit
import Localization

extension ReminderText {
    /// A brush head has done its time; nil where it was replaced meanwhile, or was given more.
    init?(brushHeadOf settings: Settings, _ due: DueReminder, _ subject: Subject) {
        guard let replaced = settings.headReplaced, let suggested = settings.headSuggested,
            suggested <= due.day || due.needsText
        else { return nil }
        let weeks = max(Int(max(due.day, suggested, due.needsText ? suggested : subject.today) - replaced) / 7, 1)
        let body = [
            LocalizedText("The one in use is \(spelled: weeks) weeks old."),
            LocalizedText("Say so when the new one is on."),
        ]
        self.init(
            title: LocalizedText("A new brush head for \(subject.person.name)")
                .string(in: due.language, from: .brushing),
            body: body.string(in: due.language, from: .brushing),
            path: "/brushing/settings?person=\(subject.person.id)")
    }

    /// The text about an appointment that comes soon; nil where it has begun.
    init?(_ appointment: Appointment, _ due: DueReminder, _ subject: Subject) {
        guard due.needsText || subject.isAhead(day: appointment.day, minute: appointment.minute) else { return nil }
        // It may be said later than it was to be.
        let today = max(due.day, subject.today)
        let (name, title) = (subject.person.name, appointment.title)
        let time = LocalCalendar.timeOfDay(minute: appointment.minute)
        let date = CivilDate(day: appointment.day)
        let (weekday, day) = (date.weekdayText, date.text(from: CivilDate(day: today)))
        let words =
            switch appointment.day - today {
            case 0: LocalizedText("\(name): \(title) today at \(time)")
            case 1: LocalizedText("\(name): \(title) tomorrow at \(time)")
            default: LocalizedText("\(name): \(title) \(weekday), \(day), at \(time)")
            }
        self.init(
            title: words.string(in: due.language, from: .brushing),
            body: appointment.note
                ?? LocalizedText("\(weekday), \(day).").string(in: due.language, from: .brushing),
            path: "/brushing/settings?person=\(subject.person.id)")
    }
}
