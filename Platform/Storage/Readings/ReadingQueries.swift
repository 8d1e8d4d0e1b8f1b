import GRDB

/// Queries of readings for charts and exports.
extension Database {
    /// The series of a device, or of the whole hub.
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
    /// - Throws: `SealedReadingsDamage`, as everything that reads sealed readings.
    public func latestReading(series: Int64, atOrBefore time: Int64 = .max) throws -> Reading? {
        let row = try Row.fetchOne(
            self, cached: "SELECT at, value FROM reading WHERE series = ? AND at <= ? ORDER BY at DESC LIMIT 1",
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
    /// - Parameter devices: the ids of the devices; nil for all of the hub.
    public func latestReadings(ofDevices devices: [String]? = nil) throws -> [(series: SeriesRecord, reading: Reading)]
    {
        try Row.fetchAll(
            cachedStatement(
                sql: Self.latestReadingsSQL
                    + (devices == nil ? "" : " WHERE device IN (SELECT value FROM json_each(?))")
                    + " ORDER BY known.id"),
            arguments: devices.map { [try Self.jsonText($0)] } ?? []
        ).map { row in
            (
                SeriesRecord(
                    id: row["id"], household: row["household"], device: row["device"], quantity: row["quantity"],
                    unit: row["unit"]), Reading(series: row["id"], at: row["at"], value: row["value"])
            )
        }
    }

    /// A query for the newest reading of each series, by the primary key. It is a cross join, which makes SQLite keep
    /// the order; it would scan the readings otherwise.
    package static let latestReadingsSQL = """
        SELECT known.id, household, device, quantity, unit, at, value FROM series AS known
        CROSS JOIN reading ON reading.series = known.id AND at = (SELECT max(at) FROM reading WHERE series = known.id)
        """

    /// Calls `body` with each reading of a series by time, without holding them all.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - from: UTC milliseconds.
    ///   - to: UTC milliseconds, excluded.
    ///   - body: receives a reading.
    ///   - damaged: receives sealed readings that cannot be read, with the end of their time in UTC milliseconds. It
    ///     may throw; otherwise the rest follows.
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

    /// The summaries of `[from, to)` for intervals of `width` milliseconds that begin at multiples of it, without empty
    /// ones.
    ///
    /// They are made of the widest rollup that divides `width`; below a minute of the readings, as also where sealed
    /// readings have no such rollup.
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

    /// The summaries of sealed readings that are not in the rollups of a span; nil means the readings themselves.
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

    /// The summaries of many intervals, in one query of rollups and one of blocks; an array for each interval in its
    /// order.
    public func buckets(of stretches: [SeriesStretch]) throws -> [[Bucket]] {
        var result = [[Bucket]](repeating: [], count: stretches.count)
        guard !stretches.isEmpty else { return result }
        let asked = stretches.map { stretch in
            [stretch.series, stretch.span.rawValue, stretch.from.floored(to: stretch.span.rawValue), stretch.to]
        }
        let rows = try Row.fetchCursor(
            cachedStatement(sql: Self.stretchesSQL),
            arguments: [try Self.jsonText(asked)])
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

    /// The indices of the intervals that overlap blocks without rollups. No two blocks overlap, so the last one
    /// decides.
    private func stretchesWithBlocks(_ asked: [[Int64]]) throws -> [Int] {
        try Int.fetchAll(
            self,
            cached: """
                SELECT asked.key FROM json_each(?) AS asked WHERE json_extract(asked.value, '$[2]') < CASE
                    json_extract(asked.value, '$[1]')
                WHEN \(RollupSpan.minute.rawValue) THEN (
                    SELECT until FROM reading_block WHERE series = json_extract(asked.value, '$[0]')
                    AND start < json_extract(asked.value, '$[3]') ORDER BY start DESC LIMIT 1)
                WHEN \(RollupSpan.hour.rawValue) THEN (
                    SELECT until FROM \(Self.blocksWithoutHours) AND series = json_extract(asked.value, '$[0]')
                    AND start < json_extract(asked.value, '$[3]') ORDER BY start DESC LIMIT 1)
                END ORDER BY asked.key
                """, arguments: [try Self.jsonText(asked)])
    }

    /// A query for the summaries of many intervals. It is a cross join, which makes SQLite go from interval to interval
    /// by the primary key.
    package static let stretchesSQL = """
        SELECT asked.key, start, n, low, high, sum FROM json_each(?) AS asked
        CROSS JOIN rollup ON series = json_extract(asked.value, '$[0]')
        AND span = json_extract(asked.value, '$[1]') AND start >= json_extract(asked.value, '$[2]')
        AND start < json_extract(asked.value, '$[3]') ORDER BY asked.key, start
        """

    /// The intervals of `[from, to)` longer than `milliseconds` without any reading, including the open one at the end:
    /// in whole minutes, beyond 10 days in hours, beyond 400 days in days.
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

    /// The number of stored readings, from the rollups.
    public func readingCount() throws -> Int { try Int.fetchOne(self, sql: Self.readingCountSQL) ?? 0 }

    /// A query for the number of readings, series by series, so that the primary key finds the days of each; by the
    /// span alone every minute would be examined.
    package static let readingCountSQL = """
        SELECT ifnull(sum((SELECT sum(n) FROM rollup WHERE series = known.id AND span = \(RollupSpan.day.rawValue))), 0)
        FROM series AS known
        """
}

/// An interval of a series, to be summarised.
public struct SeriesStretch: Sendable, Equatable {
    /// The id of the series.
    public let series: Int64
    /// The interval in UTC milliseconds, `to` excluded.
    public let from, to: Int64
    /// The rollup that is used.
    let span: RollupSpan
    /// The number of rollups in each summary.
    private let count: Int64

    /// Creates an interval.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - from: UTC milliseconds.
    ///   - to: UTC milliseconds, excluded.
    ///   - span: the rollup that is used.
    ///   - count: the number of rollups in each summary, at least 1.
    public init(series: Int64, from: Int64, to: Int64, in span: RollupSpan, by count: Int64 = 1) {
        (self.series, self.from, self.to, self.span, self.count) = (series, from, to, span, max(1, count))
    }

    /// The length of each summary, in milliseconds.
    var width: Int64 { span.rawValue * count }
}

extension [Bucket] {
    /// Two lists of summaries by time as one; those of the same interval are added up.
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

    /// Adds the next summary, to the last one if it is of the same interval.
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
