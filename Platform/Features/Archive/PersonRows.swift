import GRDB

/// Which rows of the tables are a person's: those that name them, and those that belong to such a row and would be removed with
/// it, as the foreign keys of the schema say.
struct PersonRows {
    private let db: Database
    private var conditions: [String: String?] = [:]

    /// Prepares for a database.
    init(_ db: Database) { self.db = db }

    /// The condition in SQL under which a row of a table is a person's, with the person's id as `?1`; nil for a table of which
    /// nothing is anybody's.
    mutating func condition(for table: String) throws -> String? {
        if table == "person" { return "id = ?1" }
        if let known = conditions[table] { return known }
        // A table that refers to itself in a ring does not go round.
        conditions[table] = .some(nil)
        let keys = try keys(of: table)
        var parts = keys.filter { $0.target == "person" }.flatMap(\.columns).map {
            "\($0.from.quotedDatabaseIdentifier) = ?1"
        }
        if parts.isEmpty {
            for key in keys where key.isOwned {
                guard let condition = try condition(for: key.target) else { continue }
                let columns = key.columns.map(\.from.quotedDatabaseIdentifier).joined(separator: ", ")
                let targets = key.columns.map(\.to.quotedDatabaseIdentifier).joined(separator: ", ")
                parts.append(
                    "(\(columns)) IN (SELECT \(targets) FROM \(key.target.quotedDatabaseIdentifier) WHERE \(condition))"
                )
            }
        }
        let condition = parts.isEmpty ? nil : parts.joined(separator: " OR ")
        conditions[table] = .some(condition)
        return condition
    }

    private struct Key {
        var target: String
        /// Whether a row goes when the one that it refers to does.
        var isOwned: Bool
        var columns: [(from: String, to: String)]
    }

    private func keys(of table: String) throws -> [Key] {
        var keys: [Int: Key] = [:]
        let rows = try Row.fetchCursor(
            db, sql: #"SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq"#,
            arguments: [table])
        while let row = try rows.next() {
            let target: String = row["table"]
            let column: (String, String) = (row["from"], try row["to"] ?? primaryKey(of: target))
            keys[row["id"], default: Key(target: target, isOwned: row["on_delete"] == "CASCADE", columns: [])]
                .columns.append(column)
        }
        return keys.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The column to which a foreign key refers that names none.
    private func primaryKey(of table: String) throws -> String { try db.primaryKey(table).columns.first ?? "id" }
}
