import GRDB

/// What an archive of a household needs of the schema: it is as old as the hub that wrote it.
extension HubDatabase {
    /// The steps that a file's schema has taken, in their order.
    public static func steps(of db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }

    /// Makes a new file with the schema as some steps left it, for rows that were written then; ``init(path:migrations:checkpointPages:)``
    /// brings it up to date.
    ///
    /// - Parameters:
    ///   - steps: by their identifiers.
    ///   - migrations: the companions'.
    /// - Returns: nil where a step is not known: a newer Tandem than this one took it.
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
