import HubKit
import Storage

/// The tables of this companion, beside the platform's own `session` with the events.
enum BrushingTables {
    /// The first is the schema of 0.1.0: what changes is a further migration.
    static let migrations = [
        Migration("brushing-0.1.0") { db in
            try db.execute(sql: results)
            try db.execute(sql: settings)
        },
        Migration("brushing-0.1.0-content") { db in
            try SealedContent.rewrite(BrushingSessionDefinition(), db)
        },
        Migration("brushing-progress") { db in try db.execute(sql: progress) },
        Migration("brushing-0.2.0-brushes") { db in try db.execute(sql: brushes) },
    ]

    private static let results = """
        -- What the engine made of a session's events when they came, on the local day of that time: who moves
        -- later has brushed on the same days all the same. A day is counted from 1 January 1970, a minute from midnight.
        CREATE TABLE brushing_session(
            household TEXT NOT NULL REFERENCES household, id TEXT NOT NULL,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, day INTEGER NOT NULL,
            minute INTEGER NOT NULL, is_morning INTEGER NOT NULL,
            -- UTC milliseconds.
            started_at INTEGER NOT NULL,
            brush_milliseconds INTEGER NOT NULL, floss_milliseconds INTEGER NOT NULL,
            rinse_milliseconds INTEGER NOT NULL, paused_milliseconds INTEGER NOT NULL, skipped INTEGER NOT NULL,
            is_complete INTEGER NOT NULL, counts INTEGER NOT NULL, reason TEXT NOT NULL,
            PRIMARY KEY(household, id),
            FOREIGN KEY(household, id) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
        CREATE INDEX brushing_session_day ON brushing_session(person, day, started_at);
        -- What was given stays given, whatever is decided or delivered later.
        CREATE TABLE brushing_award(
            household TEXT NOT NULL REFERENCES household,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, award INTEGER NOT NULL,
            session TEXT NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(person, award),
            FOREIGN KEY(household, session) REFERENCES session ON DELETE CASCADE) WITHOUT ROWID;
        """

    /// The owners of toothbrushes that speak by Bluetooth.
    private static let brushes = """
        CREATE TABLE brushing_brush(
            device TEXT PRIMARY KEY REFERENCES device, household TEXT NOT NULL REFERENCES household,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE) WITHOUT ROWID;
        CREATE INDEX brushing_brush_person ON brushing_brush(person);
        """

    /// The settings of each person's brushing. They are deleted with the person.
    private static let settings = """
        CREATE TABLE brushing_settings(
            person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            household TEXT NOT NULL REFERENCES household,
            -- The name under which the routine was chosen; NULL for one of their own.
            preset TEXT,
            -- The steps, in the engine's codec.
            routine BLOB NOT NULL,
            has_sound INTEGER NOT NULL, has_vibration INTEGER NOT NULL, has_colour INTEGER NOT NULL,
            -- NULL while their age decides.
            is_child_mode INTEGER,
            per_day INTEGER NOT NULL,
            -- A local day; NULL while nobody has said when.
            head_replaced INTEGER, head_weeks INTEGER NOT NULL) WITHOUT ROWID;
        -- Days, since 1 January 1970, that neither break nor lengthen a streak.
        CREATE TABLE brushing_frozen_day(
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, day INTEGER NOT NULL,
            household TEXT NOT NULL REFERENCES household, reason TEXT NOT NULL,
            PRIMARY KEY(person, day)) WITHOUT ROWID;
        CREATE TABLE brushing_appointment(
            id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            household TEXT NOT NULL REFERENCES household, title TEXT NOT NULL, day INTEGER NOT NULL,
            minute INTEGER NOT NULL, note TEXT);
        CREATE INDEX brushing_appointment_of ON brushing_appointment(person, day);
        """
}
