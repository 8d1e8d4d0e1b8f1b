/// `archive.json`: what an archive holds and which of its files an import reads. Keys are added, never changed or taken away.
struct ArchiveManifest: Codable, Equatable {
    /// A table's rows, in files of JSON lines.
    struct Table: Codable, Equatable {
        var name: String
        /// In their order.
        var files: [String]
        var rows: Int
        /// The highest number that the table has ever given, where it gives none twice.
        var sequence: Int64?
    }

    /// The readings of a series, in files of comma-separated values.
    struct Series: Codable, Equatable {
        var id: Int64
        var files: [String]
        var readings: Int
    }

    /// A file beside the database.
    struct File: Codable, Equatable {
        /// Below the data folder.
        var path: String
        /// In the archive.
        var file: String
    }

    /// Readings that were damaged on the disk of the hub, and are not in the archive.
    struct Damage: Codable, Equatable, Sendable {
        /// The id of their series.
        var series: Int64
        /// What the device is called that measured them.
        var device: String
        /// Such as `moisture`.
        var quantity: String
        /// UTC milliseconds, `to` excluded.
        var from, to: Int64
    }

    /// Of archives that this hub writes and reads.
    static let format = 1
    /// Its name.
    static let name = "archive.json"
    /// The longest, bytes.
    static let longest = 64 << 20

    var format = Self.format
    /// UTC milliseconds.
    var madeAt: Int64
    /// Of the hub.
    var version: String
    /// The steps that its schema had taken.
    var steps: [String]
    var tables: [Table]
    var series: [Series]
    /// What readings came to that are stored no longer: a file of JSON lines; nil where there is none.
    var summaries: String?
    var files: [File]
    /// Stretches of readings that are missing; nil where none is.
    var damaged: [Damage]?
}

/// How far an export or an import has come, in rows and readings.
public struct ArchiveProgress: Sendable, Equatable {
    /// Those that are done.
    public var done: Int
    /// All of them, as far as is known beforehand.
    public var total: Int
}

/// What an archive holds.
public struct ArchiveSummary: Sendable, Equatable {
    /// Rows of tables, without readings.
    public var rows: Int
    /// Readings of sensors.
    public var readings: Int
    /// When it was made, UTC milliseconds.
    public var madeAt: Int64
    /// Of the file.
    public var bytes: Int
    /// Stretches of readings that were damaged on the disk of the hub, and are missing.
    public var damagedStretches = 0
}
