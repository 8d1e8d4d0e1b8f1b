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
    ///
    /// - Throws: `SealedReadingsDamage`, as all that reads sealed readings.
    public func latestReading(series: Int64, atOrBefore time: Int64 = .max) throws -> Reading? {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT at, value FROM reading WHERE series = ? AND at <= ? ORDER BY at DESC LIMIT 1"),
            arguments: [series, time]
        ).map { Reading(series: series, at: $0["at"], value: $0["value"]) }
        // The newest of all is always a row.
        guard time < .max, let place = try blockPlace(series: series, beginningAtOrBefore: time),
            min(place.last, time) > row?.at ?? .min
        else { return row }
        let block = try readings(in: place)
        let index = block.place(atOrAfter: time + 1) - 1
        guard block.times[index] > row?.at ?? .min else { return row }
        return Reading(series: series, at: block.times[index], value: block.values[index])
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
    ///
    /// - Parameter damaged: is told of sealed readings that cannot be read, with the end of their time in UTC milliseconds, and
    ///   may throw that; else the others follow.
    public func forEachReading(
        series: Int64, from: Int64 = .min, to: Int64 = .max, _ body: (Reading) throws -> Void,
        damaged: (SealedReadingsDamage, Int64) throws -> Void = { damage, _ in throw damage }
    ) throws {
        let rows = try Row.fetchCursor(
            cachedStatement(sql: "SELECT at, value FROM reading WHERE series = ? AND at >= ? AND at < ? ORDER BY at"),
            arguments: [series, from, to]
        ).map { Reading(series: series, at: $0[0], value: $0[1]) }
        var row = try rows.next()
        try forEachBlock(series: series, from: from, to: to) { block in
            let (times, values) = (block.times, block.values)
            var place = block.place(atOrAfter: from)
            while place < times.count, times[place] < to {
                // Those that came late lie between sealed ones.
                while let late = row, late.at < times[place] {
                    try body(late)
                    row = try rows.next()
                }
                try body(Reading(series: series, at: times[place], value: values[place]))
                place += 1
            }
        } damaged: {
            try damaged($0, $1)
        }
        while let reading = row {
            try body(reading)
            row = try rows.next()
        }
    }

    /// Summaries of `[from, to)` in stretches of `width` milliseconds that start at multiples of it, empty ones left out.
    ///
    /// Read from the widest rollup that divides `width`; below a minute, from the readings themselves, and so where sealed
    /// readings have no such rollups.
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
        return result.merged(with: try sealedBuckets(series: series, from: from, to: to, span, width: width))
    }

    /// As ``buckets(series:from:to:width:)``, of sealed readings that are not in the rollups of a span; nil means those of the
    /// readings themselves.
    private func sealedBuckets(series: Int64, from: Int64, to: Int64, _ span: RollupSpan?, width: Int64) throws
        -> [Bucket]
    {
        guard span != .day else { return [] }
        var result: [Bucket] = []
        // A rollup that begins before `to` counts what comes after it, too.
        let unit = span?.rawValue ?? 1
        let (from, to) = (from.floored(to: unit), to.plusClamped(unit - 1))
        let end = to == .max ? to : to.floored(to: unit)
        try forEachBlock(series: series, from: from, to: end, withoutHours: span == .hour) { block in
            block.sum(from: from, to: end, width: width, into: &result)
        }
        return result
    }

    /// Summaries of many stretches, as of each alone, in one query of rollups and one of where blocks lie; for each stretch in
    /// its order.
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
        for place in try stretchesWithBlocks(asked) {
            let stretch = stretches[place]
            result[place] = result[place].merged(
                with: try sealedBuckets(
                    series: stretch.series, from: stretch.from, to: stretch.to, stretch.span, width: stretch.width))
        }
        return result
    }

    /// Which of them blocks reach into that are to be read. No two overlap, so that the last one says it.
    private func stretchesWithBlocks(_ asked: [[Int64]]) throws -> [Int] {
        try Int.fetchAll(
            cachedStatement(
                sql: """
                    SELECT asked.key FROM json_each(?) AS asked WHERE json_extract(asked.value, '$[2]') < CASE
                        json_extract(asked.value, '$[1]')
                    WHEN \(RollupSpan.minute.rawValue) THEN (
                        SELECT until FROM reading_block WHERE series = json_extract(asked.value, '$[0]')
                        AND start < json_extract(asked.value, '$[3]') ORDER BY start DESC LIMIT 1)
                    WHEN \(RollupSpan.hour.rawValue) THEN (
                        SELECT until FROM \(Self.blocksWithoutHours) AND series = json_extract(asked.value, '$[0]')
                        AND start < json_extract(asked.value, '$[3]') ORDER BY start DESC LIMIT 1)
                    END ORDER BY asked.key
                    """),
            arguments: [String(decoding: try JSONEncoder().encode(asked), as: UTF8.self)])
    }

    /// A cross join, by which SQLite goes from stretch to stretch, each by the primary key.
    package static let stretchesSQL = """
        SELECT asked.key, start, n, low, high, sum FROM json_each(?) AS asked
        CROSS JOIN rollup ON series = json_extract(asked.value, '$[0]')
        AND span = json_extract(asked.value, '$[1]') AND start >= json_extract(asked.value, '$[2]')
        AND start < json_extract(asked.value, '$[3]') ORDER BY asked.key, start
        """

    /// The stretches of `[from, to)` longer than `milliseconds` in which nothing was measured, the open one at the end too:
    /// in whole minutes, of more than 10 days in hours, of more than 400 days in days.
    public func gaps(series: Int64, from: Int64, to: Int64, longerThan milliseconds: Int64) throws -> [Range<Int64>] {
        let days = (to - from) / RollupSpan.day.rawValue
        let span: RollupSpan = days <= 10 ? .minute : days <= 400 ? .hour : .day
        let starts = try Row.fetchCursor(
            cachedStatement(
                sql:
                    "SELECT start FROM rollup WHERE series = ? AND span = ? AND start >= ? AND start < ? ORDER BY start"
            ),
            arguments: [series, span.rawValue, from - span.rawValue, to])
        var measured: [Bucket] = []
        while let row = try starts.next() { measured.append(Bucket(start: row[0], 0)) }
        measured = measured.merged(
            with: try sealedBuckets(
                series: series, from: (from - 1).floored(to: span), to: to, span, width: span.rawValue))
        var result: [Range<Int64>] = []
        var end: Int64?
        for start in measured.lazy.map(\.start) {
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
    /// Two runs of summaries in order of time as one: those of the same stretch are added up.
    fileprivate func merged(with others: [Bucket]) -> [Bucket] {
        if others.isEmpty { return self }
        if isEmpty { return others }
        var result: [Bucket] = []
        result.reserveCapacity(count + others.count)
        var rest = others[...]
        for bucket in self {
            while let other = rest.first, other.start < bucket.start { result.append(rest.removeFirst()) }
            result.append(bucket)
            if let other = rest.first, other.start == bucket.start {
                result[result.count - 1].add(other)
                rest.removeFirst()
            }
        }
        return result + rest
    }

    /// Adds the next summary, into the last bucket where it lies in that.
    mutating func add(_ summary: Bucket, width: Int64) {
        var bucket = summary
        bucket.start = summary.start.floored(to: width)
        if last?.start == bucket.start {
            self[count - 1].add(bucket)
        } else {
            append(bucket)
        }
    }
}
