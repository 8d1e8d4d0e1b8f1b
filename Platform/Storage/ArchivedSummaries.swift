import GRDB

/// What readings came to that are stored no longer: an archive has it beside the readings that are.
extension Database {
    /// From when on readings of a series are stored, UTC milliseconds; 0 where none has expired.
    public func expiry(ofSeries series: Int64) throws -> Int64 {
        try Int64.fetchOne(self, sql: "SELECT expired_to FROM series WHERE id = ?", arguments: [series]) ?? 0
    }

    /// Calls `body` with what the readings of a series came to that are stored no longer, in order of time, without holding all
    /// of it.
    ///
    /// - Parameters:
    ///   - expiry: UTC milliseconds.
    ///   - span: how long a stretch each is of.
    /// - Throws: `SealedReadingsDamage` for the last alone, in which there may be sealed readings; and what `body` throws.
    public func forEachExpiredBucket(
        ofSeries series: Int64, before expiry: Int64, _ span: RollupSpan, _ body: (Bucket) throws -> Void
    ) throws {
        let last = expiry.floored(to: span)
        var from = Int64.min / 2
        while from < expiry {
            let next = try Int64.fetchOne(
                cachedStatement(sql: "SELECT min(start) FROM rollup WHERE series = ? AND span = ? AND start >= ?"),
                arguments: [series, span.rawValue, from])
            from = max(from, min(next ?? .max, last))
            guard from < expiry else { return }
            let to = from < last ? min(from.plusClamped(4_096 * span.rawValue), last) : expiry
            for bucket in try buckets(series: series, from: from, to: to, width: span.rawValue) { try body(bucket) }
            from = to
        }
    }

    /// Sets from when on readings of a series are stored, and what came of those before: the summaries that there are of
    /// that time are replaced.
    ///
    /// - Parameter summaries: by their length.
    public func setExpiry(ofSeries series: Int64, to time: Int64, summaries: [RollupSpan: [Bucket]]) throws {
        try execute(sql: "UPDATE series SET expired_to = ? WHERE id = ?", arguments: [time, series])
        try execute(sql: "DELETE FROM rollup WHERE series = ? AND start < ?", arguments: [series, time])
        for (span, buckets) in summaries {
            for bucket in buckets where bucket.start < time {
                try execute(
                    sql: "INSERT INTO rollup(series, span, start, n, low, high, sum) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        series, span.rawValue, bucket.start, bucket.count, bucket.low, bucket.high, bucket.sum,
                    ])
            }
        }
    }

    /// Lets readings of every age in, until ``setExpiry(ofSeries:to:summaries:)`` says otherwise.
    public func forgetExpiry() throws { try execute(sql: "UPDATE series SET expired_to = 0 WHERE expired_to > 0") }
}
