import Foundation
import GRDB
import GRDBSQLite
import Logging

/// The hub's only SQLite file, in WAL mode with `synchronous=FULL`, so that committed data survives a power cut.
///
/// `DatabasePool` lets readers continue while the only writer commits. Every write of the hub goes through that writer:
/// readings in the batch writer's batches, the rest in transactions of their own.
public struct HubDatabase: Sendable {
    /// The connection pool: many readers and one writer.
    public let pool: DatabasePool
    /// A connection that only reads, for short questions that must not wait until one of the pool is free.
    public let reader: DatabaseQueue
    /// The path of the file.
    public let path: String

    /// The number of pages of log that SQLite collects before it writes them to the file. With a thousand busy series,
    /// 10,000 pages (40 MB) store half as many readings again as SQLite's own 1,000.
    public static let defaultCheckpointPages = 10_000

    /// Opens or creates the file and applies new migrations.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - migrations: the companions' migrations, applied after the platform's, each once.
    ///   - checkpointPages: the number of pages of log before they are written to the file.
    /// - Throws: `HubDatabaseError`, in words for the person who started the hub.
    public init(
        path: String, migrations: [Migration] = [], checkpointPages: Int = HubDatabase.defaultCheckpointPages
    ) throws {
        self.path = path
        do {
            var configuration = Configuration()
            // Another process (`tandem device add`) may hold the lock for a moment: wait for it.
            configuration.busyMode = .timeout(5)
            configuration.foreignKeysEnabled = true
            configuration.prepareDatabase { db in try Self.prepare(db) }
            Self.makePrivate(path)
            pool = try DatabasePool(path: path, configuration: configuration)
            var reading = Configuration()
            reading.readonly = true
            reading.busyMode = .timeout(0.1)
            reader = try DatabaseQueue(path: path, configuration: reading)
            try pool.writeWithoutTransaction { db in
                // Only now: opening a pool sets synchronous = NORMAL, which does not survive a power cut.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(checkpointPages)")
                // The undo of a statement that fails half-way stays in memory.
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
                // A transaction stays in memory until it commits: SQLite 3.40.1, Debian 12's, writes frames that no
                // recovery finds where it rolled back to a savepoint after it had spilled (ADR 41).
                try db.execute(sql: "PRAGMA cache_spill = OFF")
            }
            switch try pool.read({ db in Self.schemaAge(steps: try Self.steps(of: db), migrations: migrations) }) {
            case .known: break
            case .newer: throw HubDatabaseError.newer(path: path)
            case .unreleased: throw HubDatabaseError.unreleased(path: path)
            }
            try Self.migrator(migrations).migrate(pool)
            // Before anybody reads: where the hub was killed under a load of many series.
            try emptyReadingJournal()
        } catch let error as HubDatabaseError {
            throw error
        } catch let error as DatabaseError {
            throw HubDatabaseError(error, path: path)
        }
    }

    /// Prepares a connection to the file, whoever creates it.
    static func prepare(_ db: Database) throws {
        // What was removed leaves no name in pages that are free: they are overwritten.
        try db.execute(sql: "PRAGMA secure_delete = ON")
        // Free pages can be given back one by one; that is decided before the first of a file is written.
        guard !db.configuration.readonly, try Int.fetchOne(db, cached: "PRAGMA page_count") == 0 else { return }
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    }

