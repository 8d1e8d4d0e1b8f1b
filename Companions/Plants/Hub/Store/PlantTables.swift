import Storage

/// The tables of this companion.
enum PlantTables {
    /// The first is the schema of 0.1.0: what changes is a further migration.
    static let migrations = [
        Migration("plants-0.1.0") { db in
            try db.execute(sql: plants)
            try db.execute(sql: original)
        }
    ]

    /// The plants with their sensors, and what was done for them. All times are UTC milliseconds; moisture is percent.
    private static let plants = """
        CREATE TABLE plant(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
            place TEXT NOT NULL,
            -- Of the table of kinds: its Latin name.
            kind TEXT,
            art TEXT NOT NULL,
            -- Of moisture; limits of other quantities as JSON: {"temperature":{"low":15,"high":28}}.
            low REAL NOT NULL, high REAL NOT NULL, likes TEXT NOT NULL DEFAULT '{}',
            -- NULL: nobody wants it.
            fertilise_weeks INTEGER, repot_years INTEGER,
            created_at INTEGER NOT NULL, removed_at INTEGER, snoozed_until INTEGER,
            examined_to INTEGER NOT NULL DEFAULT 0);
        -- A sensor's readings belong to a plant from `since` to `until`: it may stand in another pot later.
        CREATE TABLE plant_sensor(
            plant TEXT NOT NULL REFERENCES plant, device TEXT NOT NULL REFERENCES device,
            household TEXT NOT NULL REFERENCES household, position INTEGER NOT NULL,
            since INTEGER NOT NULL, until INTEGER, PRIMARY KEY(plant, device, since));
        CREATE UNIQUE INDEX plant_sensor_now ON plant_sensor(device) WHERE until IS NULL;
        -- What a sensor's raw values mean, as somebody has measured it. `dry` and `wet` are NULL where the
        -- sensor's own scale was chosen again: from `changed_at` on, another scale counts than before.
        CREATE TABLE plant_calibration(
            device TEXT PRIMARY KEY REFERENCES device, household TEXT NOT NULL REFERENCES household,
            probe TEXT NOT NULL CHECK(probe IN ('moisture', 'capacitance')), dry REAL, wet REAL,
            changed_at INTEGER NOT NULL, person TEXT REFERENCES person ON DELETE SET NULL);
        CREATE TABLE watering(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            plant TEXT NOT NULL REFERENCES plant, at INTEGER NOT NULL,
            "by" TEXT NOT NULL CHECK("by" IN ('sensor', 'hand')),
            person TEXT REFERENCES person ON DELETE SET NULL,
            -- Of what a sensor saw: how sure it is, 0 to 1, and the moisture.
            confidence REAL, level_before REAL, level_after REAL,
            undone_at INTEGER, UNIQUE(plant, at, "by"));
        CREATE TABLE plant_care(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
            plant TEXT NOT NULL REFERENCES plant, at INTEGER NOT NULL,
            what TEXT NOT NULL CHECK(what IN ('fertilised', 'repotted', 'note')), note TEXT NOT NULL,
            person TEXT REFERENCES person ON DELETE SET NULL, undone_at INTEGER);
        CREATE INDEX plant_care_at ON plant_care(plant, at);
        -- A picture of an entry.
        CREATE TABLE plant_photo(
            entry TEXT PRIMARY KEY REFERENCES plant_care ON DELETE CASCADE,
            household TEXT NOT NULL REFERENCES household, type TEXT NOT NULL, bytes BLOB NOT NULL);
        CREATE TABLE virtual_plant(
            device TEXT PRIMARY KEY REFERENCES device, household TEXT NOT NULL REFERENCES household,
            seed INTEGER NOT NULL, art TEXT NOT NULL, started_at INTEGER NOT NULL, silent_from INTEGER,
            cared_until INTEGER, troubled_until INTEGER NOT NULL);
        """

    /// The clients of the original app, with their gardens, and what their plants and sensors are here.
    private static let original = """
        CREATE TABLE legacy_client(
            id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
            adopted_by TEXT REFERENCES person ON DELETE SET NULL, adopted_at INTEGER,
            seen_at INTEGER NOT NULL DEFAULT 0, UNIQUE(household, name));
        CREATE TABLE legacy_plant(
            client INTEGER NOT NULL REFERENCES legacy_client ON DELETE CASCADE, position INTEGER NOT NULL,
            household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL, sensors TEXT NOT NULL,
            plant TEXT REFERENCES plant, PRIMARY KEY(client, position));
        CREATE TABLE legacy_sensor(
            client INTEGER NOT NULL REFERENCES legacy_client ON DELETE CASCADE, sensor TEXT NOT NULL,
            household TEXT NOT NULL REFERENCES household, device TEXT NOT NULL REFERENCES device,
            PRIMARY KEY(client, sensor));
        -- What a client deleted of an adopted garden: it is gone for the client, and stays the household's.
        CREATE TABLE legacy_deleted(
            client INTEGER NOT NULL REFERENCES legacy_client ON DELETE CASCADE,
            plant TEXT NOT NULL REFERENCES plant ON DELETE CASCADE, name TEXT NOT NULL,
            PRIMARY KEY(client, plant));
        """
}
