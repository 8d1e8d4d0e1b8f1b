import GRDB

/// The parts of the schema that an archive needs: it has the schema of the hub that wrote it.
extension HubDatabase {
    /// The migrations that were applied to a file, in order.
    public static func steps(of db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }

    /// Creates a file with the schema after some migrations, for rows of that time;
    /// ``init(path:migrations:checkpointPages:)`` then brings it up to date.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - steps: the identifiers of the migrations.
    ///   - migrations: the companions' migrations.
    /// - Returns: nil if a migration is unknown, because it is of a newer version of Tandem.
    public static func makeFile(path: String, steps: [String], migrations: [Migration]) throws -> DatabaseQueue? {
        let known = Schema.migrations + migrations
        let identifiers = Set(steps)
        guard identifiers.isSubset(of: known.map(\.identifier)) else { return nil }
        do {
            makePrivate(path)
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { db in try prepare(db) }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            var migrator = DatabaseMigrator()
            for migration in known where identifiers.contains(migration.identifier) {
                migrator.registerMigration(migration.identifier) { db in try migration.apply(db) }
            }
            try migrator.migrate(queue)
            return queue
        } catch let error as DatabaseError {
            throw HubDatabaseError(error, path: path)
        }
    }
}

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
                cachedStatement(sql: "SELECT min(start) FROM rollup WHERE series = ? AND span = ? AND start >= ?"),
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
