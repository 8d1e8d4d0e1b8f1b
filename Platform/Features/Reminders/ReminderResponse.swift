import HubKit
import Localization
import Storage

/// The response of `GET /api/reminders`.
struct RemindersResponse: Codable {
    var reminders: [ReminderResponse]
    var due: [DueResponse]
    var snoozeMinutes: Int
    var rules: [ReminderRulesResponse]
}

/// A daily reminder of one person.
struct ReminderResponse: Codable {
    var id, companion, name, title, person: String
    var minute: Int32
    var weekdays: [Int]
    var isOn: Bool
    var next, snoozedUntil: Int64?
    var silencedByDone: Bool
    /// Whether it can wait, and so is combined with others.
    var canWait: Bool
    /// Whether its time is in the person's quiet hours.
    var isQuiet: Bool

    /// Creates the response.
    ///
    /// - Parameter record: the reminder; nil if nobody has set it yet.
    init(
        _ record: ReminderRecord?, companion: String, kind: ReminderKind, person: String, quiet: QuietHours?,
        calendar: LocalCalendar, now: Int64, in localized: Localizer
    ) {
        let state = record.map { ReminderState($0, calendar, now: now, quiet: quiet, canWait: kind.canWait) }
        id = Reminders.id(companion: companion, name: kind.name, person: person)
        self.companion = companion
        name = kind.name
        title = localized.string(kind.title)
        self.person = person
        minute = record?.minute ?? kind.minute
        weekdays = (1...7).filter { (record?.weekdays ?? ReminderSchedule.everyDay) & 1 << ($0 - 1) != 0 }
        isOn = record?.isOn ?? false
        next = state?.nextOccurrence
        snoozedUntil = state?.record.snoozedUntil
        silencedByDone = record?.silencedByDone ?? kind.isSilencedByDone
        canWait = kind.canWait
        isQuiet = quiet?.contains(minute: minute) ?? false
    }
}

/// The quiet hours of a person, and the number of reminders that they want.
struct ReminderRulesResponse: Codable {
    var person: String
    var isQuiet: Bool
    var quietFrom, quietUntil: Int32
    var noticesPerDay: Int
    /// Whether it is in the quiet hours now.
    var isNow: Bool

    init(_ rules: ReminderRules, _ calendar: LocalCalendar, now: Int64) {
        person = rules.person
        isQuiet = rules.isQuiet
        quietFrom = rules.quietFrom
        quietUntil = rules.quietUntil
        noticesPerDay = rules.noticesPerDay
        isNow = QuietHours(rules)?.contains(minute: calendar.moment(of: now).minute) ?? false
    }
}

/// The response of `GET /api/reminders/{id}/events`, newest first.
struct ReminderEventsResponse: Codable {
    var events: [Event]

    /// An entry in the history of reminders.
    struct Event: Codable {
        var companion, name, title: String
        var at: Int64
        var outcome: ReminderOutcome
        /// The text that was sent; nil if none was.
        var text: String?
    }
}

/// A due reminder.
struct DueResponse: Codable {
    var id, person, title, body, path: String
    var at, firedAt: Int64

    init(_ record: ReminderRecord, in language: Language) {
        let words = record.words(in: language)
        id = record.id
        person = record.person
        title = words.title
        body = words.body
        path = record.path ?? "/"
        at = record.saidOf
        firedAt = record.firedAt ?? 0
    }
}
