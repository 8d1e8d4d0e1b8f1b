import Foundation
import GRDB

extension Schema {
    /// What people are reminded of, how they want it, and what they were told.
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

/// Something that a person is to be reminded of, and what became of it so far.
public struct ReminderRecord: TableRecord, Equatable {
    public static let databaseTableName = "reminder"

    public var id: String
    public var household: String
    public var person: String
    /// The companion's slug.
    public var companion: String
    /// The companion's own name for it, such as `morning`.
    public var name: String
    /// The local day on which it comes, since 1 January 1970; nil for one that comes daily.
    public var day: Int32?
    /// The local minute of the day.
    public var minute: Int32
    /// On which days of the week a daily one comes; bit 0 is Monday.
    public var weekdays: Int
    public var isOn: Bool
    /// Whether a daily one stays silent where what it reminds of is done already; nil as its kind is.
    public var silencedByDone: Bool?
    /// The name of a daily one of the same companion and person, for one that comes once at the same minute as that.
    public var follows: String?
    /// What it reminds of, where that has a time of its own: a name that several reminders may share.
    public var event: String?
    public var eventTitle: String?
    public var eventNote: String?
    public var eventDay: Int32?
    public var eventMinute: Int32?
    /// How long the event takes.
    public var eventMinutes: Int32?
    /// How often its time was changed.
    public var sequence = 0
    /// UTC milliseconds, as every `At` and `since`.
    public var changedAt: Int64
    /// It never comes for a moment up to this one.
    public var since: Int64
    /// It never comes for this local day or an earlier one again.
    public var lastDay: Int32?
    /// The moment for which it last came.
    public var lastAt: Int64?
    /// The IANA name of the zone in which `lastDay` was counted.
    public var timeZone: String
    /// When the hub's clock was first seen to be earlier than something stored here; nil while it is not. The clock may
    /// have been wrong before, or be wrong now.
    public var clockSetBackAt: Int64?
    /// When it comes again, after somebody asked for a little more time.
    public var snoozedUntil: Int64?
    /// The moment for which it was last said.
    public var dueAt: Int64?
    public var dueDay: Int32?
    public var dueMinute: Int32?
    /// When it was last said.
    public var firedAt: Int64?
    /// What was said.
    public var title: String?
    public var body: String?
    public var path: String?
    /// Title and body in other languages than English, JSON by their tags.
    public var translations: String?
    /// Whether what was said still stands on open pages.
    public var isVisible = false
    /// The local day for which another reminder's notice has said it along.
    public var gatheredDay: Int32?
    /// Whether what was last said was only tried; then `dueAt`, `dueDay` and `dueMinute` are not about it.
    public var isTrial = false

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

/// An address at which a program elsewhere reads reminders as a calendar. Its token is nowhere stored.
public struct CalendarFeedRecord: TableRecord {
    public static let databaseTableName = "calendar_feed"

    public var id: String
    public var household: String
    /// The adult who made it.
    public var maker: String
    public var tokenHash: Data
    /// Whether it shows everybody of the household, whoever comes; if not, its people are in `calendar_feed_person`.
    public var isEverybody: Bool
    public var createdAt: Int64
    /// When it was last read, to the hour.
    public var readAt: Int64?

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
