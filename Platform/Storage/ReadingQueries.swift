import Foundation
import GRDB

/// What charts and exports ask of the stored readings.
extension Database {
    /// Every series of a device, or of the whole hub.
    public func series(ofDevice device: String? = nil) throws -> [SeriesRecord] {
        let condition = device == nil ? "" : "WHERE device = ?"
        return try Row.fetchAll(
            self, sql: "SELECT id, household, device, quantity, unit FROM series \(condition) ORDER BY id",
            arguments: device.map { [$0] } ?? []
        ).map {
            SeriesRecord(
                id: $0["id"], household: $0["household"], device: $0["device"], quantity: $0["quantity"],
                unit: $0["unit"])
        }
    }

    /// The series of one quantity of one device, if it has ever sent one.
    public func series(device: String, quantity: String) throws -> SeriesRecord? {
        try series(ofDevice: device).first { $0.quantity == quantity }
    }

    /// The reading with the latest time, or the latest at or before `time`.
    public func latestReading(series: Int64, atOrBefore time: Int64 = .max) throws -> Reading? {
        try Row.fetchOne(
            cachedStatement(sql: "SELECT at, value FROM reading WHERE series = ? AND at <= ? ORDER BY at DESC LIMIT 1"),
            arguments: [series, time]
        ).map { Reading(series: series, at: $0["at"], value: $0["value"]) }
    }

    /// Every series that has a reading, with its newest one, in the order of the series.
    ///
    /// - Parameter devices: theirs alone; nil for the whole hub's.
    public func latestReadings(ofDevices devices: [String]? = nil) throws -> [(series: SeriesRecord, reading: Reading)]
    {
        try Row.fetchAll(
            cachedStatement(
                sql: Self.latestReadingsSQL
                    + (devices == nil ? "" : " WHERE device IN (SELECT value FROM json_each(?))")
                    + " ORDER BY known.id"),
            arguments: devices.map { [String(decoding: try JSONEncoder().encode($0), as: UTF8.self)] } ?? []
        ).map { row in
            (
                SeriesRecord(
                    id: row["id"], household: row["household"], device: row["device"], quantity: row["quantity"],
                    unit: row["unit"]), Reading(series: row["id"], at: row["at"], value: row["value"])
            )
        }
    }

    /// The primary key leads to the newest reading of each series. A cross join, by which SQLite keeps the order: it would
    /// scan the readings otherwise.
    package static let latestReadingsSQL = """
        SELECT known.id, household, device, quantity, unit, at, value FROM series AS known
        CROSS JOIN reading ON reading.series = known.id AND at = (SELECT max(at) FROM reading WHERE series = known.id)
        """

