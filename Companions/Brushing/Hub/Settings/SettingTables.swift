import GRDB
import Storage

/// What is decided about a person's brushing. Who moves out takes it along.
enum SettingTables {
    static let migration = Migration("brushing-002") { db in
        try db.execute(
            sql: """
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
                """)
    }
}
