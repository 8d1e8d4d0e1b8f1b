import Storage

/// The table of a household's own experiments.
enum ExperimentTables {
    static let migration = Migration("lab-002") { db in
        try db.execute(
            sql: """
                -- Experiment files, as they were written, beside the five that are built in.
                CREATE TABLE lab_experiment(
                    household TEXT NOT NULL REFERENCES household, slug TEXT NOT NULL, file TEXT NOT NULL,
                    changed_at INTEGER NOT NULL, PRIMARY KEY(household, slug)) WITHOUT ROWID;
                """)
    }
}

/// An experiment file of a household.
struct ExperimentRecord: TableRecord {
    static let databaseTableName = "lab_experiment"

    var household: String
    var slug: String
    /// As it was written.
    var file: String
    /// UTC milliseconds.
    var changedAt: Int64
}
