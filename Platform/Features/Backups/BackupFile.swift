import Crypto
import Foundation
import GRDB
import HubKit
import Storage

/// A backup of a whole hub in one file: a SQLite database with all tables of the hub, and additional tables with its
/// other files (keys, recordings), the number of rows and a hash of each table, and the time at which it was made.
///
/// It is a copy of one moment, made while the hub continues to write (`VACUUM INTO`, SQLite's own way). It is written
/// under a temporary name, read again and compared, and only then gets its name, so a file of that name is never half a
/// backup.
public struct BackupFile: Sendable {
    /// The path of the file.
    public let path: String
    /// The time at which it was made, in UTC milliseconds.
    public let madeAt: Int64
    /// The number of the hub's tables.
    public let tables: Int
    /// The number of rows in the hub's tables.
    public let rows: Int
    /// The reason for which a restore would refuse it, though it is whole, since the hub's database has something that no hub
    /// makes; nil if there is none.
    public var refusal: BackupError?

    /// The statements that make the tables that a backup has besides the hub's.
    static let additions = """
        CREATE TABLE backup_about(made_at INTEGER NOT NULL, version TEXT NOT NULL);
        CREATE TABLE backup_file(path TEXT PRIMARY KEY, mode INTEGER NOT NULL, content BLOB NOT NULL);
        CREATE TABLE backup_table(name TEXT PRIMARY KEY, row_count INTEGER NOT NULL, sha256 BLOB NOT NULL);
        """
    /// The size of a file besides the database, at most, in bytes; recordings have 30 MiB at most.
    static let mostFileBytes = 256 << 20

    // MARK: Making one

    /// Makes a backup of a hub, which may be running.
    ///
    /// - Parameters:
    ///   - folder: the hub's data folder.
    ///   - path: the path of the backup; an existing file is replaced when the new one is complete.
    ///   - now: the current time, in UTC milliseconds.
    ///   - migrations: the companions' migrations, by which ``refusal`` is found; nil to leave that out.
    /// - Throws: `BackupError`, in words; an existing file stays.
    @discardableResult
    public static func make(
        of folder: DataFolder, to path: String, now: Int64, migrations: [Migration]? = nil
    ) throws(BackupError) -> BackupFile {
        guard FileKind(path) == nil || FileKind(path) == .file else { throw .notAFile(path) }
        let part: String
        do {
            part = try folder.part(for: path)
        } catch {
            throw .notWritable(folder.path)
        }
        do {
            try? FileManager.default.removeItem(atPath: part)
            try checkRoom(for: folder, beside: path)
            guard FileManager.default.createFile(atPath: part, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw BackupError.notWritable(path) }
            var readOnly = Configuration()
            readOnly.readonly = true
            readOnly.busyMode = .timeout(5)
            let source = try DatabaseQueue(path: folder.databasePath, configuration: readOnly)
            try source.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [part])
            }
            try source.close()
            let copy = try DatabaseQueue(path: part)
            try copy.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.inTransaction {
                    try HubDatabase.emptyReadingJournal(db)
                    try complete(db, folder, now: now)
                    return .commit
                }
            }
            try copy.close()
            var made = try checkOwn(part, migrations)
            if case .foreign(_, let what, let difference) = made.refusal {
                made.refusal = .unrestorable(
                    path, database: folder.databasePath, what: what, difference: difference)
            }
            try DurableFiles.synchronize(part)
            guard rename(part, path) == 0 else { throw BackupError.notWritable(path) }
            try DurableFiles.synchronize((path as NSString).deletingLastPathComponent)
            return BackupFile(
                path: path, madeAt: made.madeAt, tables: made.tables, rows: made.rows, refusal: made.refusal)
        } catch let error as BackupError {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        } catch let error as DatabaseError {
            try? FileManager.default.removeItem(atPath: part)
            throw BackupError(error, path: path)
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw .other(path, reason: "\(error)")
        }
    }

    /// Reads what was just written. That it is not as a hub makes it is no reason to throw it away: it may be all that there is.
    private static func checkOwn(_ part: String, _ migrations: [Migration]?) throws(BackupError) -> BackupFile {
        guard let migrations else { return try check(part) }
        do throws(BackupError) {
            return try check(part, migrations: migrations)
        } catch {
            switch error {
            case .foreign, .newer, .unreleased: break
            default: throw error
            }
            var whole = try check(part)
            if case .foreign = error { whole.refusal = error }
            return whole
        }
    }

    private static func complete(_ db: Database, _ folder: DataFolder, now: Int64) throws {
        try db.execute(sql: additions)
        try db.execute(
            sql: "INSERT INTO backup_about VALUES (?, ?)", arguments: [now, HubVersion.current])
        for file in try folder.otherFiles() {
            let content = try Data(contentsOf: URL(filePath: "\(folder.path)/\(file.path)"))
            guard content.count <= mostFileBytes else {
                throw BackupError.tooLarge("\(folder.path)/\(file.path)", limit: mostFileBytes)
            }
            try db.execute(
                sql: "INSERT INTO backup_file VALUES (?, ?, ?)", arguments: [file.path, file.mode, content])
        }
        for table in try tables(db) + ["backup_file"] {
            let (count, hash) = try digest(of: table, db)
            try db.execute(sql: "INSERT INTO backup_table VALUES (?, ?, ?)", arguments: [table, count, hash])
        }
    }

    /// Checks that there is enough space for the copy, and for SQLite's temporary files.
    private static func checkRoom(for folder: DataFolder, beside path: String) throws {
        let place = (path as NSString).deletingLastPathComponent
        let bytes = [folder.databasePath, folder.databasePath + "-wal"].reduce(0) {
            $0 + ((try? FileManager.default.attributesOfItem(atPath: $1)[.size] as? Int) ?? 0)
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: place.isEmpty ? "." : place)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.intValue else {
            throw BackupError.notWritable(path)
        }
        guard free > bytes + bytes / 10 + (4 << 20) else {
            throw BackupError.noRoom(path, freeMegabytes: free >> 20, wantedMegabytes: (bytes + bytes / 10) >> 20 + 4)
        }
    }

    /// The names of the hub's tables, sorted.
    static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                    AND name NOT LIKE 'backup\\_%' ESCAPE '\\' ORDER BY name
                """)
    }

    /// The number of rows of a table, and the SHA-256 of each value's type and bytes, in the order of its key.
    static func digest(of table: String, _ db: Database) throws -> (rows: Int, hash: Data) {
        var hash = SHA256()
        var count = 0
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)")
        while let row = try rows.next() {
            count += 1
            for value in row.databaseValues {
                switch value.storage {
                case .null: hash.update(data: [0])
                case .int64(let number):
                    hash.update(data: [1])
                    withUnsafeBytes(of: number.littleEndian) { hash.update(bufferPointer: $0) }
                case .double(let number):
                    hash.update(data: [2])
                    withUnsafeBytes(of: number.bitPattern.littleEndian) { hash.update(bufferPointer: $0) }
                case .string(let text):
                    hash.update(data: [3])
                    withUnsafeBytes(of: Int64(text.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
                    hash.update(data: Data(text.utf8))
                case .blob(let data):
                    hash.update(data: [4])
                    withUnsafeBytes(of: Int64(data.count).littleEndian) { hash.update(bufferPointer: $0) }
                    hash.update(data: data)
                }
            }
        }
        return (count, Data(hash.finalize()))
    }
}