    /// The platform's migrations and the companions', in their order.
    ///
    /// - Parameters:
    ///   - migrations: the companions' migrations.
    ///   - isWanted: whether to include a migration, by its identifier.
    static func migrator(
        _ migrations: [Migration], _ isWanted: (String) -> Bool = { _ in true }
    ) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in Schema.migrations + migrations where isWanted(migration.identifier) {
            migrator.registerMigration(migration.identifier) { db in try migration.apply(db) }
        }
        return migrator
    }

    /// Makes the file readable by its owner alone, before SQLite opens it: the log and the index beside it get its
    /// permissions. If that fails, opening it says why.
    static func makePrivate(_ path: String) {
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // A file that was there is not opened: closing it would give up the locks that this process has on it.
        guard made < 0 else { return _ = Foundation.close(made) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else { return }
        chmod(path, status.st_mode & 0o700)
    }

    /// Empties the log into the file, so that removed data is in neither. It waits for readers for some seconds at
    /// most; if one reads longer, see ``emptyLog(retryingEvery:)``.
    ///
    /// - Returns: whether the log is empty.
    @discardableResult
    public func emptyLog() async throws -> Bool {
        try await pool.writeWithoutTransaction { db in
            do {
                try db.checkpoint(.truncate)
                return true
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return false
            }
        }
    }

    /// Empties the log into the file. If a reader takes longer than it waits, it tries again in the background until it
    /// succeeds or the database is closed, which empties the log too.
    ///
    /// - Returns: the further attempts; nil if none was needed.
    @discardableResult
    public func emptyLog(retryingEvery pause: Duration) async throws -> Task<Void, any Error>? {
        guard try await !emptyLog() else { return nil }
        return Task {
            repeat { try await Task.sleep(for: pause) } while try await !emptyLog()
        }
    }

    /// The problems that SQLite finds in the whole file; empty if there are none.
    public func integrityProblems() throws -> [String] {
        do {
            let lines = try pool.read { db in try String.fetchAll(db, cached: "PRAGMA integrity_check(20)") }
            return lines == ["ok"] ? [] : lines
        } catch let error as DatabaseError {
            throw HubDatabaseError(error, path: path)
        }
    }

    /// The version of SQLite that this process uses, such as `3.40.1`.
    public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

    /// The size of the file without its log, in bytes.
    public func bytes() throws -> Int {
        try pool.read { db in
            try Int.fetchOne(db, cached: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
                ?? 0
        }
    }

    /// Waits for the writer and closes: everything committed is in the file, and readings are in their rows.
    public func close() throws {
        // What a full disk does not take is moved at the next start.
        try? emptyReadingJournal()
        // Before the pool: the last connection that closes empties the log.
        try reader.close()
        try pool.close()
    }
}

/// A step of the schema, applied once and remembered by its identifier, such as `hub-0.1.0`.
///
/// What was released stays as it is: a change of the schema is a further one.
public struct Migration: Sendable {
    /// The identifier, such as `hub-0.1.0`.
    public let identifier: String
    let apply: @Sendable (Database) throws -> Void

    /// Creates a migration.
    public init(_ identifier: String, apply: @escaping @Sendable (Database) throws -> Void) {
        self.identifier = identifier
        self.apply = apply
    }
}

/// The reason why the database cannot be used, with what to do about it.
public enum HubDatabaseError: Error, CustomStringConvertible {
    case corrupt(path: String)
    case locked(path: String)
    case full(path: String)
    case newer(path: String)
    /// The file was written by a build from before the first release.
    case unreleased(path: String)
    case notPermitted(path: String)
    /// The disk can be read but not written.
    case readOnly(path: String)
    /// The disk gives no locks, or no memory that processes share.
    case noLocks(path: String)
    case other(path: String, reason: String)

    /// Creates the error for one of SQLite's.
    public init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
        case .SQLITE_FULL: self = .full(path: path)
        // As network disks answer: https://www.sqlite.org/rescode.html, and /wal.html, 1.
        case .SQLITE_PROTOCOL, .SQLITE_NOLFS: self = .noLocks(path: path)
        case .SQLITE_IOERR where Self.lockFaults.contains(error.extendedResultCode): self = .noLocks(path: path)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self = Self.isOnReadOnlyDisk(path) ? .readOnly(path: path) : .notPermitted(path: path)
        default:
            // One result code of SQLite's has some thirty causes, such as "disk I/O error".
            let code = error.extendedResultCode.rawValue
            self = .other(path: path, reason: "\(error.message ?? error.description) (SQLite \(code))")
        }
    }

    private static let lockFaults: [ResultCode] = [
        .SQLITE_IOERR_LOCK, .SQLITE_IOERR_RDLOCK, .SQLITE_IOERR_UNLOCK, .SQLITE_IOERR_CHECKRESERVEDLOCK,
        .SQLITE_IOERR_SHMLOCK, .SQLITE_IOERR_SHMMAP, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE,
    ]

    private static func isOnReadOnlyDisk(_ path: String) -> Bool {
        var disk = statvfs()
        return statvfs(path, &disk) == 0 && disk.f_flag & UInt(ST_RDONLY) != 0
    }

    public var description: String {
        switch self {
        case .corrupt(let path):
            "\(path) is damaged or not a Tandem database. Move it away and restore a copy, or start with another --data folder."
        case .locked(let path):
            "\(path) is held by another program. Close whatever has it open, then try again."
        case .full(let path): "The disk that holds \(path) is full. Free some space, then try again."
        case .newer(let path):
            "\(path) was written by a newer Tandem than this one. Install that version or a later one."
        case .unreleased(let path):
            "\(path) was written by a build of Tandem from before 0.1.0, the first release, which reads no such file. Nothing in it was changed. Start with another --data folder, or go on with the build that wrote it."
        case .notPermitted(let path): "\(path) cannot be opened or written. Check that its folder exists and is yours."
        case .readOnly(let path):
            "The disk that holds \(path) can be read but not written: it is worn out, or was mounted so. Nothing was lost. Make it writable (mount -o remount,rw), or copy the folder to another disk and start with --data there."
        case .noLocks(let path):
            "The disk that holds \(path) gives no locks, as network disks do whose lock service does not run. Nothing was lost. Copy the folder to a disk of this machine and start with --data there."
        case .other(let path, let reason): "\(path) cannot be used: \(reason)"
        }
    }
}
