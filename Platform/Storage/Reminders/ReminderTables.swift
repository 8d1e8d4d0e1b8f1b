import Foundation
import GRDB

extension Schema {
    /// The tables of reminders, people's rules for them, and the reminders that were sent.
    static let reminders = """
        CREATE TABLE reminder(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            companion TEXT NOT NULL, name TEXT NOT NULL,
            -- NULL for one that comes daily.
            day INTEGER, minute INTEGER NOT NULL CHECK(minute BETWEEN 0 AND 1439),
            -- Bit 0 is Monday.
            weekdays INTEGER NOT NULL DEFAULT 127, is_on INTEGER NOT NULL,
            -- NULL where nobody has decided: as its kind is.
            silenced_by_done INTEGER,
            -- The daily one of the same person whose minute it takes over.
            follows TEXT,
            -- What it reminds of, where that has a time of its own; how long that takes, minutes.
            event TEXT, event_title TEXT, event_note TEXT, event_day INTEGER, event_minute INTEGER,
            event_minutes INTEGER,
            -- For calendars: how often it was changed, and when.
            sequence INTEGER NOT NULL DEFAULT 0, changed_at INTEGER NOT NULL,
            -- Nothing up to this moment is reminded of, nor on this local day or an earlier one.
            since INTEGER NOT NULL, last_day INTEGER, last_at INTEGER,
            -- The zone by which last_day was counted.
            time_zone TEXT NOT NULL,
            -- When the clock was first seen to be earlier than what is stored here.
            clock_set_back_at INTEGER,
            snoozed_until INTEGER,
            -- What was last said, of which local moment, and whether it still stands; in other languages than English
            -- as JSON, by language.
            due_at INTEGER, due_day INTEGER, due_minute INTEGER, fired_at INTEGER, title TEXT, body TEXT,
            translations TEXT, path TEXT, is_visible INTEGER NOT NULL DEFAULT 0, is_trial INTEGER NOT NULL DEFAULT 0,
            -- The local day for which another reminder's notice has said it along.
            gathered_day INTEGER,
            UNIQUE(person, companion, name));
        -- Only what somebody decided.
        CREATE TABLE reminder_choice(
            household TEXT PRIMARY KEY REFERENCES household, snooze_minutes INTEGER NOT NULL) WITHOUT ROWID;
        -- Only what somebody decided. Minutes are of the person's local day.
        CREATE TABLE reminder_rules(
            person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            is_quiet INTEGER NOT NULL, quiet_from INTEGER NOT NULL CHECK(quiet_from BETWEEN 0 AND 1439),
            quiet_until INTEGER NOT NULL CHECK(quiet_until BETWEEN 0 AND 1439),
            -- 0: each as it comes.
            notices_per_day INTEGER NOT NULL CHECK(notices_per_day >= 0)) WITHOUT ROWID;
        -- What became of each reminder when it was time.
        CREATE TABLE reminder_event(
            id INTEGER PRIMARY KEY, person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            companion TEXT NOT NULL, name TEXT NOT NULL,
            -- The moment, and the local day of that.
            at INTEGER NOT NULL, day INTEGER NOT NULL,
            outcome TEXT NOT NULL, title TEXT, body TEXT, translations TEXT,
            -- What it was about, so that the same is not said every day.
            about TEXT);
        CREATE INDEX reminder_event_person ON reminder_event(person, at);
        """

    /// The calendars that programs elsewhere read reminders by.
    static let calendars = """
        CREATE TABLE calendar_feed(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            -- An adult who leaves takes along the addresses that they know.
            maker TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            token_hash BLOB NOT NULL UNIQUE, is_everybody INTEGER NOT NULL, created_at INTEGER NOT NULL,
            read_at INTEGER);
        CREATE TABLE calendar_feed_person(
            feed TEXT NOT NULL REFERENCES calendar_feed ON DELETE CASCADE,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            PRIMARY KEY(feed, person)) WITHOUT ROWID;
        """
}

