import Backups
import Foundation
import GRDB
import HubKit
import Localization
import Storage
import Wire

/// An export of a household's data into one archive of open formats, as of one moment, while the hub continues.
///
/// The files for an import are in `data` and `readings`; besides them companions add the same data in formats that
/// other programs open. No more than a row is in memory at once. The archive is written under a temporary name, read
/// again, and only then gets its name.
public struct ArchiveExport {
    /// The size above which a file of JSON lines or readings is continued in another, in bytes.
    static let mostPartBytes = 1 << 30
    /// The number of rows after which progress is reported.
    private static let rowsPerReport = 2_000

    private let database: HubDatabase
    private let folder: DataFolder
    let companions: [any Companion.Type]
    /// The form of the tables.
    let form: TableForm
    let progress: (ArchiveProgress) throws -> Void

    var zip: ZipWriter<ArchiveFile>
    var manifest: ArchiveManifest
    private(set) var done = 0
    var total = 0
    /// The size of the current file, in bytes.
    private(set) var partBytes = 0

    /// Writes an archive.
    ///
    /// - Parameters:
    ///   - database: the hub's database.
    ///   - folder: the hub's data folder.
    ///   - companions: the companions.
    ///   - path: the path of the archive; an existing file is replaced when the new one is complete.
    ///   - person: the id of the one person whose data it is; nil for all of the household's.
    ///   - form: the form of the tables.
    ///   - now: the current time, in UTC milliseconds.
    ///   - progress: receives the progress every few thousand rows; an error that it throws ends the export.
    /// - Throws: `ArchiveError`, in words; an existing file stays.
    public static func write(
        _ database: HubDatabase, in folder: DataFolder, companions: [any Companion.Type], to path: String,
        of person: String? = nil, form: TableForm = .plain, now: Int64,
        progress: @escaping (ArchiveProgress) throws -> Void = { _ in }
    ) throws(ArchiveError) -> ArchiveSummary {
        guard FileKind(path) == nil || FileKind(path) == .file else { throw .notAFile(path) }
        let part: String
        do {
            part = try folder.part(for: path)
        } catch {
            throw .notWritable(folder.path)
        }
        do {
            try? FileManager.default.removeItem(atPath: part)
            let file = try ArchiveFile(path: part)
            var readOnly = Configuration()
            readOnly.readonly = true
            readOnly.busyMode = .timeout(5)
            // A connection of its own: the readers of the hub's stay free.
            let queue = try DatabaseQueue(path: database.path, configuration: readOnly)
            defer { try? queue.close() }
            let manifest = try queue.read { db in
                var export = ArchiveExport(
                    database: database, folder: folder, companions: companions, form: form, file: file, now: now,
                    progress)
                if let person {
                    try export.writeAll(of: person, db, path: path)
                } else {
                    try export.writeAll(db, path: path)
                }
                return export.manifest
            }
            try file.synchronize()
            try check(part)
            guard rename(part, path) == 0 else { throw ArchiveError.notWritable(path) }
            try DurableFiles.synchronize((path as NSString).deletingLastPathComponent)
            let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return manifest.summary(bytes: bytes ?? 0)
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw ArchiveError(error, path: path)
        }
    }

    private init(
        database: HubDatabase, folder: DataFolder, companions: [any Companion.Type], form: TableForm,
        file: ArchiveFile, now: Int64, _ progress: @escaping (ArchiveProgress) throws -> Void
    ) {
        (self.database, self.folder, self.companions, self.progress) = (database, folder, companions, progress)
        self.form = form
        zip = ZipWriter(file)
        manifest = ArchiveManifest(
            madeAt: now, version: HubVersion.current, steps: [], tables: [], series: [], form: form, files: [])
    }

    /// Reads every file in an archive again, to check it.
    private static func check(_ path: String) throws {
        let reader = try ZipReader(ArchiveBytes(path: path))
        for file in reader.files.values { try reader.read(file) { _ in } }
    }

    // MARK: - All of it

