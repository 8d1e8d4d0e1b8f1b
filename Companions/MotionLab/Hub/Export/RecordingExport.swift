import Foundation
import HubKit
import MotionLabEngine
import Wire

/// Recordings as files for people, tables and notebooks. Columns and keys are added, never changed or taken away.
struct RecordingExport {
    /// The kinds of files.
    enum Format: String, FileMedia, Sendable {
        /// A row for each time at which any sensor measured, a column for each axis, with its unit.
        case csv
        /// All that the hub knows.
        case json
        /// For Jupyter: a table of each sensor, what they are and in which units, and a notebook that draws them.
        case zip

        var mediaType: String {
            switch self {
            case .csv: "text/csv; charset=utf-8; header=present"
            case .json: "application/json"
            case .zip: "application/zip"
            }
        }
    }

    private let recordings: [ExportedRecording]

    init(_ recordings: [ExportedRecording]) { self.recordings = recordings }

    /// Writes a file, piece by piece.
    func write(_ format: Format, to sink: ([UInt8]) throws -> Void) throws {
        switch format {
        case .csv: try RecordingTable(recordings).write(to: sink)
        case .json: try sink(Array(try RecordingDocument(recordings).json()))
        case .zip: try sink(try RecordingArchive(recordings).zip())
        }
    }
}

/// Recordings in one table.
struct RecordingTable {
    /// So many bytes are handed on at once.
    private static let pieceBytes = 1 << 16

    private let recordings: [ExportedRecording]
    /// Of all recordings, in the engine's order.
    private let kinds: [SensorKind]

    init(_ recordings: [ExportedRecording]) {
        self.recordings = recordings
        let present = Set(recordings.flatMap { $0.series.map(\.kind) })
        kinds = SensorKind.allCases.filter { present.contains($0) }
    }

    /// `accelerometer.x (g)`, as a column is called.
    static func column(_ kind: SensorKind, _ axis: StaticString) -> String {
        let unit = "\(kind.unit)"
        return "\(kind.name).\(axis)" + (unit.isEmpty ? "" : " (\(unit))")
    }

    func write(to sink: ([UInt8]) throws -> Void) throws {
        var text = TextWriter()
        let columns = kinds.flatMap { kind in kind.axes.map { Self.column(kind, $0) } }
        text.write(
            bytes: Array(
                (["recording", "name", "time (µs UTC)", "seconds (s)"] + columns).map { CSV.field($0) }
                    .joined(separator: ",").utf8))
        text.write("\r\n")
        for recording in recordings {
            let prefix = Array(
                "\(CSV.field(recording.response.id)),\(CSV.field(recording.response.name)),".utf8)
            try rows(of: recording, prefix, &text, sink)
        }
        try sink(text.bytes)
    }

    /// A row a time: what several sensors measured at the same one stands beside each other, and what was not measured is
    /// empty.
    private func rows(
        of recording: ExportedRecording, _ prefix: [UInt8], _ text: inout TextWriter, _ sink: ([UInt8]) throws -> Void
    ) throws {
        let series = kinds.map { kind in recording.series.first { $0.kind == kind } ?? .init(kind) }
        var next = [Int](repeating: 0, count: series.count)
        let start = recording.response.startMicroseconds
        while true {
            var earliest: Int64?
            for (place, one) in series.enumerated() where next[place] < one.times.count {
                earliest = min(earliest ?? .max, one.times[next[place]])
            }
            guard let time = earliest else { return }
            text.write(bytes: prefix)
            text.write(time)
            text.write(",")
            text.write(fixedPoint: time - start, places: 6, trimmingZeros: true)
            for (place, one) in series.enumerated() {
                let isHere = next[place] < one.times.count && one.times[next[place]] == time
                for axis in one.axes {
                    text.write(",")
                    if isHere { text.write(multiple: axis[next[place]], of: one.kind) }
                }
                if isHere { next[place] += 1 }
            }
            text.write("\r\n")
            if text.bytes.count > Self.pieceBytes {
                try sink(text.bytes)
                text = TextWriter()
            }
        }
    }
}

extension TextWriter {
    /// Writes a whole multiple as a value in its kind's unit, exactly: what is distinguished is a power of ten.
    mutating func write(multiple: Int64, of kind: SensorKind) {
        var (places, rest) = (0, kind.multiplesPerUnit)
        while rest >= 10 {
            rest /= 10
            places += 1
        }
        write(fixedPoint: multiple, places: places, trimmingZeros: true)
    }
}

/// Recordings as one JSON document.
struct RecordingDocument {
    private struct File: Encodable {
        struct Series: Encodable {
            var sensor, unit: String
            var axes: [String]
            /// UTC microseconds by the phone's clock.
            var timesMicroseconds: [Int64]
            /// Of each axis one of each time.
            var values: [[Double]]
        }

        struct Recording: Encodable {
            var recording: RecordingResponse
            var series: [Series]
        }

        var version = 1
        var companion = MotionLab.slug
        var recordings: [Recording]
    }

    private let recordings: [ExportedRecording]

    init(_ recordings: [ExportedRecording]) { self.recordings = recordings }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let file = File(
            recordings: recordings.map { one in
                File.Recording(
                    recording: one.response,
                    series: one.series.map { series in
                        File.Series(
                            sensor: "\(series.kind.name)", unit: "\(series.kind.unit)",
                            axes: series.kind.axes.map { "\($0)" }, timesMicroseconds: series.times,
                            values: series.axes.map { axis in axis.map { series.kind.value($0) } })
                    })
            })
        return try encoder.encode(file) + Data("\n".utf8)
    }
}
