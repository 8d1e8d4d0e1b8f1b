import HubKit

/// The manifest `archive.json`: the contents of an archive, and the files for an import. Later versions only add keys.
struct ArchiveManifest: Codable, Equatable {
    /// The rows of a table, in files of JSON lines.
    struct Table: Codable, Equatable {
        var name: String
        /// The files, in order.
        var files: [String]
        var rows: Int
        /// The highest number that the table has ever assigned, if it never reuses one.
        var sequence: Int64?
    }

    /// The readings of a series, in CSV files.
    struct Series: Codable, Equatable {
        var id: Int64
        var files: [String]
        var readings: Int
    }

    /// A file besides the database.
    struct File: Codable, Equatable {
        /// The path below the data folder.
        var path: String
        /// The path in the archive.
        var file: String
    }

    /// Readings that were damaged on the hub's disk and are missing in the archive.
    struct Damage: Codable, Equatable, Sendable {
        /// The id of the series.
        var series: Int64
        /// The name of the device.
        var device: String
        /// The name of the quantity, such as `moisture`.
        var quantity: String
        /// The interval in UTC milliseconds, `to` excluded.
        var from, to: Int64
    }

    /// The version of the format that this hub writes and reads.
    static let format = 1
    /// The name of the manifest's file.
    static let name = "archive.json"
    /// The size of the manifest, at most, in bytes.
    static let longest = 64 << 20

    var format = Self.format
    /// The time of the export, in UTC milliseconds.
    var madeAt: Int64
    /// The version of the hub.
    var version: String
    /// The migrations that were applied to its schema.
    var steps: [String]
    var tables: [Table]
    var series: [Series]
    /// The form of the tables, those of the readings among them; nil in archives of hubs that did not note it.
    var form: TableForm?
    /// The path of the summaries of expired readings, in JSON lines; nil if there are none.
    var summaries: String?
    var files: [File]
    /// The intervals of missing readings; nil if there are none.
    var damaged: [Damage]?
}

/// The progress of an export or import, in rows and readings.
public struct ArchiveProgress: Sendable, Equatable {
    /// The number of rows and readings that are done.
    public var done: Int
    /// The number of all rows and readings, as far as is known beforehand.
    public var total: Int
}

/// The contents of an archive in numbers.
public struct ArchiveSummary: Sendable, Equatable {
    /// The number of rows of tables, without readings.
    public var rows: Int
    /// The number of readings.
    public var readings: Int
    /// The time of the export, in UTC milliseconds.
    public var madeAt: Int64
    /// The size of the file, in bytes.
    public var bytes: Int
    /// The number of intervals of readings that were damaged on the hub's disk and are missing.
    public var damagedStretches = 0
}
