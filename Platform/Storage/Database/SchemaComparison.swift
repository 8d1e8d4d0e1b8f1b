import GRDB

/// A difference between the schema of a file and the one that the hub itself makes with the same migrations.
public struct SchemaDifference: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a difference.
    public enum Kind: Sendable, Equatable {
        /// The hub makes no such thing.
        case foreign
        /// The hub makes it, with other columns, constraints or conditions.
        case changed
        /// The hub makes it, and it is not there.
        case missing
    }

    /// The kind of the difference.
    public var kind: Kind
    /// The word for the thing, such as `table`, `index`, `trigger` or `view`.
    public var thing: String
    /// The name of the thing.
    public var name: String

    /// The statement that takes a foreign thing away again; nil where it is a part of another, or no hub can do without it.
    public var removal: String? {
        guard kind == .foreign, ["table", "index", "trigger", "view"].contains(thing), !name.hasPrefix("sqlite_") else {
            return nil
        }
        return "DROP \(thing.uppercased()) \(name.quotedDatabaseIdentifier)"
    }

    public var description: String {
        let called = "the \(thing) “\(name)”"
        return switch kind {
        case .foreign: "\(called), which no hub makes"
        case .changed: "\(called), which a hub makes otherwise"
        case .missing: "no \(thing) “\(name)”, which every hub has"
        }
    }
}

/// The comparison of a file that came from elsewhere with the schema that the hub makes itself.
///
/// A trigger or view of somebody else's would run with the hub's own statements, and a table without its `CHECK`s lets in
/// what the hub cannot read. So the definitions are compared word for word, as SQLite keeps them: the same migrations write
/// the same words.
extension HubDatabase {
    private struct Definition: Hashable {
        var thing, name, table, sql: String

        /// A table before what belongs to it, and last what SQLite makes by itself: who takes the first away takes those, too.
        static func < (one: Definition, other: Definition) -> Bool {
            (one.rank, one.name) < (other.rank, other.name)
        }

        private var rank: Int { name.hasPrefix("sqlite_") ? 2 : thing == "table" ? 0 : 1 }
    }

    /// The first difference between the schema of a file and the hub's own after the same migrations; nil if there is none.
    ///
    /// - Parameters:
    ///   - db: the file's connection. Nothing of the file is run: only its definitions are read.
    ///   - migrations: the companions' migrations.
    ///   - additions: statements that make what the file has besides, such as the tables of a backup.
    public static func schemaDifference(
        of db: Database, migrations: [Migration], additions: String = ""
    ) throws -> SchemaDifference? {
        let found = try definitions(db)
        let steps = Set(try steps(of: db))
        let own = try DatabaseQueue()
        try migrator(migrations, steps.contains).migrate(own)
        let expected = try own.write { own in
            if !additions.isEmpty { try own.execute(sql: additions) }
            return try definitions(own)
        }
        try own.close()
        let names = Set(expected.map(\.name))
        if let one = found.subtracting(expected).min(by: <) {
            return SchemaDifference(
                kind: names.contains(one.name) ? .changed : .foreign, thing: one.thing, name: one.name)
        }
        guard let missing = expected.subtracting(found).min(by: <) else { return nil }
        return SchemaDifference(kind: .missing, thing: missing.thing, name: missing.name)
    }

    /// The definitions in a file, without what `ANALYZE` counts.
    private static func definitions(_ db: Database) throws -> Set<Definition> {
        var all: [Definition] = []
        for row in try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name") {
            // Of other types than text where somebody wrote them by hand: then they are no definitions of the hub's.
            func text(_ column: Int) -> String { String.fromDatabaseValue(row[column]) ?? "" }
            let one = Definition(thing: text(0), name: text(1), table: text(2), sql: text(3))
            if !statistics.contains(one.name) || one.thing != "table" { all.append(one) }
        }
        let set = Set(all)
        // Of two with one name SQLite would use either.
        guard set.count == all.count else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return set
    }

    /// The tables in which `ANALYZE` counts, which whoever looked after the file may have made.
    public static let statistics: Set = ["sqlite_stat1", "sqlite_stat4"]
}
