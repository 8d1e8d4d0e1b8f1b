import GRDB
import HubKit
import Storage

/// The import of readings.
extension ArchiveImport {
    private static let readingsPerTransaction = 20_000

    /// Stores the readings of all series, and the summaries of expired ones.
    mutating func fillReadings(_ database: HubDatabase) throws {
        let expiries = try database.pool.write { db in
            let known = try db.series().map { ($0.id, try db.expiry(ofSeries: $0.id)) }
            try db.forgetExpiry()
            return known
        }
        let known = Set(expiries.map(\.0))
        for series in manifest.series {
            guard known.contains(series.id) else { throw damaged("data/series.jsonl") }
            var readings: [Reading] = []
            var found = 0
            for name in series.files {
                var separator: UInt8?
                try forEachLine(of: name) { line in
                    // The first line names the columns.
                    guard let between = separator else {
                        return separator = manifest.form?.separator ?? Self.separator(ofHeader: line)
                    }
                    readings.append(try reading(line, between, of: series.id, name))
                    found += 1
                    if readings.count == Self.readingsPerTransaction { try store(&readings, database) }
                }
            }
            try store(&readings, database)
            guard found == series.readings else { throw damaged(series.files.first ?? "readings") }
        }
        try setExpiries(expiries.filter { $0.1 > 0 }, database)
    }

    /// The separator in the line of names of an archive that does not say its form. The first name is in quotes, since it has
    /// a comma in it.
    private static func separator(ofHeader line: [UInt8]) -> UInt8 {
        let quote = UInt8(ascii: "\"")
        let names = line.split(separator: quote, maxSplits: 2, omittingEmptySubsequences: false)
        let rest = names.count == 3 ? names[2] : line[...]
        return rest.first { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } ?? UInt8(ascii: ",")
    }

    private func reading(_ line: [UInt8], _ separator: UInt8, of series: Int64, _ name: String) throws -> Reading {
        // An archive for spreadsheets may have semicolons and decimal commas, and says whose they are in a third column, which
        // may have any of these signs in it.
        let fields = line.split(separator: separator, maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count >= 2, let at = Int64(String(decoding: fields[0], as: UTF8.self)),
            let value = Double(
                String(decoding: fields[1].map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)),
            !value.isNaN
        else { throw damaged(name) }
        return Reading(series: series, at: at, value: value)
    }

    private mutating func store(_ readings: inout [Reading], _ database: HubDatabase) throws {
        guard !readings.isEmpty else { return }
        let batch = readings
        try database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.insert(batch)
            try writer.finish()
        }
        try count(readings.count)
        readings.removeAll(keepingCapacity: true)
    }

    private func setExpiries(_ expiries: [(Int64, Int64)], _ database: HubDatabase) throws {
        guard !expiries.isEmpty else { return }
        var summaries: [Int64: [RollupSpan: [Bucket]]] = [:]
        if let name = manifest.summaries {
            try forEachLine(of: name) { line in
                let row = try TableLines.read(line)
                func whole(_ column: String) throws -> Int64 {
                    guard case .value(let value) = row[column], let number = Int64.fromDatabaseValue(value) else {
                        throw damaged(name)
                    }
                    return number
                }
                func real(_ column: String) throws -> Double {
                    guard case .value(let value) = row[column], let number = Double.fromDatabaseValue(value) else {
                        throw damaged(name)
                    }
                    return number
                }
                guard let span = RollupSpan(rawValue: try whole("span")) else { throw damaged(name) }
                let bucket = Bucket(
                    start: try whole("start"), count: Int(try whole("n")), low: try real("low"),
                    high: try real("high"), sum: try real("sum"))
                summaries[try whole("series"), default: [:]][span, default: []].append(bucket)
            }
        }
        try database.pool.write { db in
            for (series, expiry) in expiries {
                try db.setExpiry(ofSeries: series, to: expiry, summaries: summaries[series] ?? [:])
            }
        }
    }
}
