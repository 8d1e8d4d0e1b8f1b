import Foundation
import HubKit
import MotionLabEngine
import Wire

/// An export of recordings as files for people, tables and notebooks. Columns and keys are added at the end, never changed
/// or taken away.
struct RecordingExport {
    /// The kinds of files.
    enum Format: String, FileMedia, Sendable {
        /// A row for each time at which any sensor measured, a column for each axis, with its unit.
        case csv
        /// The hub's whole knowledge of the recordings.
        case json
        /// A ZIP file for Jupyter: a table of each sensor, what they are and in which units, and a notebook that draws
        /// them.
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
    private var table: RecordingTable
    private let sink: ([UInt8]) throws -> Void
    private var archive = RecordingArchive()
    private var count = 0

    /// Begins an export.
    ///
    /// - Parameters:
    ///   - kinds: all that the recordings measured, in the engine's order.
    ///   - form: of a table.
    ///   - sink: takes the file, piece by piece.
    init(
        _ format: Format, kinds: [SensorKind], form: TableForm = .plain, sink: @escaping ([UInt8]) throws -> Void
    ) {
        self.format = format
        self.sink = sink
        table = RecordingTable(kinds: kinds, form: form)
    }

    /// Adds a recording, of which only an archive holds anything longer.
    mutating func add(_ recording: ExportedRecording) throws {
        switch format {
        case .csv:
            if count == 0 { table.addHeader() }
            try table.addRows(of: recording, to: sink)
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
        case .csv:
            if count == 0 { table.addHeader() }
            try table.finish(to: sink)
        case .json: try sink(Array(((count == 0 ? RecordingDocument.beginning : "") + RecordingDocument.end).utf8))
        case .zip: try sink(try archive.closed())
        }
    }
}

/// A table of recordings: columns for each axis of all that they measured.
struct RecordingTable {
    /// The number of bytes that are handed on at once.
    private static let pieceBytes = 1 << 16

    /// The kinds of sensors, in the engine's order.
    let kinds: [SensorKind]
    /// Whether it is of a class: then the number of each guest and that of the run stand in its last columns, and times
    /// are by the hub's clock, so that those of several phones can be laid side by side.
    private let isOfClass: Bool
    private var writer: TableWriter

    init(kinds: [SensorKind], form: TableForm = .plain, isOfClass: Bool = false) {
        self.kinds = kinds
        self.isOfClass = isOfClass
        writer = TableWriter(form)
    }

    /// The name of a column, such as `accelerometer.x (g)`.
    static func column(_ kind: SensorKind, _ axis: StaticString) -> String {
        let unit = "\(kind.unit)"
        return "\(kind.name).\(axis)" + (unit.isEmpty ? "" : " (\(unit))")
    }

    /// Adds the names of the columns, with their units.
    mutating func addHeader() {
        let columns = kinds.flatMap { kind in kind.axes.map { Self.column(kind, $0) } }
        writer.line(
            ["recording", "name", "time (µs UTC)", "seconds (s)"] + columns + ["person", "phone"]
                + (isOfClass ? ["number", "run"] : []))
    }

    /// Adds a row a time: what several sensors measured at the same one stands beside each other, and what was not
    /// measured is empty.
    mutating func addRows(of recording: ExportedRecording, to sink: ([UInt8]) throws -> Void) throws {
        var rest = Rest(recording, kinds)
        while addRows(of: &rest) { try sink(writer.take()) }
        try finish(to: sink)
    }

    /// A recording of which rows are still to be added.
    struct Rest: Sendable {
        fileprivate let recording: ExportedRecording
        fileprivate let series: [ExportedRecording.Series]
        /// The place of the next sample of each kind.
        fileprivate var next: [Int]

        init(_ recording: ExportedRecording, _ kinds: [SensorKind]) {
            self.recording = recording
            series = kinds.map { kind in recording.series.first { $0.kind == kind } ?? .init(kind) }
            next = [Int](repeating: 0, count: series.count)
        }
    }

    /// Takes what has been added.
    mutating func take() -> [UInt8] { writer.take() }

    /// Adds rows of a recording, until there is a piece to hand on.
    ///
    /// - Returns: whether there is; else it has no more rows.
    mutating func addRows(of rest: inout Rest) -> Bool {
        let recording = rest.recording
        let response = recording.response
        let same = TableWriter.cells([response.id, response.name], in: writer.form)
        let inClass = recording.response.guest.map { ["\($0.number)", "\($0.run)"] } ?? ["", ""]
        let whose = TableWriter.cells(
            [recording.person, recording.phone] + (isOfClass ? inClass : []), in: writer.form)
        let places = kinds.map { Self.places(of: $0) }
        let series = rest.series
        let start = response.startMicroseconds
        let shift = isOfClass ? response.clock?.offsetMicroseconds ?? 0 : 0
        while true {
            var earliest: Int64?
            for (place, one) in series.enumerated() where rest.next[place] < one.times.count {
                earliest = min(earliest ?? .max, one.times[rest.next[place]])
            }
            guard let time = earliest else { return false }
            writer.add(prepared: same)
            writer.add(time + shift)
            writer.add(fixedPoint: time - start, places: 6)
            for (place, one) in series.enumerated() {
                guard rest.next[place] < one.times.count, one.times[rest.next[place]] == time else {
                    writer.addEmpty(one.axes.count)
                    continue
                }
                for axis in one.axes { writer.add(fixedPoint: axis[rest.next[place]], places: places[place]) }
                rest.next[place] += 1
            }
            writer.add(prepared: whose)
            writer.endLine()
            if writer.count > Self.pieceBytes { return true }
        }
    }

    /// Hands on what is left.
    mutating func finish(to sink: ([UInt8]) throws -> Void) throws {
        if writer.count > 0 { try sink(writer.take()) }
    }

    /// The decimal places of a kind's values: what is distinguished is a power of ten.
    static func places(of kind: SensorKind) -> Int {
        var (places, rest) = (0, kind.multiplesPerUnit)
        while rest >= 10 {
            rest /= 10
            places += 1
        }
        return places
    }
}

extension TextWriter {
    /// Writes a whole multiple as a value in its kind's unit, exactly.
    mutating func write(multiple: Int64, of kind: SensorKind) {
        write(fixedPoint: multiple, places: RecordingTable.places(of: kind), trimmingZeros: true)
    }
}

/// A JSON document of recordings, in parts.
enum RecordingDocument {
    private struct Series: Encodable {
        var sensor, unit: String
        var axes: [String]
        /// UTC microseconds by the phone's clock.
        var timesMicroseconds: [Int64]
        /// The values of each axis, one for each time.
        var values: [[Double]]
    }

    private struct Part: Encodable {
        var recording: RecordingResponse
        var series: [Series]
    }

    static let beginning = "{\"version\":1,\"companion\":\"\(MotionLab.slug)\",\"recordings\":["
    static let end = "]}\n"

    /// The part of one recording in the list.
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