    /// Calls `body` with each reading of a series in order of time, without holding them all.
    public func forEachReading(
        series: Int64, from: Int64 = .min, to: Int64 = .max, _ body: (Reading) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            cachedStatement(sql: "SELECT at, value FROM reading WHERE series = ? AND at >= ? AND at < ? ORDER BY at"),
            arguments: [series, from, to])
        while let row = try rows.next() { try body(Reading(series: series, at: row[0], value: row[1])) }
    }

    /// Summaries of `[from, to)` in stretches of `width` milliseconds that start at multiples of it, empty ones left out.
    ///
    /// Read from the widest rollup that divides `width`; below a minute, from the readings themselves.
    public func buckets(series: Int64, from: Int64, to: Int64, width: Int64) throws -> [Bucket] {
        let span = RollupSpan.allCases.last { width % $0.rawValue == 0 }
        let source =
            span.map {
                "SELECT start, n, low, high, sum FROM rollup WHERE series = ? AND span = \($0.rawValue) AND start >= ? AND start < ?"
            }
            ?? "SELECT at, 1, value, value, value FROM reading WHERE series = ? AND at >= ? AND at < ?"
        // A cursor and an addition: SQLite's own GROUP BY would sort first.
        var result: [Bucket] = []
        let rows = try Row.fetchCursor(
            cachedStatement(sql: source + " ORDER BY 1"),
            arguments: [series, from.floored(to: span?.rawValue ?? 1), to])
        while let row = try rows.next() {
            result.add(Bucket(start: row[0], count: row[1], low: row[2], high: row[3], sum: row[4]), width: width)
        }
        return result
    }

    /// Summaries of many stretches, as of each alone, in one query; for each stretch in its order.
    public func buckets(of stretches: [SeriesStretch]) throws -> [[Bucket]] {
        var result = [[Bucket]](repeating: [], count: stretches.count)
        guard !stretches.isEmpty else { return result }
        let asked = stretches.map { stretch in
            [stretch.series, stretch.span.rawValue, stretch.from.floored(to: stretch.span.rawValue), stretch.to]
        }
        let rows = try Row.fetchCursor(
            cachedStatement(sql: Self.stretchesSQL),
            arguments: [String(decoding: try JSONEncoder().encode(asked), as: UTF8.self)])
        while let row = try rows.next() {
            let place: Int = row[0]
            result[place].add(
                Bucket(start: row[1], count: row[2], low: row[3], high: row[4], sum: row[5]),
                width: stretches[place].width)
        }
        return result
    }

    /// A cross join, by which SQLite goes from stretch to stretch, each by the primary key.
    package static let stretchesSQL = """
        SELECT asked.key, start, n, low, high, sum FROM json_each(?) AS asked
        CROSS JOIN rollup ON series = json_extract(asked.value, '$[0]')
        AND span = json_extract(asked.value, '$[1]') AND start >= json_extract(asked.value, '$[2]')
        AND start < json_extract(asked.value, '$[3]') ORDER BY asked.key, start
        """

    /// The stretches of `[from, to)` longer than `milliseconds` in which nothing was measured, the open one at the end too.
    public func gaps(series: Int64, from: Int64, to: Int64, longerThan milliseconds: Int64) throws -> [Range<Int64>] {
        let span: RollupSpan = to - from <= 10 * RollupSpan.day.rawValue ? .minute : .hour
        let starts = try Int64.fetchCursor(
            cachedStatement(
                sql:
                    "SELECT start FROM rollup WHERE series = ? AND span = ? AND start >= ? AND start < ? ORDER BY start"
            ),
            arguments: [series, span.rawValue, from - span.rawValue, to])
        var result: [Range<Int64>] = []
        var end: Int64?
        while let start = try starts.next() {
            if let end, start - end > max(milliseconds, span.rawValue) { result.append(end..<start) }
            end = start + span.rawValue
        }
        if let end, to - end > max(milliseconds, span.rawValue) { result.append(end..<to) }
        return result
    }

    /// How many readings are stored, from the rollups.
    public func readingCount() throws -> Int { try Int.fetchOne(self, sql: Self.readingCountSQL) ?? 0 }

    /// Series by series, so that the primary key leads to the days of each: by the span alone every minute that was
    /// ever measured would be looked at.
    package static let readingCountSQL = """
        SELECT ifnull(sum((SELECT sum(n) FROM rollup WHERE series = known.id AND span = \(RollupSpan.day.rawValue))), 0)
        FROM series AS known
        """
}

/// A stretch of a series, to be summed up in buckets.
public struct SeriesStretch: Sendable, Equatable {
    /// Its id.
    public let series: Int64
    /// UTC milliseconds, `to` excluded.
    public let from, to: Int64
    /// The rollup that is read.
    let span: RollupSpan
    /// How many of them make a bucket.
    private let count: Int64

    /// - Parameters:
    ///   - span: the rollup that is read.
    ///   - count: how many of them make a bucket; at least 1 is taken.
    public init(series: Int64, from: Int64, to: Int64, in span: RollupSpan, by count: Int64 = 1) {
        (self.series, self.from, self.to, self.span, self.count) = (series, from, to, span, max(1, count))
    }

    /// Of a bucket, milliseconds.
    var width: Int64 { span.rawValue * count }
}

extension [Bucket] {
    /// Adds the next summary, into the last bucket where it lies in that.
    fileprivate mutating func add(_ summary: Bucket, width: Int64) {
        var bucket = summary
        bucket.start = summary.start.floored(to: width)
        if last?.start == bucket.start {
            self[count - 1].add(bucket)
        } else {
            append(bucket)
        }
    }
}
