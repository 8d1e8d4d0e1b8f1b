import GRDB

/// How the schema of a file or of an archive stands to this Tandem's.
public enum SchemaAge: Sendable, Equatable {
    /// This Tandem has all steps that it has taken.
    case known
    /// A newer Tandem than this one took a step of it.
    case newer
    /// A build from before 0.1.0 made it, the first release.
    case unreleased
}

/// The steps of a schema: a file has taken those that there were when it was last opened, and an archive is as old as the hub
/// that wrote it.
extension HubDatabase {
    /// The steps that a file's schema has taken, in their order.
    public static func steps(of db: Database) throws -> [String] {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }

    /// How a schema that has taken some steps stands to this Tandem's.
    ///
    /// - Parameters:
    ///   - steps: by their identifiers.
    ///   - migrations: the companions'.
    public static func schemaAge(steps: [String], migrations: [Migration]) -> SchemaAge {
        guard !steps.contains(Schema.unreleased) else { return .unreleased }
        return Set(steps).isSubset(of: (Schema.migrations + migrations).map(\.identifier)) ? .known : .newer
    }

    /// How the schema of a file, which is only read, stands to this Tandem's.
    ///
    /// - Parameter migrations: the companions'.
    public static func schemaAge(path: String, migrations: [Migration]) throws -> SchemaAge {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return schemaAge(steps: try queue.read { db in try steps(of: db) }, migrations: migrations)
        } catch let error as DatabaseError {
            throw HubDatabaseError(error, path: path)
        }
    }

    /// Makes a new file with the schema as some steps left it, for rows that were written then; ``init(path:migrations:checkpointPages:)``
    /// brings it up to date.
    ///
    /// - Parameters:
    ///   - steps: by their identifiers, all of them known.
    ///   - migrations: the companions'.
    public static func makeFile(path: String, steps: [String], migrations: [Migration]) throws -> DatabaseQueue {
        do {
            makePrivate(path)
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { db in try prepare(db) }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try migrator(migrations, Set(steps).contains).migrate(queue)
            return queue
        } catch let error as DatabaseError {
            throw HubDatabaseError(error, path: path)
        }
    }
}
