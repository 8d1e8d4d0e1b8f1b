import ArgumentParser
import Foundation
import GRDB
import HubKit
import MotionLabEngine
import Storage

/// `tandem export recordings`
struct ExportRecordingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings", abstract: "Writes what a phone or somebody recorded.",
        discussion: """
            To standard output. csv has a row for each time at which any sensor measured, with the units in the headers; \
            json has all that the hub knows; zip is an archive for Jupyter, with a table of each sensor and a notebook. \
            The hub may be running.

            Examples:
              tandem export recordings --device k7fq2m9x --format csv > phone.csv
              tandem export recordings --person Mila --format zip --data /var/lib/tandem > mila.zip
            """)

    @Option(help: "Of which phone: its id, or its name.")
    var device: String?

    @Option(help: "Whose: an email, or a name.")
    var person: String?

    @Option(help: "csv, json or zip.")
    var format = RecordingExport.Format.csv

    @OptionGroup var table: TableOption

    @OptionGroup var data: DataOption

    func validate() throws {
        guard (device == nil) != (person == nil) else {
            throw ValidationError("Say either --device or --person.")
        }
    }

    func run() async throws {
        let database = try data.database()
        try await Self.write(device: device, person: person, format, form: table.form, from: database) {
            FileHandle.standardOutput.write(Data($0))
        }
        try database.close()
    }

    /// Writes the recordings of a phone or of somebody, the earliest first, one at a time.
    static func write(
        device: String?, person: String?, _ format: RecordingExport.Format, form: TableForm = .plain,
        from database: HubDatabase,
        to sink: @escaping ([UInt8]) throws -> Void
    ) async throws {
        let recordings = try await database.pool.read { db in
            let column = device == nil ? "person" : "device"
            let id = try device.map { try Self.phone($0, db).id } ?? PersonRecord.named(person ?? "", db).id
            return try StoredRecording.fetchAll(
                db, sql: "SELECT * FROM lab_recording WHERE \(column) = ? ORDER BY start_microseconds, id",
                arguments: [id])
        }
        let present = Set(recordings.flatMap(\.kinds))
        var export = RecordingExport(
            format, kinds: SensorKind.allCases.filter { present.contains($0) }, form: form, sink: sink)
        for recording in recordings {
            let samples = try await database.pool.read { db in try StoredSamples(recording, db) }
            try export.add(try samples.read())
        }
        try export.finish()
    }

    private static func phone(_ name: String, _ db: Database) throws -> DeviceRecord {
        let phones = try DeviceRecord.fetchAll(
            db, sql: "SELECT * FROM device WHERE kind = ? ORDER BY created_at, id", arguments: [MotionLab.phoneKind])
        let found = phones.filter { $0.id == name }
        let named = found.isEmpty ? phones.filter { $0.name.lowercased() == name.lowercased() } : found
        guard named.count == 1, let phone = named.first else {
            throw UnknownPhone(name: name, phones: phones, isAmbiguous: named.count > 1)
        }
        return phone
    }
}

extension RecordingExport.Format: ExpressibleByArgument {}

/// The error that no phone is called so, or more than one.
struct UnknownPhone: Error, CustomStringConvertible {
    var name: String
    var phones: [DeviceRecord]
    var isAmbiguous: Bool

    var description: String {
        let known = phones.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
        let reason =
            isAmbiguous
            ? "More than one phone is called “\(name)”: name its id." : "No phone here is called “\(name)”."
        return phones.isEmpty ? "This hub has no phones yet. Add one in its page." : "\(reason) There are: \(known)."
    }
}
