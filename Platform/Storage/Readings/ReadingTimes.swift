import GRDB

/// The times of readings, without their values.
extension Database {
    /// The time of a series' first reading in `[from, to)`.
    public func firstReadingTime(series: Int64, from: Int64, to: Int64 = .max) throws -> Int64? {
        var cache = BlockCache(self)
        return try firstReadingTime(series: series, from: from, to: to, &cache)
    }

    private func firstReadingTime(series: Int64, from: Int64, to: Int64, _ cache: inout BlockCache) throws -> Int64? {
        let row = try Int64.fetchOne(
            self, cached: "SELECT min(at) FROM reading WHERE series = ? AND at >= ? AND at < ?",
            arguments: [series, from, to])
        var place = try blockPlace(series: series, startingAtOrBefore: from)
        if place.map({ $0.last < from }) ?? true { place = try blockPlace(series: series, startingAfter: from) }
        guard let place, max(place.first, from) < min(row ?? .max, to) else { return row }
        let block = try cache.readings(in: place)
        let sealed = block.times[block.place(atOrAfter: from)]
        return sealed < to ? min(row ?? .max, sealed) : row
    }

    /// The time of a series' last reading at or before a time that is not the end of all.
    private func lastReadingTime(series: Int64, atOrBefore time: Int64, _ cache: inout BlockCache) throws -> Int64? {
        let row = try Int64.fetchOne(
            self, cached: "SELECT max(at) FROM reading WHERE series = ? AND at <= ?", arguments: [series, time])
        guard let place = try blockPlace(series: series, beginningAtOrBefore: time),
            min(place.last, time) > row ?? .min
        else { return row }
        let block = try cache.readings(in: place)
        return max(row ?? .min, block.times[block.place(atOrAfter: time + 1) - 1])
    }

    /// The time of the last reading at or before the beginning of each gap, and of the first at or after its end; nil
    /// if there is none. It takes one query for all gaps if nothing is sealed.
    public func readingTimes(around gaps: [Range<Int64>], series: Int64) throws -> [(last: Int64?, next: Int64?)] {
        guard !gaps.isEmpty else { return [] }
        guard try blockPlace(series: series, startingAtOrBefore: .max) == nil else {
            var cache = BlockCache(self)
            return try gaps.map { gap in
                (
                    last: try lastReadingTime(series: series, atOrBefore: gap.lowerBound, &cache),
                    next: try firstReadingTime(series: series, from: gap.upperBound, to: .max, &cache)
                )
            }
        }
        let bounds = try Self.jsonText(gaps.map { [$0.lowerBound, $0.upperBound] })
        return try Row.fetchAll(
            self,
            cached: """
                SELECT (SELECT max(at) FROM reading WHERE series = :series AND at <= json_extract(gap.value, '$[0]')),
                (SELECT min(at) FROM reading WHERE series = :series AND at >= json_extract(gap.value, '$[1]'))
                FROM json_each(:gaps) AS gap ORDER BY gap.key
                """, arguments: ["series": series, "gaps": bounds]
        ).map { (last: $0[0], next: $0[1]) }
    }

    /// The times of each series' last readings, newest first: `count` of them or, if there are so few that they are
    /// sealed, as many as its rows and its two newest blocks have. Series without a reading are left out.
    ///
    /// - Parameters:
    ///   - series: the ids of the series.
    ///   - count: the number of times.
    ///   - time: UTC milliseconds; later readings are left out.
    public func latestReadingTimes(series: [Int64], count: Int, atOrBefore time: Int64 = .max) throws
        -> [Int64: [Int64]]
    {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT series, at FROM json_each(:series) AS known CROSS JOIN reading
                    ON series = known.value AND at <= :time AND at >= (SELECT min(at) FROM (
                        SELECT at FROM reading WHERE series = known.value AND at <= :time ORDER BY at DESC LIMIT :count))
                    ORDER BY known.key, at DESC
                    """), arguments: ["series": try Self.jsonText(series), "count": count, "time": time])
        var times: [Int64: [Int64]] = [:]
        while let row = try rows.next() { times[row[0], default: []].append(row[1]) }
        let sealed = try SealedStretches(self)
        // Rows may be few, or some of them have come late.
        let some = series.filter { id in
            guard let times = times[id], times.count >= count, let oldest = times.last else {
                return !sealed.ranges.isEmpty
            }
            return sealed.overlap(oldest...time)
        }
        guard !some.isEmpty else { return times }
        let places = try Row.fetchAll(
            self,
            cached: """
                SELECT series, start FROM json_each(:series) AS known CROSS JOIN reading_block
                ON series = known.value AND start <= :time AND start >= (SELECT min(start) FROM (
                    SELECT start FROM reading_block WHERE series = known.value AND start <= :time
                    ORDER BY start DESC LIMIT 2))
                """, arguments: ["series": try Self.jsonText(some), "time": time])
        for place in places {
            let (id, start): (Int64, Int64) = (place[0], place[1])
            try forEachBlock(series: id, from: start, to: start + 1) { block in
                times[id, default: []] += block.times[..<block.place(atOrAfter: time.plusClamped(1))]
            }
        }
        for id in some {
            times[id] = times[id].flatMap { $0.isEmpty ? nil : Array($0.sorted(by: >).prefix(count)) }
        }
        return times
    }

    /// The time of a series' first reading at or after a time, to the UTC day. It comes from the rollups, which are
    /// kept longer than the readings.
    public func firstDay(series: Int64, from: Int64) throws -> Int64? {
        try Int64.fetchOne(
            self, cached: "SELECT min(start) FROM rollup WHERE series = ? AND span = ? AND start >= ?",
            arguments: [series, RollupSpan.day.rawValue, from - RollupSpan.day.rawValue]
        ).map { max($0, from) }
    }

    /// The last block whose first reading is at or before a time.
    func blockPlace(series: Int64, beginningAtOrBefore time: Int64) throws -> BlockPlace? {
        let place = try blockPlace(series: series, startingAtOrBefore: time)
        guard let place, place.first > time else { return place }
        return try blockPlace(series: series, startingAtOrBefore: place.start - 1)
    }
}

/// A cache of the block that was read last, which most likely has the next reading too.
private struct BlockCache {
    private let db: Database
    private var latest: (id: Int64, block: ReadingBlock)?

    init(_ db: Database) { self.db = db }

    mutating func readings(in place: BlockPlace) throws -> ReadingBlock {
        if let latest, latest.id == place.id { return latest.block }
        let block = try db.readings(in: place)
        latest = (place.id, block)
        return block
    }
}
