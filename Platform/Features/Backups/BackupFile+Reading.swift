import Foundation
import GRDB
import HubKit
import Storage

/// The reading of a backup, which may have come from anywhere.
extension BackupFile {
    /// Reads a whole backup and compares it with its own hashes.
    ///
    /// With `migrations` it is also compared with what the hub makes itself: the definitions of all tables, indexes and
    /// constraints, the type of every value against its column, and the paths of its files. Nothing in a backup is run for
    /// that: a view or trigger in it is refused by its definition.
    ///
    /// - Parameters:
    ///   - path: the path of the backup.
    ///   - migrations: the companions' migrations; nil for a backup that the hub has just written itself.
    /// - Throws: `BackupError.damaged` and others, in words.
    public static func check(_ path: String, migrations: [Migration]? = nil) throws(BackupError) -> BackupFile {
        switch FileKind(path) {
        case nil: throw .missing(path)
        case .file: break
        default: throw .notAFile(path)
        }
        do {
            var configuration = Configuration()
            // Of a file that it may only read SQLite forgets the CHECKs (build.c, sqlite3AddCheckConstraint).
            configuration.readonly = access(path, W_OK) != 0
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                guard try db.tableExists("backup_about"), try db.tableExists("backup_table") else {
                    throw BackupError.noBackup(path)
                }
                if let migrations { try checkSchema(db, path, migrations) }
                let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
                guard lines == ["ok"] else { throw BackupError.damaged(path) }
                if migrations != nil { try checkValues(db, path) }
                return try checkHashes(db, path)
            }
        } catch let error as BackupError {
            throw error
        } catch let error as DatabaseError {
            throw BackupError(error, path: path)
        } catch {
            throw .other(path, reason: "\(error)")
        }
    }

    private static func checkSchema(_ db: Database, _ path: String, _ migrations: [Migration]) throws {
        switch HubDatabase.schemaAge(steps: try HubDatabase.steps(of: db), migrations: migrations) {
        case .known: break
        case .newer: throw BackupError.newer(path)
        case .unreleased: throw BackupError.unreleased(path)
        }
        if let difference = try HubDatabase.schemaDifference(of: db, migrations: migrations, additions: additions) {
            throw BackupError.foreign(path, what: "it has \(difference)".printable, difference: difference)
        }
    }

    private static func checkValues(_ db: Database, _ path: String) throws {
        if let column = try db.misplacedValue() {
            throw BackupError.foreign(path, what: "there is a value of another type in “\(column)”")
        }
        if let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") {
            let table = String.fromDatabaseValue(row[0]) ?? ""
            throw BackupError.foreign(path, what: "a row of “\(table)” belongs to one that is not there")
        }
        let names = try String.fetchAll(db, sql: "SELECT path FROM backup_file ORDER BY path")
        let all = Set(names)
        for name in names {
            guard DataFolder.isOtherFile(name) else {
                throw BackupError.foreign(path, what: "no file of a hub’s is called “\(name.printable)”")
            }
            var parent = (name as NSString).deletingLastPathComponent
            while !parent.isEmpty {
                guard !all.contains(parent) else {
                    throw BackupError.foreign(path, what: "“\(parent.printable)” is a file and a folder in it")
                }
                parent = (parent as NSString).deletingLastPathComponent
            }
        }
    }

    private static func checkHashes(_ db: Database, _ path: String) throws -> BackupFile {
        guard let about = try Row.fetchOne(db, sql: "SELECT made_at FROM backup_about"),
            let madeAt = Int64.fromDatabaseValue(about[0])
        else { throw BackupError.noBackup(path) }
        var rows = 0
        let said = try Row.fetchAll(db, sql: "SELECT name, row_count, sha256 FROM backup_table ORDER BY name")
        let there = try tables(db) + ["backup_file"]
        guard said.count == there.count, Set(said.map { String.fromDatabaseValue($0[0]) ?? "" }) == Set(there) else {
            throw BackupError.damaged(path)
        }
        for table in said {
            let (count, hash) = try digest(of: table[0], db)
            guard Int.fromDatabaseValue(table[1]) == count, Data.fromDatabaseValue(table[2]) == hash else {
                throw BackupError.damaged(path)
            }
            rows += count
        }
        return BackupFile(path: path, madeAt: madeAt, tables: said.count - 1, rows: rows)
    }

    /// The paths of the files in a backup that was checked.
    static func names(in path: String) throws(BackupError) -> [String] {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in try String.fetchAll(db, sql: "SELECT path FROM backup_file ORDER BY path") }
        } catch let error as DatabaseError {
            throw BackupError(error, path: path)
        } catch {
            throw .other(path, reason: "\(error)")
        }
    }

    /// Writes the hub's other files that a backup holds below a folder, which is new.
    ///
    /// - Returns: their paths below it.
    static func unpack(_ path: String, to folder: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        var names: [String] = []
        try queue.read { db in
            let files = try Row.fetchCursor(db, sql: "SELECT path, mode, content FROM backup_file ORDER BY path")
            while let row = try files.next() {
                guard let name = String.fromDatabaseValue(row[0]), DataFolder.isOtherFile(name),
                    let mode = Int.fromDatabaseValue(row[1]), let content = Data.fromDatabaseValue(row[2])
                else { throw BackupError.damaged(path) }
                let place = "\(folder)/\(name)"
                try DurableFiles.makeFolder((place as NSString).deletingLastPathComponent)
                // Its owner can read and write each, whatever it says of others.
                try DurableFiles.write(content, to: place, mode: mode & 0o100 | 0o600)
                names.append(name)
            }
        }
        return names
    }

    /// Removes what a backup has besides the hub's database. Done already, it changes nothing.
    static func removeAdditions(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.write { db in
            for table in ["backup_about", "backup_file", "backup_table"] + HubDatabase.statistics.sorted() {
                try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
            }
        }
    }
}

extension String {
    /// The text without what would move the cursor of a terminal or turn its direction.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.prefix(200).map { scalar -> Unicode.Scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}
