import GRDB
import Localization

/// A companion's part of the archive that holds all a household has: what it takes with it, and what stays behind and why.
///
/// A table of it becomes a file of JSON lines, which is what an import reads. Each table of a companion is in one of the two
/// lists: the hub's own test sees to it.
public struct ArchivePart: Sendable {
    /// The tables that are taken along.
    public var tables: [ArchivedTable]
    /// The tables that stay behind, and why.
    public var leftOut: [LeftOutTables]
    /// Folders below the data folder whose files are taken along.
    public var folders: [ArchivedFolder]
    /// What its readable files are, with their units: a paragraph each in the archive's README.
    public var words: [LocalizedText]

    /// - Parameters:
    ///   - tables: all that are taken along.
    ///   - leftOut: all others.
    ///   - folders: whose files are taken along.
    ///   - words: for the archive's README.
    public init(
        tables: [ArchivedTable] = [], leftOut: [LeftOutTables] = [], folders: [ArchivedFolder] = [],
        words: [LocalizedText] = []
    ) {
        (self.tables, self.leftOut, self.folders, self.words) = (tables, leftOut, folders, words)
    }
}

/// A table that is taken along, each row as it is.
public struct ArchivedTable: Sendable, ExpressibleByStringLiteral {
    /// What stands in a column's place.
    public enum Substitute: Sendable, Equatable {
        /// Nothing, where the column may be empty.
        case null
        /// Random bytes of a hash's length, which nobody knows the word to: the column may not be empty.
        case unknowable
    }

    /// A column whose values are files of their own, in a format that other programs open.
    public struct FileColumn: Sendable {
        package var column: String
        /// Of a row's file: its path below the companion's folder.
        package var name: @Sendable (Row) -> String

        /// - Parameters:
        ///   - column: whose values are bytes.
        ///   - name: of a row's file: its path below the companion's folder, of plain letters and unlike every other.
        public init(_ column: String, name: @escaping @Sendable (Row) -> String) {
            (self.column, self.name) = (column, name)
        }
    }

    /// As in the database.
    public var name: String
    /// Secrets, and what stands in their place.
    public var secrets: [String: Substitute]
    /// Bytes that other programs open.
    public var file: FileColumn?

    /// - Parameters:
    ///   - name: as in the database.
    ///   - secrets: columns that stay behind, and what stands in their place.
    ///   - file: a column whose values are files of their own.
    public init(_ name: String, secrets: [String: Substitute] = [:], file: FileColumn? = nil) {
        (self.name, self.secrets, self.file) = (name, secrets, file)
    }

    /// A table without secrets and files.
    public init(stringLiteral name: String) { self.init(name) }
}

/// Tables that stay behind for one reason.
public struct LeftOutTables: Sendable {
    /// As in the database.
    public var names: [String]
    /// A sentence for the archive's README.
    public var reason: LocalizedText

    /// - Parameters:
    ///   - names: as in the database.
    ///   - reason: a sentence for the archive's README.
    public init(_ names: [String], _ reason: LocalizedText) { (self.names, self.reason) = (names, reason) }
}

/// A folder below the data folder whose files are taken along, those that the database knows.
public struct ArchivedFolder: Sendable {
    /// Such as `songs`.
    public var path: String
    /// What is in it: the file's name in the folder, and its path below the companion's folder in the archive.
    public var files: @Sendable (Database) throws -> [(name: String, archived: String)]

    /// - Parameters:
    ///   - path: such as `songs`.
    ///   - files: the file's name in the folder, and its path below the companion's folder in the archive.
    public init(
        _ path: String, files: @escaping @Sendable (Database) throws -> [(name: String, archived: String)]
    ) { (self.path, self.files) = (path, files) }
}
