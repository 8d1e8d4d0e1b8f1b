import Foundation
import HubKit
import MotionLabEngine
import Wire

/// Recordings as an archive that a notebook reads: of each a folder with a table of each sensor, and what all of it is in
/// `recordings.json`, with the units.
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

    private let recordings: [ExportedRecording]

    init(_ recordings: [ExportedRecording]) { self.recordings = recordings }

    func zip() throws -> [UInt8] {
        var archive = StoredZip()
        var entries: [Description.Entry] = []
        for recording in recordings {
            let folder = "recording-\(recording.response.id)"
            var tables: [Description.Table] = []
            for series in recording.series {
                let path = "\(folder)/\(series.kind.name).csv"
                archive.add(path, Self.table(series, start: recording.response.startMicroseconds))
                tables.append(Self.description(of: series.kind, path))
            }
            entries.append(Description.Entry(recording: recording.response, tables: tables))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        archive.add("recordings.json", Array(try encoder.encode(Description(recordings: entries))))
        archive.add("notebook.ipynb", Array(try Notebook.file().utf8))
        return archive.closed()
    }

    private static func description(of kind: SensorKind, _ path: String) -> Description.Table {
        let unit = "\(kind.unit)"
        return Description.Table(
            path: path, sensor: "\(kind.name)",
            columns: [.init(name: "time_us", unit: "µs since 1970, UTC"), .init(name: "seconds", unit: "s")]
                + kind.axes.map { .init(name: "\($0)", unit: unit) })
    }

    /// Without units in the names of the columns, which a notebook reads from the description.
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

/// A Jupyter notebook (nbformat 4.5) that reads the archive it lies in and draws each sensor, with pandas and Matplotlib.
enum Notebook {
    private struct File: Encodable {
        struct Cell: Encodable {
            var cell_type = "code"
            var id: String
            var metadata: [String: String] = [:]
            var execution_count: Int?
            var outputs: [String] = []
            var source: [String]

            private enum CodingKeys: CodingKey { case cell_type, id, metadata, execution_count, outputs, source }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(cell_type, forKey: .cell_type)
                try container.encode(id, forKey: .id)
                try container.encode(metadata, forKey: .metadata)
                // The format wants the key, with null.
                try container.encode(execution_count, forKey: .execution_count)
                try container.encode(outputs, forKey: .outputs)
                try container.encode(source, forKey: .source)
            }
        }

        var cells: [Cell]
        var metadata: [String: String] = [:]
        var nbformat = 4
        var nbformat_minor = 5
    }

    private static let read = """
        import json
        import pandas as pd

        with open("recordings.json", encoding="utf-8") as file:
            recordings = json.load(file)["recordings"]
        tables = {table["path"]: pd.read_csv(table["path"]) for entry in recordings for table in entry["tables"]}
        """
    private static let draw = """
        import matplotlib.pyplot as plt

        for entry in recordings:
            for table in entry["tables"]:
                values = table["columns"][2:]
                axes = tables[table["path"]].plot(x="seconds", y=[column["name"] for column in values])
                axes.set_xlabel("s")
                axes.set_ylabel(values[0]["unit"])
                axes.set_title(f"{entry['recording']['name']} {table['sensor']}")
        plt.show()
        """

    static func file() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let cells = [("read", read), ("draw", draw)].map { id, source in
            File.Cell(id: id, source: source.split(separator: "\n", omittingEmptySubsequences: false).lines)
        }
        return String(decoding: try encoder.encode(File(cells: cells)), as: UTF8.self) + "\n"
    }
}

extension [Substring] {
    /// Each with its line feed, but the last.
    fileprivate var lines: [String] {
        enumerated().map { place, line in place < count - 1 ? line + "\n" : String(line) }
    }
}
