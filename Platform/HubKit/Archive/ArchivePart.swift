import GRDB
import Localization

/// The part of a companion in the archive of a household's data: the tables and files that are included, and those that
/// are not and why.
///
/// Each included table becomes a file of JSON lines, which an import reads. Every table of a companion must be in one
/// of the two lists; a test of the hub checks that.
public struct ArchivePart: Sendable {
    /// The tables that are included.
    public var tables: [ArchivedTable]
    /// The tables that are not included, with the reasons.
    public var leftOut: [LeftOutTables]
    /// The folders below the data folder whose files are included.
    public var folders: [ArchivedFolder]
    /// The descriptions of the companion's readable files and their units: a paragraph each in the archive's README.
    public var words: [LocalizedText]

    /// Declares a companion's part.
    ///
    /// - Parameters:
    ///   - tables: the tables that are included.
    ///   - leftOut: all other tables, with the reasons.
    ///   - folders: the folders whose files are included.
    ///   - words: paragraphs for the archive's README.
    public init(
        tables: [ArchivedTable] = [], leftOut: [LeftOutTables] = [], folders: [ArchivedFolder] = [],
        words: [LocalizedText] = []
    ) {
        (self.tables, self.leftOut, self.folders, self.words) = (tables, leftOut, folders, words)
    }
}

/// A table that is included in the archive, with each row as it is.
public struct ArchivedTable: Sendable, ExpressibleByStringLiteral {
    /// The value in place of a secret.
    public enum Substitute: Sendable, Equatable {
        /// An empty value, for a column that may be empty.
        case null
        /// Random bytes as long as a hash, to which nobody knows the token, for a column that may not be empty.
        case unknowable
    }

    /// A column whose values become files of their own, in a format that other programs open.
    public struct FileColumn: Sendable {
        /// The name of the column, whose values are bytes.
        package var column: String
        /// The path of a row's file below the companion's folder.
        package var name: @Sendable (Row) -> String

        /// Declares a column.
        ///
        /// - Parameters:
        ///   - column: the name of the column, whose values are bytes.
        ///   - name: the path of a row's file below the companion's folder, unique and of plain letters.
        public init(_ column: String, name: @escaping @Sendable (Row) -> String) {
            (self.column, self.name) = (column, name)
        }
    }

    /// The name of the table in the database.
    public var name: String
    /// The columns that contain secrets, each with the value in its place.
    public var secrets: [String: Substitute]
    /// The column whose values become files; nil for none.
    public var file: FileColumn?

    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: the name of the table in the database.
    ///   - secrets: the columns that contain secrets, each with the value in its place.
    ///   - file: the column whose values become files.
    public init(_ name: String, secrets: [String: Substitute] = [:], file: FileColumn? = nil) {
        (self.name, self.secrets, self.file) = (name, secrets, file)
    }

    /// Declares a table without secrets and files.
    public init(stringLiteral name: String) { self.init(name) }
}

/// Tables that are not included in the archive, for one reason.
public struct LeftOutTables: Sendable {
    /// The names of the tables in the database.
    public var names: [String]
    /// The reason, a sentence for the archive's README.
    public var reason: LocalizedText

    /// Declares tables.
    ///
    /// - Parameters:
    ///   - names: the names of the tables in the database.
    ///   - reason: a sentence for the archive's README.
    public init(_ names: [String], _ reason: LocalizedText) { (self.names, self.reason) = (names, reason) }
}

/// A folder below the data folder whose files are included in the archive, as far as the database lists them.
public struct ArchivedFolder: Sendable {
    /// The path of the folder, such as `songs`.
    public var path: String
    /// The files to include: the name of each in the folder, and its path below the companion's folder in the archive.
    public var files: @Sendable (Database) throws -> [(name: String, archived: String)]

    /// Declares a folder.
    ///
    /// - Parameters:
    ///   - path: the path of the folder, such as `songs`.
    ///   - files: the files to include: the name of each in the folder, and its path below the companion's folder in
    ///     the archive.
    public init(
        _ path: String, files: @escaping @Sendable (Database) throws -> [(name: String, archived: String)]
    ) { (self.path, self.files) = (path, files) }
}
