import Backups
import Crypto
import Foundation
import GRDB
import HubKit
import Storage
import Wire

/// An import of an archive that ``ArchiveExport`` wrote into an empty hub.
///
/// A database is created with the schema of the archive, filled, checked, and brought up to date; only then it takes
/// its place. If the import fails or is interrupted, the folder stays as it was.
public struct ArchiveImport {
    /// The size of a file that is the value of a column, such as a photo, at most.
    private static let mostValueBytes = 256 << 20
    private static let rowsPerReport = 2_000

    private let zip: ZipReader<ArchiveBytes>
    let manifest: ArchiveManifest
    private let companions: [any Companion.Type]
    private let file: String
    private let progress: (ArchiveProgress) throws -> Void
    private var done = 0
    private let total: Int

    /// Imports an archive. The caller holds the folder's lock, and has not opened its database.
    ///
    /// - Parameters:
    ///   - file: the path of the archive.
    ///   - folder: the hub's data folder.
    ///   - companions: the companions.
    ///   - now: the current time, in UTC milliseconds.
    ///   - progress: receives the progress.
    /// - Throws: `ArchiveError`, in words; the folder stays as it was.
    public static func read(
        _ file: String, into folder: DataFolder, companions: [any Companion.Type], now: Int64,
        progress: @escaping (ArchiveProgress) throws -> Void = { _ in }
    ) throws(ArchiveError) -> ArchiveSummary {
        let part = folder.path + "/tandem.import"
        func removePart() {
            for ending in ["", "-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: part + ending)
            }
        }
        var files = ImportedFiles(in: folder)
        do {
            removePart()
            let isFree = try isEmpty(folder)
            files.sweep(isEmpty: isFree)
            var work = try ArchiveImport(file, companions, progress)
            guard isFree else { throw ArchiveError.notEmpty(folder.path) }
            try work.checkFiles(in: folder)
            try work.fill(part)
            for one in work.manifest.files { try work.write(one, to: files) }
            let summary = work.manifest.summary(bytes: try ArchiveBytes(path: file).count)
            try DurableFiles.synchronize(part)
            try files.place(work.manifest.files.map(\.path))
            try takePlace(part, in: folder, aside: "\(folder.path)/replaced-\(Restoration.name(of: now))")
            files.keep()
            // Its log is empty since the last checkpoint, and under this name nobody's.
            removePart()
            try DurableFiles.synchronize(folder.path)
            files.finish()
            return summary
        } catch {
            removePart()
            files.undo()
            throw ArchiveError(error, path: file)
        }
    }

