import GRDB
import GRDBSQLite

/// A writer of readings and their rollups, inside the caller's transaction.
///
/// If there are two readings of the same series and time, the first one stays, and rollups count it once.
public struct ReadingWriter {
    /// The number of readings in one statement. More gain little; SQLite binds at most 999 values.
    private static let rowsPerStatement = 64
    /// The number of milliseconds that a reading without its own time is moved one by one.
    private static let singleSteps = 8

    private let db: Database
    /// The readings that were inserted, with their final times; without those that were there already.
    public private(set) var inserted: [Reading] = []
    private var buckets: [BucketKey: Bucket] = [:]
    private var currentKey = BucketKey(series: -1, minute: 0)
    private var current = Bucket(start: 0, 0)
    /// The time from which readings are accepted, for series with expired ones; read for the first reading of a
    /// transaction.
    private var expiredTo: [Int64: Int64]?
    /// The times of sealed readings; read for the first reading of a transaction.
    private var sealed: SealedTimes?

    /// Creates a writer for a transaction.
    public init(_ db: Database) { self.db = db }

    private struct BucketKey: Hashable {
        var series, minute: Int64
    }

    /// Inserts a series with an id that the caller chose.
    public func add(_ series: SeriesRecord) throws {
        try db.execute(
            cached: "INSERT INTO series(id, household, device, quantity, unit) VALUES (?, ?, ?, ?, ?)",
            arguments: [series.id, series.household, series.device, series.quantity, series.unit])
    }

    /// Inserts readings, many rows in each statement, and summarises them.
    ///
    /// It steps SQLite's statement itself, since GRDB's arguments would cost as much again as the insert.
    public mutating func insert(_ readings: [Reading]) throws {
        let readings = try insertLate(try unexpired(readings))
        var index = 0
        inserted.reserveCapacity(inserted.count + readings.count)
        if readings.count >= Self.rowsPerStatement {
            let rows = repeatElement("(?,?,?)", count: Self.rowsPerStatement).joined(separator: ",")
            let statement = try db.cachedStatement(sql: "INSERT INTO reading VALUES \(rows)").sqliteStatement
            while index + Self.rowsPerStatement <= readings.count {
                let chunk = readings[index..<index + Self.rowsPerStatement]
                index += Self.rowsPerStatement
                for (offset, reading) in chunk.enumerated() {
                    Self.bind(reading, to: statement, after: Int32(offset * 3))
                }
                let code = sqlite3_step(statement)
                sqlite3_reset(statement)
                switch code & 0xff {
                case SQLITE_DONE: for reading in chunk { count(reading) }
                // One of them is there already: the statement undid itself, so each goes its own way.
                case SQLITE_CONSTRAINT: for reading in chunk { try insertOne(reading) }
                default: throw DatabaseError(resultCode: ResultCode(rawValue: code))
                }
            }
        }
        while index < readings.count {
            try insertOne(readings[index])
            index += 1
        }
    }

    /// The readings that have not expired. Expired ones count as stored: they were, or nobody wants them.
    private mutating func unexpired(_ readings: [Reading]) throws -> [Reading] {
        let expiredTo = try self.expiredTo ?? seriesExpiry()
        self.expiredTo = expiredTo
        return expiredTo.isEmpty ? readings : readings.filter { $0.at >= expiredTo[$0.series] ?? .min }
    }

    /// Inserts the readings that a block may already have, one by one.
    ///
    /// - Returns: the other readings.
    private mutating func insertLate(_ readings: [Reading]) throws -> [Reading] {
        var sealed = try self.sealed ?? SealedTimes(db)
        guard readings.contains(where: { sealed.mayContain($0.at) }) else {
            self.sealed = sealed
            return readings
        }
        var (late, others): ([Reading], [Reading]) = ([], [])
        for reading in readings {
            if try sealed.block(at: reading.at, of: reading.series) == nil {
                others.append(reading)
            } else {
                late.append(reading)
            }
        }
        self.sealed = sealed
        for reading in late { try insertOne(reading) }
        return others
    }

