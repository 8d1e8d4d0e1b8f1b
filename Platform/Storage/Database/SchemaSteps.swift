import GRDB

/// The age of the schema of a file or an archive, compared with this version of Tandem.
public enum SchemaAge: Sendable, Equatable {
    /// The schema has only migrations that this version knows.
    case known
    /// The schema has a migration of a newer version.
    case newer
    /// The schema was made by a build from before 0.1.0, the first release.
    case unreleased
}

/// The migrations that were applied to a schema: a file has those that existed when it was last opened, and an archive those
/// of the hub that wrote it.
extension HubDatabase {
    /// The migrations that were applied to a file, in order.
    public static func steps(of db: Database) throws -> [String] {
        guard try db.tableExists("grdb_migrations") else { return [] }
        return try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }

    /// The age of a schema with some migrations.
    ///
    /// - Parameters:
    ///   - steps: the identifiers of the migrations.
    ///   - migrations: the companions' migrations.
    public static func schemaAge(steps: [String], migrations: [Migration]) -> SchemaAge {
        guard !steps.contains(Schema.unreleased) else { return .unreleased }
        return Set(steps).isSubset(of: (Schema.migrations + migrations).map(\.identifier)) ? .known : .newer
    }

    /// The age of the schema of a file, which is only read.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - migrations: the companions' migrations.
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

    /// Creates a file with the schema after some migrations, for rows of that time;
    /// ``init(path:migrations:checkpointPages:)`` then brings it up to date.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - steps: the identifiers of the migrations, all of them known.
    ///   - migrations: the companions' migrations.
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
