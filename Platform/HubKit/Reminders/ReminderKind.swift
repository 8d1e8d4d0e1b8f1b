import Localization
import Storage

/// Something daily that a companion can remind each person of. Off until somebody switches it on.
public struct ReminderKind: Sendable {
    /// Within the companion: `morning`.
    public var name: String
    /// On screens and in calendars, beside the person's name: "Brush in the morning".
    public var title: LocalizedText
    /// The local minute of the day that is proposed.
    public var minute: Int32
    /// Whether it stays silent when what it reminds of is done already, where nobody has decided otherwise.
    public var isSilencedByDone: Bool
    /// Whether it is as good some hours later: it waits for the end of quiet hours, and what else can wait is said in the
    /// same notice. To go to bed is of its hour, a thirsty plant can wait.
    public var canWait: Bool
    /// After how many days what can wait is said again while nothing has changed (`ReminderText.about`). A battery is as low
    /// tomorrow as it is today.
    public var repeatDays: Int32

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

/// A reminder whose time has come: the companion says what to say.
public struct DueReminder: Sendable {
    /// The reminder's id, in routes.
    public var id: String
    /// One of the companion's kinds, or what it called one that comes once.
    public var name: String
    /// Who is reminded.
    public var person: PersonRecord
    /// The moment that it is for, UTC milliseconds: earlier than now after a snooze.
    public var at: Int64
    /// The local day of that moment, since 1 January 1970.
    public var day: Int32
    /// The local minute of that day.
    public var minute: Int32
    /// Whether words are wanted whatever there is to say: somebody tries the reminder, or a calendar lists it.
    public var needsText: Bool
    /// Whether to keep silent where what it reminds of is done already.
    public var isSilencedByDone: Bool
    /// Of whoever reads what is said.
    public var language: Language

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

/// What a reminder says.
public struct ReminderText: Sendable, Equatable {
    /// A few words with the person's name: "Mila, time to brush".
    public var title: String
    /// A sentence.
    public var body: String
    /// The page that it leads to: `/aquarium?person=k7fq2m9x`.
    public var path: String
    /// What it is about, for nobody to read: while that is the same, it is the same reminder. Nil where each time is news.
    public var about: String?

    public init(title: String, body: String, path: String, about: String? = nil) {
        self.title = title
        self.body = body
        self.path = path
        self.about = about
    }
}

/// What a reminder reminds of, where that has a time of its own, such as an appointment: a calendar shows it then,
/// with an alarm for each of its reminders.
public struct ReminderEvent: Sendable, Equatable {
    /// Within the companion; all reminders of the event give the same.
    public var name: String
    /// "Dentist"; a calendar puts the person’s name before it.
    public var title: String
    /// A line or more of the owner's.
    public var note: String?
    /// The local day, since 1 January 1970.
    public var day: Int32
    /// The local minute of that day.
    public var minute: Int32
    /// How long it takes.
    public var minutes: Int32

    public init(name: String, title: String, note: String? = nil, day: Int32, minute: Int32, minutes: Int32 = 30) {
        self.name = name
        self.title = title
        self.note = note
        self.day = day
        self.minute = minute
        self.minutes = minutes
    }
}
