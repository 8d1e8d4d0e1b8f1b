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

    private let format: Format
    private let table: RecordingTable
    private let sink: ([UInt8]) throws -> Void
    private var archive = RecordingArchive()
    private var count = 0

    /// - Parameters:
    ///   - kinds: all that the recordings measured, in the engine's order.
    ///   - sink: takes the file, piece by piece.
    init(_ format: Format, kinds: [SensorKind], sink: @escaping ([UInt8]) throws -> Void) {
        self.format = format
        self.sink = sink
        table = RecordingTable(kinds: kinds)
    }

    /// Adds a recording, of which only an archive holds anything longer.
    mutating func add(_ recording: ExportedRecording) throws {
        switch format {
        case .csv:
            if count == 0 { try sink(table.header) }
            try table.rows(of: recording, to: sink)
        case .json:
            try sink(Array((count == 0 ? RecordingDocument.beginning : ",").utf8))
            try sink(try RecordingDocument.part(recording))
        case .zip: try archive.add(recording)
        }
        count += 1
    }

    /// Ends the file, which is one without recordings too.
    mutating func finish() throws {
        switch format {
        case .csv: if count == 0 { try sink(table.header) }
        case .json: try sink(Array(((count == 0 ? RecordingDocument.beginning : "") + RecordingDocument.end).utf8))
        case .zip: try sink(try archive.closed())
        }
    }
}

/// Recordings in one table: columns for each axis of all that they measured.
struct RecordingTable {
    /// So many bytes are handed on at once.
    private static let pieceBytes = 1 << 16

    /// In the engine's order.
    let kinds: [SensorKind]

    /// `accelerometer.x (g)`, as a column is called.
    static func column(_ kind: SensorKind, _ axis: StaticString) -> String {
        let unit = "\(kind.unit)"
        return "\(kind.name).\(axis)" + (unit.isEmpty ? "" : " (\(unit))")
    }

    /// The names of the columns, with their units.
    var header: [UInt8] {
        let columns = kinds.flatMap { kind in kind.axes.map { Self.column(kind, $0) } }
        let names = ["recording", "name", "time (µs UTC)", "seconds (s)"] + columns
        return Array((names.map { CSV.field($0) }.joined(separator: ",") + "\r\n").utf8)
    }

    /// A row a time: what several sensors measured at the same one stands beside each other, and what was not measured is
    /// empty.
    func rows(of recording: ExportedRecording, to sink: ([UInt8]) throws -> Void) throws {
        let prefix = Array("\(CSV.field(recording.response.id)),\(CSV.field(recording.response.name)),".utf8)
        var text = TextWriter()
        let series = kinds.map { kind in recording.series.first { $0.kind == kind } ?? .init(kind) }
        var next = [Int](repeating: 0, count: series.count)
        let start = recording.response.startMicroseconds
        while true {
            var earliest: Int64?
            for (place, one) in series.enumerated() where next[place] < one.times.count {
                earliest = min(earliest ?? .max, one.times[next[place]])
            }
            guard let time = earliest else { break }
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
        try sink(text.bytes)
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

/// Recordings as one JSON document, in parts.
enum RecordingDocument {
    private struct Series: Encodable {
        var sensor, unit: String
        var axes: [String]
        /// UTC microseconds by the phone's clock.
        var timesMicroseconds: [Int64]
        /// Of each axis one of each time.
        var values: [[Double]]
    }

    private struct Part: Encodable {
        var recording: RecordingResponse
        var series: [Series]
    }

    static let beginning = "{\"version\":1,\"companion\":\"\(MotionLab.slug)\",\"recordings\":["
    static let end = "]}\n"

    /// One of the list.
    static func part(_ recording: ExportedRecording) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let series = recording.series.map { series in
            Series(
                sensor: "\(series.kind.name)", unit: "\(series.kind.unit)", axes: series.kind.axes.map { "\($0)" },
                timesMicroseconds: series.times,
                values: series.axes.map { axis in axis.map { series.kind.value($0) } })
        }
        return Array(try encoder.encode(Part(recording: recording.response, series: series)))
    }
}
