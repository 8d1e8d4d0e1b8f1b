import GRDB

/// The quiet hours of a person, and the number of reminders that they want.
public struct ReminderRules: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "reminder_rules"

    /// The id of the person.
    public var person: String
    /// Whether there are quiet hours.
    public var isQuiet: Bool
    /// The start of quiet hours, in minutes of the local day.
    public var quietFrom: Int32
    /// The end of quiet hours, in minutes of the local day; on the next day if it is before the start.
    public var quietUntil: Int32
    /// The number of combined notices a day for reminders that can wait; 0 sends each on its own.
    public var noticesPerDay: Int

    /// Creates rules; the defaults are for a person who has chosen nothing: no quiet hours (21:00 to 7:00 are
    /// proposed), and one notice a day.
    public init(
        person: String, isQuiet: Bool = false, quietFrom: Int32 = 21 * 60, quietUntil: Int32 = 7 * 60,
        noticesPerDay: Int = 1
    ) {
        self.person = person
        self.isQuiet = isQuiet
        self.quietFrom = quietFrom
        self.quietUntil = quietUntil
        self.noticesPerDay = noticesPerDay
    }

    /// The rules of a person, or the defaults.
    public static func of(_ person: String, _ db: Database) throws -> ReminderRules {
        try fetchOne(db, key: person) ?? ReminderRules(person: person)
    }
}

/// The outcome of a reminder at its time.
public enum ReminderOutcome: String, Codable, Sendable, CaseIterable {
    /// The reminder was sent, to open pages and to phones.
    case said
    /// The reminder was sent again after a snooze.
    case again
    /// The reminder was combined with another.
    case together
    /// The reminder was shown on open pages only, in quiet hours.
    case quiet
    /// The reminder had nothing to say: the task was done, or there was none.
    case nothing
    /// The same reminder was sent some days ago.
    case known
    /// The day's notices were used up.
    case enough
    /// The reminder was too late to be useful, or a newer one was sent in its place.
    case late
}

/// An entry in the history of reminders.
public struct ReminderEventRecord: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "reminder_event"

    /// The id; nil before it is stored.
    public var id: Int64?
    /// The id of the person.
    public var person: String
    /// The companion's slug.
    public var companion: String
    /// The companion's name for the reminder.
    public var name: String
    /// The time of the decision, in UTC milliseconds.
    public var at: Int64
    /// The local date of the decision, in days since 1 January 1970.
    public var day: Int32
    /// The outcome.
    public var outcome: ReminderOutcome
    /// The title in English; nil if nothing was sent, or it was combined with another.
    public var title: String?
    /// The body in English.
    public var body: String?
    /// The title and body in other languages, as JSON by language.
    public var translations: String?
    /// The companion's description of the reason; nil if each time is news.
    public var about: String?

    /// Creates an entry.
    public init(
        person: String, companion: String, name: String, at: Int64, day: Int32, outcome: ReminderOutcome
    ) {
        self.person = person
        self.companion = companion
        self.name = name
        self.at = at
        self.day = day
        self.outcome = outcome
    }
}