    private mutating func writeAll(_ db: Database, path: String) throws {
        guard let household = try HouseholdRecord.fetchOne(db) else { throw ArchiveError.noHousehold(folder.path) }
        let readings = try db.readingCount()
        total = readings
        for table in parts.flatMap(\.part.tables) {
            total += try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.name.quotedDatabaseIdentifier)") ?? 0
        }
        try checkRoom(readings: readings, beside: path)
        manifest.steps = try HubDatabase.steps(of: db)
        for (slug, part) in parts {
            for table in part.tables { try writeRows(of: table, slug: slug, db) }
        }
        try writeReadings(db)
        try writeExpired(db)
        // It says what of the readings is missing.
        try writeReadMe(parts.map(\.part), household)
        for (slug, part) in parts {
            for one in part.folders { try write(one, slug: slug, db) }
        }
        try writeReadable(household, of: try PersonRecord.all(of: household.id, db), db)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try zip.add(ArchiveManifest.name, Array(try encoder.encode(manifest)) + Array("\n".utf8))
        try zip.finish()
        try progress(ArchiveProgress(done: total, total: total))
    }

    /// Checks that there is enough space: a reading is some 24 bytes of text, and the rest about its size in the
    /// database.
    func checkRoom(readings: Int, beside path: String) throws {
        let place = (path as NSString).deletingLastPathComponent
        let other = try folder.otherFiles().reduce(0) { sum, file in
            sum
                + ((try? FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(file.path)")[.size] as? Int)
                    ?? 0)
        }
        let wanted = readings * 24 + (try database.bytes()) + other + 4 << 20
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: place.isEmpty ? "." : place)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.intValue else {
            throw ArchiveError.notWritable(path)
        }
        guard free > wanted else {
            throw ArchiveError.noRoom(path, freeMegabytes: free >> 20, wantedMegabytes: wanted >> 20)
        }
    }

    private mutating func writeReadMe(_ parts: [ArchivePart], _ household: HouseholdRecord) throws {
        for (language, file) in readMeLanguages {
            let text = ArchiveReadMe(
                parts: parts, household: household, madeAt: manifest.madeAt, damaged: manifest.damaged ?? []
            ).text(Localizer(language, from: catalog))
            try zip.add(file, Array(text.utf8))
        }
    }

    /// The parts of the platform and of the companions, each with its folder.
    var parts: [(slug: String, part: ArchivePart)] {
        [("household", .platform)] + companions.map { ($0.slug, $0.archivePart) }
    }

    /// The texts of the hub and all companions, in all languages.
    var catalog: StringCatalog { companions.reduce(StringCatalog.archive) { $0.merging($1.sentences) } }

    /// The languages of the README, each with its file.
    var readMeLanguages: [(language: Language, file: String)] {
        [(.english, "README.md")]
            + catalog.languages.sorted { $0.tag < $1.tag }.map { ($0, "README.\($0.tag).md") }
    }

    /// Counts a row or reading, and reports progress.
    mutating func count() throws {
        done += 1
        if done % Self.rowsPerReport == 0 { try progress(ArchiveProgress(done: done, total: max(done, total))) }
    }

    // MARK: - Parted files

    /// Begins a file that may be continued in others.
    mutating func begin(_ name: String, _ ending: String, number: Int) throws -> String {
        let file = number == 1 ? "\(name).\(ending)" : "\(name)-part\(number).\(ending)"
        partBytes = 0
        try zip.begin(file)
        return file
    }

    /// Appends to the current file.
    mutating func write(_ bytes: [UInt8]) throws {
        try zip.write(bytes)
        partBytes += bytes.count
    }

    // MARK: - Tables

    /// Writes the rows of a table, all or those of one person.
    ///
    /// - Parameters:
    ///   - condition: in SQL; nil for all.
    ///   - arguments: those of the condition.
    mutating func writeRows(
        of table: ArchivedTable, slug: String, where condition: String? = nil, arguments: StatementArguments = [],
        _ db: Database
    ) throws {
        let sql =
            "SELECT * FROM \(table.name.quotedDatabaseIdentifier)\(condition.map { " WHERE \($0)" } ?? "")"
        var files = [try begin("data/\(table.name)", "jsonl", number: 1)]
        var rows = 0
        let cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try cursor.next() {
            if partBytes > Self.mostPartBytes {
                try zip.end()
                files.append(try begin("data/\(table.name)", "jsonl", number: files.count + 1))
            }
            try write(
                TableLines.line(row) { column in
                    if table.secrets[column] != nil { return .value(.null) }
                    guard let file = table.file, file.column == column, !(row[column] as DatabaseValue).isNull
                    else { return nil }
                    return .file("\(slug)/\(file.name(row))")
                })
            rows += 1
            try count()
        }
        try zip.end()
        if let file = table.file {
            let cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments)
            while let row = try cursor.next() {
                guard let data = row[file.column] as Data? else { continue }
                try zip.add("\(slug)/\(file.name(row))", Array(data))
            }
        }
        let sequence =
            try db.tableExists("sqlite_sequence")
            ? Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table.name]) : nil
        manifest.tables.append(.init(name: table.name, files: files, rows: rows, sequence: sequence))
    }

    // MARK: - Files

    private mutating func write(_ archived: ArchivedFolder, slug: String, _ db: Database) throws {
        for (name, place) in try archived.files(db) {
            let path = "\(archived.path)/\(name)"
            guard DataFolder.isInside(path), let bytes = try? ArchiveBytes(path: "\(folder.path)/\(path)") else {
                continue
            }
            let file = "\(slug)/\(place)"
            try zip.begin(file)
            var offset = 0
            while offset < bytes.count {
                let part = try bytes.read(at: offset, count: min(bytes.count - offset, 1 << 17))
                guard !part.isEmpty else { break }
                try zip.write(part)
                offset += part.count
            }
            try zip.end()
            manifest.files.append(.init(path: path, file: file))
        }
    }

    /// Writes the readable files of the platform and every companion.
    ///
    /// - Parameters:
    ///   - people: whose data it is.
    ///   - onlyPerson: the id of the one person whose data it is; nil for the household's.
    mutating func writeReadable(
        _ household: HouseholdRecord, of people: [PersonRecord], onlyPerson: String? = nil, _ db: Database
    ) throws {
        // Companions get ways to write, and not this value: it is taken back when they have done so.
        let shared = SharedWriter(zip)
        for (slug, add) in [("household", ArchivePart.addPlatformFiles)]
            + companions.map({ ($0.slug, $0.addReadableFiles(to:)) })
        {
            try add(
                ReadableFiles(
                    db: db, database: database, household: household, people: people, onlyPerson: onlyPerson,
                    now: manifest.madeAt, form: form, begin: { try shared.zip.begin("\(slug)/\($0)") },
                    write: { try shared.zip.write($0) },
                    end: { try shared.zip.end() }))
        }
        zip = shared.zip
    }
}

/// A writer of an archive that is shared, one user after the other.
final class SharedWriter {
    var zip: ZipWriter<ArchiveFile>

    init(_ zip: ZipWriter<ArchiveFile>) { self.zip = zip }
}

extension ArchiveManifest {
    /// The summary of the archive.
    func summary(bytes: Int) -> ArchiveSummary {
        ArchiveSummary(
            rows: tables.reduce(0) { $0 + $1.rows }, readings: series.reduce(0) { $0 + $1.readings }, madeAt: madeAt,
            bytes: bytes, damagedStretches: damaged?.count ?? 0)
    }
}
