import GRDB

/// The kind of value that a column of the hub's tables holds, by the type in its definition.
///
/// SQLite itself takes any value in any column: `INTEGER` with letters stays text (Datatypes In SQLite, 3). What the hub
/// reads as a number or an identifier has to be one, so a file that came from elsewhere is looked through for what is not.
public enum ColumnKind: Sendable, Equatable {
    case integer, real, text, bytes
    /// A column without a type of the hub's own.
    case any

    /// The kind of a column by its declared type, such as `INTEGER`.
    public init(declared: String) {
        self =
            switch declared.uppercased() {
            case "INTEGER": .integer
            case "REAL": .real
            case "TEXT": .text
            case "BLOB": .bytes
            default: .any
            }
    }

    /// Whether a value that is about to be stored is of this kind; `NULL` is, which the column itself may refuse.
    public func takes(_ value: DatabaseValue) -> Bool {
        switch (self, value.storage) {
        case (_, .null), (.any, _), (.integer, .int64), (.real, .double), (.real, .int64), (.text, .string),
            (.bytes, .blob):
            true
        default: false
        }
    }

    /// The name that SQLite's `typeof` gives stored values of this kind; nil for any.
    fileprivate var stored: String? {
        switch self {
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .bytes: "blob"
        case .any: nil
        }
    }
}

extension Database {
    /// The first column of the hub's tables that holds a value of another kind, as `table.column`; nil if none does.
    public func misplacedValue() throws -> String? {
        let tables = try String.fetchAll(
            self, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        for table in tables {
            let tests = try columns(in: table).compactMap { column -> String? in
                guard let stored = ColumnKind(declared: column.type).stored else { return nil }
                return "WHEN typeof(\(column.name.quotedDatabaseIdentifier)) NOT IN ('\(stored)', 'null') THEN "
                    + "'\(column.name.replacing("'", with: "''"))'"
            }
            guard !tests.isEmpty else { continue }
            let found = try String.fetchOne(
                self,
                sql: """
                    SELECT found FROM (SELECT CASE \(tests.joined(separator: " ")) END AS found
                        FROM \(table.quotedDatabaseIdentifier)) WHERE found IS NOT NULL LIMIT 1
                    """)
            if let found { return "\(table).\(found)" }
        }
        return nil
    }
}