    private func seriesExpiry() throws -> [Int64: Int64] {
        let statement = try db.cachedStatement(sql: "SELECT id, expired_to FROM series WHERE expired_to > 0")
        return try Dictionary(
            uniqueKeysWithValues: Row.fetchAll(statement).map { ($0["id"] as Int64, $0["expired_to"] as Int64) })
    }

    /// Writes the rollups of the inserted readings. Call it once, before the transaction ends.
    public mutating func finish() throws {
        closeBucket()
        var sums: [RollupSpan: [BucketKey: Bucket]] = [.hour: [:], .day: [:]]
        let addition = try db.rollupAddition()
        for (key, bucket) in buckets {
            try addition.add(bucket, to: key.series, .minute)
            for span in [RollupSpan.hour, .day] {
                let start = bucket.start.floored(to: span.rawValue)
                let wide = BucketKey(series: key.series, minute: start)
                if sums[span]?[wide]?.add(bucket) == nil {
                    var first = bucket
                    first.start = start
                    sums[span]?[wide] = first
                }
            }
        }
        for (span, wide) in sums {
            for (key, bucket) in wide { try addition.add(bucket, to: key.series, span) }
        }
        buckets.removeAll()
    }

    private static func bind(_ reading: Reading, to statement: SQLiteStatement, after offset: Int32) {
        sqlite3_bind_int64(statement, offset + 1, reading.series)
        sqlite3_bind_int64(statement, offset + 2, reading.at)
        sqlite3_bind_double(statement, offset + 3, reading.value)
    }

    private mutating func insertOne(_ reading: Reading) throws {
        var reading = reading
        let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO reading VALUES (?, ?, ?)").sqliteStatement
        // A few steps of one, then doubled each time: behind a flood there may be hours without a free millisecond, and each
        // step is a search.
        var (steps, step) = (0, Int64(1))
        while true {
            if try sealed?.contains(reading.at, of: reading.series) != true {
                Self.bind(reading, to: statement, after: 0)
                let code = sqlite3_step(statement)
                sqlite3_reset(statement)
                guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
                if sqlite3_changes(db.sqliteConnection) == 1 { return count(reading) }
            }
            guard reading.isTimeAssigned else { return }
            reading.at += step
            steps += 1
            if steps >= Self.singleSteps { step *= 2 }
        }
    }

    /// Adds a reading to its summary. Consecutive readings are mostly of the same series and minute, so the table of
    /// summaries is rarely used.
    private mutating func count(_ reading: Reading) {
        inserted.append(reading)
        let key = BucketKey(series: reading.series, minute: reading.at.floored(to: RollupSpan.minute.rawValue))
        if key == currentKey { return current.add(reading.value) }
        closeBucket()
        currentKey = key
        current = Bucket(start: key.minute, reading.value)
    }

    private mutating func closeBucket() {
        guard currentKey.series >= 0 else { return }
        if buckets[currentKey]?.add(current) == nil { buckets[currentKey] = current }
        currentKey.series = -1
    }
}

extension Database {
    /// A statement that adds a summary to its rollup.
    func rollupAddition() throws -> Statement {
        try cachedStatement(
            sql: """
                INSERT INTO rollup VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                n = n + excluded.n, low = min(low, excluded.low), high = max(high, excluded.high), sum = sum + excluded.sum
                """)
    }
}

extension Statement {
    /// Runs ``GRDB/Database/rollupAddition()``.
    func add(_ bucket: Bucket, to series: Int64, _ span: RollupSpan) throws {
        try execute(arguments: [
            series, span.rawValue, bucket.start, bucket.count, bucket.low, bucket.high, bucket.sum,
        ])
    }
}

extension Int64 {
    /// The start of the interval that this time is in.
    func floored(to span: RollupSpan) -> Int64 { floored(to: span.rawValue) }

    /// The greatest multiple of `step` that is not above this number, also for negative ones.
    public func floored(to step: Int64) -> Int64 {
        let remainder = self % step
        return self - (remainder < 0 ? remainder + step : remainder)
    }
}