/// A reminder of a person, with its last occurrence.
public struct ReminderRecord: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "reminder"

    /// The id.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The id of the person.
    public var person: String
    /// The companion's slug.
    public var companion: String
    /// The companion's name for the reminder, such as `morning`.
    public var name: String
    /// The local date of a single reminder, in days since 1 January 1970; nil for a daily one.
    public var day: Int32?
    /// The local time, in minutes of the day.
    public var minute: Int32
    /// The days of the week of a daily reminder, as bits; bit 0 is Monday.
    public var weekdays: Int
    /// Whether the reminder is on.
    public var isOn: Bool
    /// Whether a daily reminder says nothing if its task is done already; nil for the default of its kind.
    public var silencedByDone: Bool?
    /// The name of a daily reminder whose time a single one follows.
    public var follows: String?
    /// The name of the event that it is about, if that has a time of its own. Several reminders may share it.
    public var event: String?
    /// The title of the event.
    public var eventTitle: String?
    /// The note of the event.
    public var eventNote: String?
    /// The local date of the event, in days since 1 January 1970.
    public var eventDay: Int32?
    /// The local time of the event, in minutes of the day.
    public var eventMinute: Int32?
    /// The duration of the event, in minutes.
    public var eventMinutes: Int32?
    /// The number of changes of its time, as calendars count them.
    public var sequence = 0
    /// The time of the last change, in UTC milliseconds.
    public var changedAt: Int64
    /// The time, in UTC milliseconds, up to which it does not come.
    public var since: Int64
    /// The local date for which, and for earlier ones, it does not come again.
    public var lastDay: Int32?
    /// The time for which it last came, in UTC milliseconds.
    public var lastAt: Int64?
    /// The IANA name of the time zone in which `lastDay` was counted.
    public var timeZone: String
    /// The time at which the hub's clock was first found to be earlier than a time stored here, in UTC milliseconds;
    /// nil if it is not. The clock may have been wrong before, or be wrong now.
    public var clockSetBackAt: Int64?
    /// The time at which it comes again after a snooze, in UTC milliseconds.
    public var snoozedUntil: Int64?
    /// The time for which it was last sent, in UTC milliseconds.
    public var dueAt: Int64?
    /// The local date for which it was last sent.
    public var dueDay: Int32?
    /// The local time for which it was last sent, in minutes of the day.
    public var dueMinute: Int32?
    /// The time at which it was last sent, in UTC milliseconds.
    public var firedAt: Int64?
    /// The title that was sent.
    public var title: String?
    /// The body that was sent.
    public var body: String?
    /// The path that was sent.
    public var path: String?
    /// The title and body in other languages than English, as JSON by language.
    public var translations: String?
    /// Whether open pages still show it.
    public var isVisible = false
    /// The local date for which it was combined with another reminder.
    public var gatheredDay: Int32?
    /// Whether it was last sent as a test; then `dueAt`, `dueDay` and `dueMinute` are not about it.
    public var isTrial = false

    /// Creates a record.
    public init(
        id: String, household: String, person: String, companion: String, name: String, day: Int32?, minute: Int32,
        weekdays: Int, isOn: Bool, changedAt: Int64, timeZone: String
    ) {
        self.id = id
        self.household = household
        self.person = person
        self.companion = companion
        self.name = name
        self.day = day
        self.minute = minute
        self.weekdays = weekdays
        self.isOn = isOn
        self.changedAt = changedAt
        since = changedAt
        self.timeZone = timeZone
    }
}

/// A calendar feed: an address at which another program reads reminders as a calendar. Its token is not stored.
public struct CalendarFeedRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "calendar_feed"

    /// The id.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The id of the adult who made it.
    public var maker: String
    /// The hash of the token.
    public var tokenHash: Data
    /// Whether it shows everyone of the household; if not, its people are in `calendar_feed_person`.
    public var isEverybody: Bool
    /// The time at which it was made, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it was last read, in UTC milliseconds, to the hour.
    public var readAt: Int64?

    /// Creates a record.
    public init(
        id: String, household: String, maker: String, tokenHash: Data, isEverybody: Bool, createdAt: Int64
    ) {
        self.id = id
        self.household = household
        self.maker = maker
        self.tokenHash = tokenHash
        self.isEverybody = isEverybody
        self.createdAt = createdAt
    }
}
