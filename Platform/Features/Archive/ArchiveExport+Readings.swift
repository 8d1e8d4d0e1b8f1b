import GRDB
import HubKit
import Storage

/// The readings, and the summaries of expired ones.
extension ArchiveExport {
    /// The size in which text is written, in bytes.
    private static let pieceBytes = 1 << 16

    /// Writes each series as CSV files. Readings that were just acknowledged are included, also those in the journal.
    /// Readings that are damaged on the disk are left out and recorded.
    mutating func writeReadings(_ db: Database) throws {
        let devices = try Dictionary(
            DeviceRecord.fetchAll(db).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let waiting = try db.waitingReadings()
        var damaged: [ArchiveManifest.Damage] = []
        for series in try db.series() {
            let device = devices[series.device].map { ReadableFiles.name($0, id: series.device) } ?? "device"
            let name = "readings/\(device)/\(ReadableFiles.name(series.quantity, id: "\(series.id)"))"
            let measured = series.quantity + (series.unit.map { " (\($0))" } ?? "")
            var files = [try begin(name, "csv", number: 1)]
            var table = readingTable(of: measured)
            let whose = TableWriter.cells([devices[series.device] ?? ""], in: form)
            var readings = 0
            try db.forEachReading(series: series.id, andWaiting: waiting[series.id] ?? []) { reading in
                table.add(reading.at)
                table.add(number: reading.value.description.utf8)
                if form != .plain { table.add(prepared: whose) }
                table.endLine()
                if table.count > Self.pieceBytes {
                    try write(table.take())
                    if partBytes > Self.mostPartBytes {
                        try zip.end()
                        files.append(try begin(name, "csv", number: files.count + 1))
                        table = readingTable(of: measured)
                    }
                }
                readings += 1
                try count()
            } damaged: { damage, end in
                damaged.append(
                    .init(
                        series: series.id, device: devices[series.device] ?? series.device, quantity: series.quantity,
                        from: damage.start, to: end))
            }
            try write(table.take())
            try zip.end()
            manifest.series.append(.init(id: series.id, files: files, readings: readings))
        }
        if !damaged.isEmpty { manifest.damaged = damaged }
    }

    /// A table of readings with the names of its columns: an import wants the first two, and whoever opens it in a spreadsheet
    /// whose they are.
    private func readingTable(of measured: String) -> TableWriter {
        var table = TableWriter(form, lineEnd: "\n")
        table.line(["time (ms since 1970, UTC)", measured] + (form == .plain ? [] : ["device"]))
        return table
    }

    /// Writes the summaries of expired readings: some thousand lines a year for a series with any.
    mutating func writeExpired(_ db: Database) throws {
        let expiries = try db.series().map { ($0.id, try db.expiry(ofSeries: $0.id)) }.filter { $0.1 > 0 }
        guard !expiries.isEmpty else { return }
        let name = try begin("data/expired-readings", "jsonl", number: 1)
        var text: [UInt8] = []
        for (series, expiry) in expiries {
            for span in RollupSpan.allCases {
                do {
                    try db.forEachExpiredBucket(ofSeries: series, before: expiry, span) { bucket in
                        let row: Row = [
                            "series": series, "span": span.rawValue, "start": bucket.start, "n": bucket.count,
                            "low": bucket.low, "high": bucket.high, "sum": bucket.sum,
                        ]
                        text += TableLines.line(row) { _ in nil }
                        guard text.count > Self.pieceBytes else { return }
                        try write(text)
                        text.removeAll(keepingCapacity: true)
                    }
                } catch is SealedReadingsDamage {
                    // The last alone is missing, whose readings are noted as damaged.
                }
            }
        }
        try write(text)
        try zip.end()
        manifest.summaries = name
    }
}