    /// Gives a complete database its name. The existing one, of a hub that was started without a household, is moved
    /// aside, and back if this fails.
    static func takePlace(_ part: String, in folder: DataFolder, aside: String) throws {
        var moved: [String] = []
        do {
            for name in ["tandem.sqlite", "tandem.sqlite-wal", "tandem.sqlite-shm"]
            where FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") {
                try DurableFiles.move("\(folder.path)/\(name)", to: "\(aside)/\(name)")
                moved.append(name)
            }
            guard rename(part, folder.databasePath) == 0 else { throw ArchiveError.notWritable(folder.databasePath) }
        } catch {
            for name in moved.reversed() { rename("\(aside)/\(name)", "\(folder.path)/\(name)") }
            // Only where nothing is in it.
            rmdir(aside)
            throw error
        }
    }

    private init(
        _ file: String, _ companions: [any Companion.Type], _ progress: @escaping (ArchiveProgress) throws -> Void
    ) throws {
        (self.file, self.companions, self.progress) = (file, companions, progress)
        zip = try ZipReader(ArchiveBytes(path: file))
        guard let entry = zip.files[ArchiveManifest.name] else { throw ArchiveError.noArchive(file) }
        let content = Data(try zip.content(of: entry, upTo: ArchiveManifest.longest))
        struct Format: Decodable { var format: Int }
        guard let format = try? JSONDecoder().decode(Format.self, from: content).format else {
            throw ArchiveError.noArchive(file)
        }
        guard format <= ArchiveManifest.format else { throw ArchiveError.newer(file) }
        guard let manifest = try? JSONDecoder().decode(ArchiveManifest.self, from: content) else {
            throw ArchiveError.damaged(file, file: ArchiveManifest.name)
        }
        self.manifest = manifest
        total = manifest.tables.reduce(0) { $0 &+ $1.rows } &+ manifest.series.reduce(0) { $0 &+ $1.readings }
    }

    /// Whether a folder has no household, although a hub may have been started in it.
    private static func isEmpty(_ folder: DataFolder) throws -> Bool {
        guard FileManager.default.fileExists(atPath: folder.databasePath) else { return true }
        var readOnly = Configuration()
        readOnly.readonly = true
        let queue = try DatabaseQueue(path: folder.databasePath, configuration: readOnly)
        defer { try? queue.close() }
        return try queue.read { db in
            try !db.tableExists("household") || Int.fetchOne(db, sql: "SELECT count(*) FROM household") == 0
        }
    }

    /// Counts rows or readings, and reports progress.
    mutating func count(_ rows: Int = 1) throws {
        let before = done / Self.rowsPerReport
        done += rows
        if done / Self.rowsPerReport > before { try progress(ArchiveProgress(done: min(done, total), total: total)) }
    }

    func damaged(_ name: String) -> ArchiveError { .damaged(file, file: name) }

    // MARK: - The database

    private mutating func fill(_ path: String) throws {
        let migrations = companions.flatMap { $0.migrations }
        switch HubDatabase.schemaAge(steps: manifest.steps, migrations: migrations) {
        case .known: break
        case .newer: throw ArchiveError.newer(file)
        case .unreleased: throw ArchiveError.unreleased(file)
        }
        let queue = try HubDatabase.makeFile(path: path, steps: manifest.steps, migrations: migrations)
        do {
            let declared = Dictionary(
                ([ArchivePart.platform] + companions.map { $0.archivePart }).flatMap(\.tables).map { ($0.name, $0) },
                uniquingKeysWith: { first, _ in first })
            guard Set(manifest.tables.map(\.name)).count == manifest.tables.count,
                Set(manifest.series.map(\.id)).count == manifest.series.count,
                Set(manifest.files.map(\.path)).count == manifest.files.count
            else { throw damaged(ArchiveManifest.name) }
            try queue.inDatabase { db in
                // The file is nobody's until it has its name: a kill leaves nothing of it.
                try db.execute(sql: "PRAGMA synchronous = OFF")
                try db.inTransaction {
                    for table in manifest.tables {
                        guard let known = declared[table.name] else { throw damaged(table.name) }
                        try fill(known, table, db)
                    }
                    let broken = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
                    if let row = broken.first { throw damaged("data/\(row[0] as String).jsonl") }
                    return .commit
                }
            }
            try queue.close()
        } catch {
            try? queue.close()
            throw error
        }
        let database = try HubDatabase(path: path, migrations: migrations)
        do {
            try fillReadings(database)
            guard try database.integrityProblems().isEmpty else { throw damaged("") }
            // The file alone gets its name: nothing may be left in the log beside it.
            try database.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try database.close()
        } catch {
            try? database.close()
            throw error
        }
    }

    private mutating func fill(_ known: ArchivedTable, _ table: ArchiveManifest.Table, _ db: Database) throws {
        let kinds = try db.columns(in: table.name).map { (name: $0.name, kind: ColumnKind(declared: $0.type)) }
        let columns = kinds.map(\.name)
        // A migration may have put rows into a new table.
        try db.execute(sql: "DELETE FROM \(table.name.quotedDatabaseIdentifier)")
        let statement = try db.makeStatement(
            sql: """
                INSERT INTO \(table.name.quotedDatabaseIdentifier)\
                (\(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", "))) \
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """)
        var rows = 0
        for name in table.files {
            try forEachLine(of: name) { line in
                let row = try TableLines.read(line)
                guard row.count == columns.count else { throw damaged(name) }
                let values = try kinds.map { column, kind -> DatabaseValue in
                    guard let value = row[column] else { throw damaged(name) }
                    switch known.secrets[column] {
                    case .unknowable: return SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.databaseValue
                    // Whatever it says: nobody's password comes from elsewhere.
                    case .null: return .null
                    case nil: break
                    }
                    switch value {
                    case .value(let value):
                        guard kind.takes(value) else {
                            throw ArchiveError.otherType(file, file: name, column: column)
                        }
                        // Files are called by identifiers: one with a path in it would lead elsewhere.
                        if column == "id", case .string(let id) = value.storage, !Self.isFileName(id) {
                            throw ArchiveError.hostile(file, file: name)
                        }
                        return value
                    case .file(let place):
                        guard kind == .bytes, known.file?.column == column, let entry = zip.files[place] else {
                            throw damaged(place)
                        }
                        return Data(try zip.content(of: entry, upTo: Self.mostValueBytes)).databaseValue
                    }
                }
                do {
                    try statement.execute(arguments: StatementArguments(values))
                } catch let error as DatabaseError where error.resultCode != .SQLITE_FULL {
                    // What the table refuses no hub has written.
                    throw damaged(name)
                }
                rows += 1
                try count()
            }
        }
        guard rows == table.rows else { throw damaged(table.files.first ?? table.name) }
        if let sequence = table.sequence {
            // From the highest number on SQLite gives none any more (AUTOINCREMENT).
            guard (0...1 << 53).contains(sequence) else { throw damaged(ArchiveManifest.name) }
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table.name])
            try db.execute(
                sql: "INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", arguments: [table.name, sequence])
        }
    }

    /// Whether a text is a plain file name, which does not lead out of its folder.
    private static func isFileName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text != "." && text != ".." && !text.utf8.contains(UInt8(ascii: "/"))
            && !text.utf8.contains(0)
    }

    /// Calls `body` with each line of a file.
    ///
    /// - Throws: `ArchiveError.damaged` with the file's name for an invalid line.
    func forEachLine(of name: String, _ body: ([UInt8]) throws -> Void) throws {
        guard let entry = zip.files[name] else { throw damaged(name) }
        var lines = LineSplitter()
        do {
            try zip.read(entry) { try lines.take($0, body) }
            try lines.finish(body)
        } catch is TableLines.Malformed {
            throw damaged(name)
        } catch is JSONError {
            throw damaged(name)
        }
    }

    // MARK: - Files beside it

    /// Checks that files are only in folders that a companion has declared, and do not replace existing ones.
    private func checkFiles(in folder: DataFolder) throws {
        let folders = companions.flatMap { $0.archivePart.folders }.map(\.path)
        for one in manifest.files {
            guard DataFolder.isInside(one.path), folders.contains(where: { one.path.hasPrefix($0 + "/") }) else {
                throw ArchiveError.hostile(file, file: one.path)
            }
            guard !FileManager.default.fileExists(atPath: "\(folder.path)/\(one.path)") else {
                throw ArchiveError.notEmpty(folder.path)
            }
        }
    }

    private func write(_ one: ArchiveManifest.File, to files: ImportedFiles) throws {
        guard let entry = zip.files[one.file] else { throw damaged(one.file) }
        let target = try files.makeFile(one.path)
        try zip.read(entry) { try target.append($0) }
        try target.synchronize()
    }
}
