import Localization
import Storage

/// A kind of daily reminder that a companion offers to each person. It is off until somebody switches it on.
public struct ReminderKind: Sendable {
    /// The name within the companion, such as `morning`.
    public var name: String
    /// The title on screens and in calendars, beside the person's name, such as "Brush in the morning".
    public var title: LocalizedText
    /// The proposed time, in minutes of the local day.
    public var minute: Int32
    /// Whether the reminder says nothing if its task is done already, unless somebody has decided otherwise.
    public var isSilencedByDone: Bool
    /// Whether the reminder is as useful some hours later. If so, it waits for the end of quiet hours and is combined
    /// with others that can wait. A reminder to go to bed cannot wait, one to water a plant can.
    public var canWait: Bool
    /// The number of days after which a reminder that can wait is repeated while nothing has changed
    /// (``ReminderText/about``). A low battery is as low tomorrow as it is today.
    public var repeatDays: Int32

    /// Creates a kind of reminder.
    ///
    /// - Parameters:
    ///   - name: the name within the companion, such as `morning`.
    ///   - title: the title on screens and in calendars, a literal that can be translated.
    ///   - minute: the proposed time, in minutes of the local day.
    ///   - isSilencedByDone: whether it says nothing if its task is done already.
    ///   - canWait: whether it is as useful some hours later.
    ///   - repeatDays: the number of days after which it is repeated while nothing has changed.
    public init(
        name: String, title: LocalizedText.Sentence, minute: Int32, isSilencedByDone: Bool = true,
        canWait: Bool = false,
        repeatDays: Int32 = 1
    ) {
        self.name = name
        self.title = LocalizedText(title)
        self.minute = minute
        self.isSilencedByDone = isSilencedByDone
        self.canWait = canWait
        self.repeatDays = repeatDays
    }
}

/// A reminder whose time has come, for which the companion provides the text.
public struct DueReminder: Sendable {
    /// The reminder's id, as routes use it.
    public var id: String
    /// The name of one of the companion's kinds, or of a single reminder that it has set.
    public var name: String
    /// The person who is reminded.
    public var person: PersonRecord
    /// The time that the reminder was set for, in UTC milliseconds. After a snooze it has passed.
    public var at: Int64
    /// The local date of that time, in days since 1 January 1970.
    public var day: Int32
    /// The local time, in minutes of that day.
    public var minute: Int32
    /// Whether a text is needed even if there is nothing to remind of: somebody is testing the reminder, or a calendar
    /// lists it.
    public var needsText: Bool
    /// Whether to say nothing if the task is done already.
    public var isSilencedByDone: Bool
    /// The language of the person who reads the text.
    public var language: Language

    /// Creates a due reminder.
    ///
    /// - Parameters:
    ///   - id: the reminder's id.
    ///   - name: the name of one of the companion's kinds, or of a single reminder.
    ///   - person: the person who is reminded.
    ///   - at: the time that the reminder was set for, in UTC milliseconds.
    ///   - day: the local date of that time, in days since 1 January 1970.
    ///   - minute: the local time, in minutes of that day.
    ///   - needsText: whether a text is needed even if there is nothing to remind of.
    ///   - isSilencedByDone: whether to say nothing if the task is done already.
    ///   - language: the language of the person who reads the text.
    public init(
        id: String, name: String, person: PersonRecord, at: Int64, day: Int32, minute: Int32, needsText: Bool = false,
        isSilencedByDone: Bool = true, language: Language = .english
    ) {
        self.id = id
        self.name = name
        self.person = person
        self.at = at
        self.day = day
        self.minute = minute
        self.needsText = needsText
        self.isSilencedByDone = isSilencedByDone
        self.language = language
    }
}

/// The text of a reminder.
public struct ReminderText: Sendable, Equatable {
    /// The title, a few words with the person's name, such as "Mila, time to brush".
    public var title: String
    /// The body, one sentence.
    public var body: String
    /// The path of the page that it opens, such as `/aquarium?person=k7fq2m9x`.
    public var path: String
    /// A description of the reason, which nobody reads. As long as it stays the same, the reminder counts as the same
    /// and is not repeated. Nil if each time is news.
    public var about: String?

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - title: the title, a few words with the person's name.
    ///   - body: the body, one sentence.
    ///   - path: the path of the page that it opens.
    ///   - about: a description of the reason; nil if each time is news.
    public init(title: String, body: String, path: String, about: String? = nil) {
        self.title = title
        self.body = body
        self.path = path
        self.about = about
    }
}

/// The event that a reminder is about if it has a time of its own, such as an appointment. A calendar shows the event
/// at that time, with an alarm for each of its reminders.
public struct ReminderEvent: Sendable, Equatable {
    /// The name within the companion, the same for all reminders of the event.
    public var name: String
    /// The title, such as "Dentist"; a calendar puts the person’s name before it.
    public var title: String
    /// The person's own note, one line or more.
    public var note: String?
    /// The local date, in days since 1 January 1970.
    public var day: Int32
    /// The local time, in minutes of that day.
    public var minute: Int32
    /// The duration, in minutes.
    public var minutes: Int32

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: the name within the companion.
    ///   - title: the title.
    ///   - note: the person's own note.
    ///   - day: the local date, in days since 1 January 1970.
    ///   - minute: the local time, in minutes of that day.
    ///   - minutes: the duration, in minutes.
    public init(name: String, title: String, note: String? = nil, day: Int32, minute: Int32, minutes: Int32 = 30) {
        self.name = name
        self.title = title
        self.note = note
        self.day = day
        self.minute = minute
        self.minutes = minutes
    }
}
