import GRDB
import Synchronization

/// A search for damage in a database, table by table on a connection of its own: between two tables the log can be written
/// to the file, and the hub's readers stay free.
public struct DamageSearch: Sendable {
    private let path: String
    private let state = State()

    private final class State: Sendable {
        let isStopped = Mutex(false)
        let queue = Mutex<DatabaseQueue?>(nil)
    }

    /// Creates the search in a file.
    public init(path: String) { self.path = path }

    /// Ends the search soon.
    public func stop() {
        state.isStopped.withLock { $0 = true }
        state.queue.withLock { $0 }?.interrupt()
    }

    /// The names of the damaged tables.
    ///
    /// - Parameter names: the tables to look at; nil for all.
    /// - Throws: `DatabaseError`, also where it was stopped.
    public func damagedTables(_ names: [String]? = nil) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        state.queue.withLock { $0 = queue }
        defer {
            state.queue.withLock { $0 = nil }
            try? queue.close()
        }
        let tables = try queue.inDatabase { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        }
        var damaged: [String] = []
        for table in tables where names?.contains(table) ?? true {
            if state.isStopped.withLock({ $0 }) { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
            do {
                // Of one table it says nothing of the free pages and of other tables (PRAGMA quick_check).
                let lines = try queue.inDatabase { db in
                    try String.fetchAll(db, sql: "PRAGMA quick_check(\(table.quotedDatabaseIdentifier))")
                }
                if lines != ["ok"] { damaged.append(table) }
            } catch let error as DatabaseError
                where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
            {
                damaged.append(table)
            }
        }
        return damaged
    }
}
