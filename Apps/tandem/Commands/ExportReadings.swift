import ArgumentParser
import Foundation
import HubKit
import HubServer
import Storage

/// `tandem export readings`
struct ExportReadings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readings",
        abstract: "Writes a device’s readings: series, UTC milliseconds, value, the device’s name.",
        discussion: """
            Example:
              tandem export readings --device k7fq2m9x --format csv > basil.csv
              tandem export readings --device k7fq2m9x --spreadsheet semicolon > basilikum.csv
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, json }

    @OptionGroup var data: DataOption
    @Option(help: "The device’s id.") var device: String
    @Option(help: "csv or json.") var format = Format.csv
    @OptionGroup var table: TableOption

    func run() async throws {
        let hub = try data.services().hub
        let (device, format, form) = (device, format, table.form)
        try await hub.database.pool.read { db in
            guard let name = try DeviceRecord.fetchOne(db, key: device)?.name else { throw UnknownDevice(id: device) }
            var output = Output()
            var table = TableWriter(form, lineEnd: "\n")
            // The cell that all lines have, made once: there may be a hundred million of them.
            let whose = TableWriter.cells([name], in: form)
            if format == .csv { table.line(["series", "at", "value", "device"]) }
            var isFirst = true
            for series in try db.series(ofDevice: device) {
                let quantity = TableWriter.cells([series.quantity], in: form)
                try db.forEachReading(series: series.id) { reading in
                    switch format {
                    case .csv:
                        table.add(prepared: quantity)
                        table.add(reading.at)
                        table.add(number: reading.value.description.utf8)
                        table.add(prepared: whose)
                        table.endLine()
                        if table.count >= 1 << 16 { FileHandle.standardOutput.write(Data(table.take())) }
                    case .json:
                        output.write(
                            "\(isFirst ? "[" : ",")\n{\"series\":\"\(series.quantity)\",\"at\":\(reading.at),\"value\":\(reading.value)}"
                        )
                        isFirst = false
                    }
                }
            }
            switch format {
            case .csv: FileHandle.standardOutput.write(Data(table.take()))
            case .json:
                output.write(isFirst ? "[\n]\n" : "\n]\n")
                output.flush()
            }
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
