import GRDB

/// The summaries of expired readings, which an archive contains beside the readings that are still stored.
extension Database {
    /// The time from which readings of a series are stored, in UTC milliseconds; 0 if none has expired.
    public func expiry(ofSeries series: Int64) throws -> Int64 {
        try Int64.fetchOne(self, sql: "SELECT expired_to FROM series WHERE id = ?", arguments: [series]) ?? 0
    }

    /// Calls `body` with the summaries of a series' expired readings, by time, without holding all of them.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - expiry: the time from which readings are stored, in UTC milliseconds.
    ///   - span: the length of each summary.
    ///   - body: receives a summary.
    /// - Throws: `SealedReadingsDamage` for the last one alone, which may include sealed readings; and the errors of
    ///   `body`.
    public func forEachExpiredBucket(
        ofSeries series: Int64, before expiry: Int64, _ span: RollupSpan, _ body: (Bucket) throws -> Void
    ) throws {
        let last = expiry.floored(to: span)
        var from = Int64.min / 2
        while from < expiry {
            let next = try Int64.fetchOne(
                self, cached: "SELECT min(start) FROM rollup WHERE series = ? AND span = ? AND start >= ?",
                arguments: [series, span.rawValue, from])
            from = max(from, min(next ?? .max, last))
            guard from < expiry else { return }
            let to = from < last ? min(from.plusClamped(4_096 * span.rawValue), last) : expiry
            for bucket in try buckets(series: series, from: from, to: to, width: span.rawValue) { try body(bucket) }
            from = to
        }
    }

    /// Sets the time from which readings of a series are stored, and replaces the summaries of the time before.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - time: UTC milliseconds.
    ///   - summaries: the summaries, by their length.
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

    /// Accepts readings of every age, until ``setExpiry(ofSeries:to:summaries:)`` is called.
    public func forgetExpiry() throws { try execute(sql: "UPDATE series SET expired_to = 0 WHERE expired_to > 0") }
}
