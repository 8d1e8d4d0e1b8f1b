import GRDB

/// When a person wants to be left alone, and how much they want to hear.
public struct ReminderRules: TableRecord, Equatable {
    public static let databaseTableName = "reminder_rules"

    public var person: String
    /// Whether there are quiet hours.
    public var isQuiet: Bool
    /// Where they begin, a local minute of the day; an end before it is on the next day.
    public var quietFrom: Int32
    public var quietUntil: Int32
    /// How many notices a day at most there are of what can wait; 0 for each as it comes.
    public var noticesPerDay: Int

    /// What holds for somebody who has decided nothing: no quiet hours (21:00 to 7:00 are proposed), and one notice a day.
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

    /// As somebody decided, or as it is for who has not.
    public static func of(_ person: String, _ db: Database) throws -> ReminderRules {
        try fetchOne(db, key: person) ?? ReminderRules(person: person)
    }
}

/// What became of a reminder when it was time.
public enum ReminderOutcome: String, Codable, Sendable, CaseIterable {
    /// It was said, on open pages and to phones.
    case said
    /// It was said once more, after somebody had put it off.
    case again
    /// It was said in the notice of another.
    case together
    /// It was said in quiet hours: on open pages alone.
    case quiet
    /// There was nothing to say: it was done already, or nothing wanted doing.
    case nothing
    /// The same was said some days ago.
    case known
    /// The day had had its notices.
    case enough
    /// It was too late to be worth saying, or a newer one was said in its place.
    case late
}

/// A reminder that came, or was kept silent.
public struct ReminderEventRecord: TableRecord, Equatable {
    public static let databaseTableName = "reminder_event"

    public var id: Int64?
    public var person: String
    /// The companion's slug.
    public var companion: String
    /// The companion's name for the reminder.
    public var name: String
    /// When it was decided, UTC milliseconds.
    public var at: Int64
    /// The local day of that, since 1 January 1970.
    public var day: Int32
    public var outcome: ReminderOutcome
    /// What was said, in English; nil where nothing was, or another notice said it along.
    public var title: String?
    public var body: String?
    /// Both in other languages, JSON by their tags.
    public var translations: String?
    /// What it was about, in the companion's own terms; nil where each time is news.
    public var about: String?

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
