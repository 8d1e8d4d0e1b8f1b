import ArgumentParser
import Foundation
import HubKit
import HubServer
import Storage

/// `tandem export readings`
struct ExportReadings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readings",
        abstract: "Writes a device’s readings: series, UTC milliseconds, value.",
        discussion: """
            Example:
              tandem export readings --device k7fq2m9x --format csv > basil.csv
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, json }

    @OptionGroup var data: DataOption
    @Option(help: "The device’s id.") var device: String
    @Option(help: "csv or json.") var format = Format.csv

    func run() async throws {
        let hub = try data.services().hub
        let (device, format) = (device, format)
        try await hub.database.pool.read { db in
            guard try DeviceRecord.exists(db, key: device) else { throw UnknownDevice(id: device) }
            var output = Output()
            output.write(format == .csv ? "series,at,value\n" : "[")
            var isFirst = true
            for series in try db.series(ofDevice: device) {
                // Of a hundred million lines: what is the same in each is made once.
                let beginning = "\(CSV.field(series.quantity)),"
                try db.forEachReading(series: series.id) { reading in
                    switch format {
                    case .csv:
                        output.write(beginning)
                        output.write(reading.at.description)
                        output.write(",")
                        output.write(reading.value.description)
                        output.write("\n")
                    case .json:
                        output.write(
                            "\(isFirst ? "" : ",")\n{\"series\":\"\(series.quantity)\",\"at\":\(reading.at),\"value\":\(reading.value)}"
                        )
                        isFirst = false
                    }
                }
            }
            if format == .json { output.write("\n]\n") }
            output.flush()
        }
    }

    /// Standard output in large pieces.
    private struct Output {
        private var pending: [UInt8] = []

        mutating func write(_ text: String) {
            pending.append(contentsOf: text.utf8)
            if pending.count >= 1 << 16 { flush() }
        }

        mutating func flush() {
            FileHandle.standardOutput.write(Data(pending))
            pending.removeAll(keepingCapacity: true)
        }
    }
}

private struct UnknownDevice: Error, CustomStringConvertible {
    var id: String
    var description: String { "There is no device \(id). `tandem device list` shows them." }
}
