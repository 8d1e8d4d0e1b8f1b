import Crypto
import Foundation
import GRDB
import HubKit
import Storage
import Wire

/// Makes an empty hub of an archive that ``ArchiveExport`` wrote.
///
/// A database is made with the schema that the archive was written with, filled, checked, and brought up to date; only then it
/// takes its place. Whatever is refused or cut off leaves the folder as it was.
public struct ArchiveImport {
    /// A file that a row's value is, such as a photo.
    private static let mostValueBytes = 256 << 20
    private static let rowsPerReport = 2_000
    private static let readingsPerTransaction = 20_000

    private let zip: ZipReader<ArchiveBytes>
    private let manifest: ArchiveManifest
    private let companions: [any Companion.Type]
    private let file: String
    private let progress: (ArchiveProgress) throws -> Void
    private var done = 0
    private let total: Int

    /// Takes an archive over. The caller holds the folder's lock, and has not opened its database.
    ///
    /// - Parameters:
    ///   - now: UTC milliseconds.
    ///   - progress: is told how far it is.
    /// - Throws: `ArchiveError`, in words; the folder is what it was.
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
        removePart()
        var placed: [String] = []
        do {
            var work = try ArchiveImport(file, companions, progress)
            try checkIsEmpty(folder)
            try work.checkFiles(in: folder)
            try work.fill(part)
            for one in work.manifest.files {
                placed.append("\(folder.path)/\(one.path)")
                try work.place(one, in: folder)
            }
            let aside = "\(folder.path)/replaced-\(Restoration.name(of: now))"
            for name in ["tandem.sqlite", "tandem.sqlite-wal", "tandem.sqlite-shm"] {
                try BackupFile.move("\(folder.path)/\(name)", to: "\(aside)/\(name)")
            }
            try BackupFile.synchronize(part)
            guard rename(part, folder.databasePath) == 0 else { throw ArchiveError.notWritable(folder.databasePath) }
            try BackupFile.synchronize(folder.path)
            return work.manifest.summary(bytes: try ArchiveBytes(path: file).count)
        } catch {
            removePart()
            for path in placed { try? FileManager.default.removeItem(atPath: path) }
            throw ArchiveError(error, path: file)
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

    /// A folder without a household, with whatever a hub leaves there that was only started.
    private static func checkIsEmpty(_ folder: DataFolder) throws {
        guard FileManager.default.fileExists(atPath: folder.databasePath) else { return }
        var readOnly = Configuration()
        readOnly.readonly = true
        let queue = try DatabaseQueue(path: folder.databasePath, configuration: readOnly)
        defer { try? queue.close() }
        let isEmpty = try queue.read { db in
            try !db.tableExists("household") || Int.fetchOne(db, sql: "SELECT count(*) FROM household") == 0
        }
        guard isEmpty else { throw ArchiveError.notEmpty(folder.path) }
    }

    private mutating func count(_ rows: Int = 1) throws {
        let before = done / Self.rowsPerReport
        done += rows
        if done / Self.rowsPerReport > before { try progress(ArchiveProgress(done: min(done, total), total: total)) }
    }

    private func damaged(_ name: String) -> ArchiveError { .damaged(file, file: name) }

    // MARK: - The database

    private mutating func fill(_ path: String) throws {
        let migrations = companions.flatMap { $0.migrations }
        guard let queue = try HubDatabase.makeFile(path: path, steps: manifest.steps, migrations: migrations) else {
            throw ArchiveError.newer(file)
        }
        do {
            let declared = Dictionary(
                ([ArchivePart.platform] + companions.map { $0.archivePart }).flatMap(\.tables).map { ($0.name, $0) },
                uniquingKeysWith: { first, _ in first })
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
        let columns = try db.columns(in: table.name).map(\.name)
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
                let values = try columns.map { column -> DatabaseValue in
                    guard let value = row[column] else { throw damaged(name) }
                    if known.secrets[column] == .unknowable {
                        return SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.databaseValue
                    }
                    switch value {
                    case .value(let value): return value
                    case .file(let place):
                        guard known.file?.column == column, let entry = zip.files[place] else { throw damaged(place) }
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
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table.name])
            try db.execute(
                sql: "INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", arguments: [table.name, sequence])
        }
    }

    /// - Throws: `ArchiveError.damaged` with the file's name for a line that is none.
    private func forEachLine(of name: String, _ body: ([UInt8]) throws -> Void) throws {
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

    // MARK: - Readings

    private mutating func fillReadings(_ database: HubDatabase) throws {
        let expiries = try database.pool.write { db in
            let known = try db.series().map { ($0.id, try db.expiry(ofSeries: $0.id)) }
            try db.forgetExpiry()
            return known
        }
        let known = Set(expiries.map(\.0))
        for series in manifest.series {
            guard known.contains(series.id) else { throw damaged("data/series.jsonl") }
            var readings: [Reading] = []
            var found = 0
            for name in series.files {
                var isHeader = true
                try forEachLine(of: name) { line in
                    guard !isHeader else { return isHeader = false }
                    readings.append(try reading(line, of: series.id, name))
                    found += 1
                    if readings.count == Self.readingsPerTransaction { try store(&readings, database) }
                }
            }
            try store(&readings, database)
            guard found == series.readings else { throw damaged(series.files.first ?? "readings") }
        }
        try setExpiries(expiries.filter { $0.1 > 0 }, database)
    }

    private func reading(_ line: [UInt8], of series: Int64, _ name: String) throws -> Reading {
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count == 2, let at = Int64(String(decoding: fields[0], as: UTF8.self)),
            let value = Double(String(decoding: fields[1], as: UTF8.self)), !value.isNaN
        else { throw damaged(name) }
        return Reading(series: series, at: at, value: value)
    }

    private mutating func store(_ readings: inout [Reading], _ database: HubDatabase) throws {
        guard !readings.isEmpty else { return }
        let batch = readings
        try database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.insert(batch)
            try writer.finish()
        }
        try count(readings.count)
        readings.removeAll(keepingCapacity: true)
    }

    private func setExpiries(_ expiries: [(Int64, Int64)], _ database: HubDatabase) throws {
        guard !expiries.isEmpty else { return }
        var summaries: [Int64: [RollupSpan: [Bucket]]] = [:]
        if let name = manifest.summaries {
            try forEachLine(of: name) { line in
                let row = try TableLines.read(line)
                func number<Number: DatabaseValueConvertible>(_ column: String) throws -> Number {
                    guard case .value(let value) = row[column], let number = Number.fromDatabaseValue(value) else {
                        throw damaged(name)
                    }
                    return number
                }
                guard let span = RollupSpan(rawValue: try number("span")) else { throw damaged(name) }
                let bucket = Bucket(
                    start: try number("start"), count: try number("n"), low: try number("low"),
                    high: try number("high"), sum: try number("sum"))
                summaries[try number("series"), default: [:]][span, default: []].append(bucket)
            }
        }
        try database.pool.write { db in
            for (series, expiry) in expiries {
                try db.setExpiry(ofSeries: series, to: expiry, summaries: summaries[series] ?? [:])
            }
        }
    }

    // MARK: - Files beside it

    /// Only below folders that a companion has declared, and over nothing that is there.
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

    private func place(_ one: ArchiveManifest.File, in folder: DataFolder) throws {
        guard let entry = zip.files[one.file] else { throw damaged(one.file) }
        let path = "\(folder.path)/\(one.path)"
        try BackupFile.makeFolder((path as NSString).deletingLastPathComponent)
        let target = try ArchiveFile(path: path)
        try zip.read(entry) { try target.append($0) }
        try target.synchronize()
    }
}
