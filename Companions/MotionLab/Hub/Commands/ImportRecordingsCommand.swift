import ArgumentParser
import ClientKit
import Foundation
import GRDB
import HubKit
import Storage

/// `tandem import recordings`
struct ImportRecordingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "Takes over files that Sensor Logger, phyphox or Physics Toolbox exported.",
        discussion: """
            CSV, Excel (.xlsx), or the ZIP file that the app made. Each file becomes a recording, and is stored once: the \
            same file can come again. A file that cannot be taken is told with the reason, and the others are taken. The \
            hub may be running.

            Examples:
              tandem import recordings Accelerometer.csv Barometer.csv --person Mila --app sensor-logger-ios
              tandem import recordings "Acceleration 2026-11-21.zip" --person Mila --app phyphox --started-at 2026-11-21T14:00:00Z
            """)

    @Argument(help: "The files.", completion: .file(extensions: ["csv", "zip", "xlsx"]))
    var files: [String]

    @Option(help: "Whose recordings they are: an email, or a name.")
    var person: String

    @Option(help: "Which app wrote them: sensor-logger-ios, sensor-logger-android, phyphox or physics-toolbox.")
    var app: FileImport.App

    @Option(
        help: "When they began, for files that do not say it, such as 2026-11-21T14:00:00Z; now where it is left out.")
    var startedAt: String?

    @OptionGroup var data: DataOption

    /// The largest file, bytes: two hours of an accelerometer at 100 Hz are 60 MB.
    private static let mostBytes = 64 << 20

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("Name a file.") }
        guard startedAt == nil || Self.time(startedAt) != nil else {
            throw ValidationError("--started-at is a time such as 2026-11-21T14:00:00Z.")
        }
    }

    func run() async throws {
        let database = try data.database()
        let now = HubClock.system.now()
        var (stored, known, refused) = (0, 0, 0)
        for path in files {
            do {
                let bytes = try CommandFile.read(path, upTo: Self.mostBytes)
                let (isNew, file) = try await Self.stored(
                    bytes, named: URL(filePath: path).lastPathComponent, app: app, of: person,
                    startedAt: Self.time(startedAt) ?? now * 1_000, now: now, in: database)
                if isNew { stored += 1 } else { known += 1 }
                for remark in file.remarks { CommandOutput.say("\(path): \(remark.english)") }
                if !file.unread.isEmpty {
                    CommandOutput.say("\(path): not readable in it: \(file.unread.joined(separator: ", ")).")
                }
            } catch let failure as CommandFile.Failure {
                CommandOutput.say("\(path) \(failure.message)")
                refused += 1
            } catch let error as FileImportError {
                CommandOutput.say("\(path): \(error.text.english)")
                refused += 1
            } catch let problem as Problem {
                CommandOutput.say("\(path): \(problem.detail.english)")
                refused += 1
            }
        }
        try database.close()
        var words = "\(stored) of \(files.count) files stored"
        if known > 0 { words += ", \(known) were here already" }
        if refused > 0 { words += ", \(refused) cannot be taken" }
        print(words + ".")
        if refused > 0, stored + known == 0 { throw ExitCode(65) }
    }

    /// Stores a file as a recording of somebody, once.
    ///
    /// - Parameters:
    ///   - name: an email, or a name.
    ///   - startedAt: UTC microseconds, for a file that does not say it.
    ///   - now: UTC milliseconds.
    /// - Returns: whether it is new.
    /// - Throws: `FileImportError` or a `Problem`, in words.
    static func store(
        _ bytes: [UInt8], named fileName: String, app: FileImport.App, of name: String, startedAt: Int64, now: Int64,
        in database: HubDatabase
    ) async throws -> Bool {
        try await stored(
            bytes, named: fileName, app: app, of: name, startedAt: startedAt, now: now, in: database
        ).isNew
    }

    /// Stores a file as ``store(_:named:app:of:startedAt:now:in:)`` does, and gives what was read of it, too, for what there is
    /// to tell.
    static func stored(
        _ bytes: [UInt8], named fileName: String, app: FileImport.App, of name: String, startedAt: Int64, now: Int64,
        in database: HubDatabase
    ) async throws -> (isNew: Bool, file: FileImport) {
        let (person, zone) = try await database.pool.read { db in
            let person = try PersonRecord.named(name, db)
            return (person, person.zone(try HouseholdRecord.find(db, key: person.household)))
        }
        let file = try FileImport(bytes, named: fileName, app: app, of: person, startedAt: startedAt, in: zone)
        let read = try ReadRecording(file.content)
        try read.origin.checkTime(now: now)
        let isNew = try await database.pool.write { db in
            let household = try HouseholdRecord.find(db, key: person.household)
            guard try StoredRecording.find(read.origin.id, household: household.id, db) == nil else { return false }
            try RemovedRecord.forget(read.origin.id, household: household.id, db)
            try SessionStorage(RecordingDefinition()).store(read, of: person, household, now: now, db)
            return true
        }
        return (isNew, file)
    }

    /// UTC microseconds.
    private static func time(_ text: String?) -> Int64? {
        guard let text, let date = try? Date(text, strategy: .iso8601) else { return nil }
        return Int64(date.timeIntervalSince1970 * 1_000_000)
    }
}

extension FileImport.App: ExpressibleByArgument {}
