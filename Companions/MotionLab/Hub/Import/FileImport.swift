import Foundation
import HubKit
import Localization
import MotionLabEngine
import Storage

/// A file that an app exported, a table, a workbook or a ZIP file, made a recording of.
struct FileImport {
    /// The app that wrote the file, with its system.
    enum App: String, CaseIterable, Sendable {
        case sensorLoggerIOS = "sensor-logger-ios"
        case sensorLoggerAndroid = "sensor-logger-android"
        case phyphox
        case physicsToolbox = "physics-toolbox"
    }

    /// The recording's bytes, complete.
    let content: [UInt8]
    /// The number of lines in which the time or a value was missing, of all sensors.
    let skipped: Int
    /// The names of the tables in it that should be of a sensor, and could not be read.
    let unread: [String]
    /// The sentences about it for whoever chose the file: which lines were left out and why, and that it does not say when it
    /// was where its app should have written that.
    let remarks: [LocalizedText]
    /// The id of the recording. The same file again has the same one, whenever it is said to have begun.
    let id: [UInt8]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - fileName: says the sensor of a file of Sensor Logger's.
    ///   - zone: by whose clock its day is counted.
    ///   - startedAt: UTC microseconds, for a file that does not say when it was: phyphox's times begin at nought.
    /// - Throws: why nothing of it can be imported.
    init(
        _ file: [UInt8], named fileName: String, app: App, of person: PersonRecord, startedAt: Int64,
        in zone: TimeZone
    ) throws(FileImportError) {
        let imported: ImportedRecording
        do throws(TableError) {
            imported = try ImportedRecording(file, fileName: Array(fileName.utf8), app: app.exporting)
        } catch {
            throw .table(error)
        }
        let filled = imported.samples.filter { !$0.times.isEmpty }
        guard let earliest = filled.flatMap(\.times).min() else { throw .table(.empty) }
        // Times that do not say when they were count from the first of them.
        let absolute = filled.filter(\.isAbsolute).flatMap(\.times).min()
        let relative = filled.filter { !$0.isAbsolute }.flatMap(\.times).min() ?? earliest
        let start = absolute ?? startedAt
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(start) / 1_000_000)) / 60
        id = SessionOrigin.identifier(
            of: [person.id, app.rawValue, fileName, SessionOrigin.name(of: Self.digest(file))], count: 16)
        do throws(RecordingError) {
            var writer = try RecordingWriter(
                header: RecordingHeader(
                    id: id, person: Array(person.id.utf8), utcOffsetMinutes: Int16(clamping: offset), startedAt: start,
                    streams: filled.map { RecordedStream(kind: $0.kind, source: imported.source) }))
            var last = start
            for (stream, samples) in filled.enumerated() {
                for (time, values) in zip(samples.times, samples.values) {
                    let at = samples.isAbsolute ? time : start.addingReportingOverflow(time - relative).partialValue
                    if writer.add(values.map { $0 }, to: stream, at: at) { last = max(last, at) }
                }
            }
            guard last > start else { throw RecordingError.time }
            writer.add(.name(Array(fileName.utf8.prefix(RecordingLimits.standard.nameBytes))))
            writer.add(.end(at: last))
            content = writer.takeBytes()
        } catch {
            throw .recording(error)
        }
        skipped = imported.samples.reduce(0) { $0 + $1.skipped }
        unread = imported.unread.map { String(decoding: $0, as: UTF8.self) }
        remarks = Self.remarks(imported)
    }

    private static func remarks(_ imported: ImportedRecording) -> [LocalizedText] {
        var remarks: [LocalizedText] = []
        if imported.lacksTime {
            if let unknown = imported.samples.lazy.compactMap(\.unknownTime).first, !unknown.example.isEmpty {
                let (name, example) = (shown(unknown.name), shown(unknown.example))
                remarks.append(
                    LocalizedText(
                        "The file does not say when this was: the column “\(name)” holds no times that Tandem knows, such as “\(example)”. The recording begins when whoever imported it said, or else now."
                    ))
            } else {
                remarks.append(
                    LocalizedText(
                        "The file does not say when this was: there is nothing in a column “time”. The recording begins when whoever imported it said, or else now."
                    ))
            }
        }
        let left = imported.left
        if left.withoutTime > 0 {
            remarks.append(LocalizedText("\(left.withoutTime) lines were left out: they have no time."))
        }
        if left.withoutValue > 0, left.example.isEmpty {
            remarks.append(LocalizedText("\(left.withoutValue) lines were left out: a value is missing in them."))
        } else if left.withoutValue > 0 {
            remarks.append(
                LocalizedText(
                    "\(left.withoutValue) lines were left out: a value is missing in them, or is no number, such as “\(shown(left.example))”."
                ))
        }
        return remarks
    }

    /// A text of the file within a sentence.
    private static func shown(_ text: [UInt8]) -> String {
        String(decoding: text.prefix(60), as: UTF8.self).withoutUnseenCharacters
    }

    private static func digest(_ file: [UInt8]) -> [UInt8] {
        SessionOrigin.identifier(of: [String(decoding: file, as: UTF8.self)], count: 32)
    }
}

extension FileImport.App {
    var exporting: ExportingApp {
        switch self {
        case .sensorLoggerIOS: .sensorLogger(.sensorLoggerIOS)
        case .sensorLoggerAndroid: .sensorLogger(.sensorLoggerAndroid)
        case .phyphox: .phyphox
        case .physicsToolbox: .physicsToolbox
        }
    }
}

/// The reason why a file cannot be imported.
enum FileImportError: Error, Equatable {
    case table(TableError)
    case recording(RecordingError)

    /// The words about what is wrong and what to do, for whoever chose the file.
    var text: LocalizedText {
        switch self {
        case .table(.empty):
            LocalizedText(
                "This file has no measurements in it: below the line of names there must be lines of numbers.")
        case .table(.tooLarge), .recording(.tooLong):
            LocalizedText("This file is larger than Tandem imports. Export a shorter recording.")
        case .table(.names):
            LocalizedText(
                "The first line of this file is not a line of names. Choose the file that the app exported.")
        case .table(.packed):
            LocalizedText(
                "This packed file (ZIP or Excel) cannot be read: it is incomplete or locked, or there is no table in it. Export it again, then choose it."
            )
        case .table(.oldWorkbook):
            LocalizedText(
                "This is a workbook of an old Excel (.xls). Open it, save it as .xlsx or CSV, then choose that file.")
        case .table(.noTime):
            LocalizedText("This file has no column with times that can be read, such as “time” or “Time (s)”.")
        case .table(.noSensor):
            LocalizedText(
                "Tandem does not know what this file measures. Leave it the name that the app gave it, such as Accelerometer.csv."
            )
        case .recording:
            LocalizedText("The times in this file make no recording: they cannot be, or there is only one.")
        }
    }
}
