import Storage

/// An experiment file of a household.
struct ExperimentRecord: TableRecord {
    static let databaseTableName = "lab_experiment"

    var household: String
    var slug: String
    /// The file as it was written.
    var file: String
    /// UTC milliseconds.
    var changedAt: Int64
}
