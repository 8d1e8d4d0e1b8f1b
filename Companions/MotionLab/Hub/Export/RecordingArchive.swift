import Foundation
import HubKit
import MotionLabEngine
import Wire

/// An archive of recordings that a notebook reads: of each a folder with a table of each sensor, and what all of it is
/// in `recordings.json`, with the units.
struct RecordingArchive {
    private struct Description: Encodable {
        struct Column: Encodable { var name, unit: String }

        struct Table: Encodable {
            var path, sensor: String
            var columns: [Column]
        }

        struct Entry: Encodable {
            var recording: RecordingResponse
            var tables: [Table]
        }

        var version = 1
        var recordings: [Entry]
    }

    private var archive = ZipWriter<[UInt8]>([])
    private var entries: [Description.Entry] = []

    init() {}

    mutating func add(_ recording: ExportedRecording) throws {
        let folder = "recording-\(recording.response.id)"
        var tables: [Description.Table] = []
        for series in recording.series {
            let path = "\(folder)/\(series.kind.name).csv"
            try archive.add(path, Self.table(series, start: recording.response.startMicroseconds))
            tables.append(Self.description(of: series.kind, path))
        }
        entries.append(Description.Entry(recording: recording.response, tables: tables))
    }

    /// Closes the archive, and returns all of it.
    mutating func closed() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try archive.add("recordings.json", Array(try encoder.encode(Description(recordings: entries))))
        try archive.add("notebook.ipynb", Array(try Notebook.file().utf8))
        try archive.finish()
        return archive.destination
    }

    private static func description(of kind: SensorKind, _ path: String) -> Description.Table {
        let unit = "\(kind.unit)"
        return Description.Table(
            path: path, sensor: "\(kind.name)",
            columns: [.init(name: "time_us", unit: "µs since 1970, UTC"), .init(name: "seconds", unit: "s")]
                + kind.axes.map { .init(name: "\($0)", unit: unit) })
    }

    /// The table of one sensor. The names of its columns have no units, which a notebook reads from the description.
    private static func table(_ series: ExportedRecording.Series, start: Int64) -> [UInt8] {
        var text = TextWriter()
        text.write("time_us,seconds")
        for axis in series.kind.axes {
            text.write(",")
            text.write(axis)
        }
        text.write("\n")
        for (place, time) in series.times.enumerated() {
            text.write(time)
            text.write(",")
            text.write(fixedPoint: time - start, places: 6, trimmingZeros: true)
            for axis in series.axes {
                text.write(",")
                text.write(multiple: axis[place], of: series.kind)
            }
            text.write("\n")
        }
        return text.bytes
    }
}
