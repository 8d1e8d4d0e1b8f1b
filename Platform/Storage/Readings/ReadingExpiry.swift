import GRDB

/// The times for which the readings of a device are stored; nil for ever. Summaries by the hour and day are kept for
/// ever: nine thousand rows a year.
public struct ReadingRetention: Sendable, Equatable {
    /// The time for which readings are stored, in days.
    public var readingDays: Int?
    /// The time for which summaries by the minute are stored, in days: at least as long as the readings.
    public var minuteDays: Int?

    /// Creates times; nil stands for ever.
    public init(readingDays: Int? = nil, minuteDays: Int? = nil) {
        self.readingDays = readingDays
        self.minuteDays = minuteDays
    }
}

/// The result of removing some expired readings.
public struct ExpiredPiece: Sendable {
    /// Whether there may be more.
    public var isMore: Bool
    /// The time up to which blocks were examined, in UTC milliseconds.
    public var lookedAt: Int64
    /// A block that was skipped because it cannot be read, so that its summaries are unknown. It stays.
    public var damage: SealedReadingsDamage?
}

extension Database {
    /// The ids of the series of a kind of device, including removed devices.
    public func series(ofKind kind: String) throws -> [Int64] {
        try Int64.fetchAll(
            self,
            sql: "SELECT series.id FROM series JOIN device ON device.id = device WHERE kind = ? ORDER BY series.id",
            arguments: [kind])
    }

    /// Removes some expired readings; the newest reading stays, since it tells how long the device has been silent.
    /// Call it in transactions of its own until there is no more, since there is only one writer.
    ///
    /// Readings before `readingsBefore` are not accepted again, since they would be counted twice. The summaries of
    /// sealed readings are stored first, by the minute if these are kept longer, and by the hour.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - readingsBefore: UTC milliseconds; nil keeps the readings.
    ///   - minutesBefore: UTC milliseconds; nil keeps the summaries by the minute.
    ///   - lookedAt: ``ExpiredPiece/lookedAt`` of the transaction before.
    ///   - limit: the number of rows of each kind; of blocks it is one.
    public func expire(
        series: Int64, readingsBefore: Int64?, minutesBefore: Int64?, lookedAt: Int64 = .min,
        limit: Int = 5_000
    ) throws -> ExpiredPiece {
        var piece = ExpiredPiece(isMore: false, lookedAt: lookedAt)
        if let readingsBefore {
            try execute(
                sql: "UPDATE series SET expired_to = max(expired_to, ?) WHERE id = ?",
                arguments: [readingsBefore, series])
            try execute(
                sql: """
                    DELETE FROM reading WHERE series = :series AND at IN (
                        SELECT at FROM reading WHERE series = :series AND at < :before
                        AND at < (SELECT max(at) FROM reading WHERE series = :series) ORDER BY at LIMIT :limit)
                    """, arguments: ["series": series, "before": readingsBefore, "limit": limit])
            piece.isMore = changesCount == limit
            let before = readingsBefore.floored(to: .minute)
            if let place = try blockPlace(series: series, startingAfter: lookedAt), place.start < before {
                piece.isMore = true
                piece.lookedAt = place.start
                do {
                    try expire(place, before: before, minutesBefore)
                } catch let damage as SealedReadingsDamage {
                    piece.damage = damage
                }
            }
        }
        if let minutesBefore {
            let minute = RollupSpan.minute.rawValue
            try execute(
                sql: """
                    DELETE FROM rollup WHERE series = :series AND span = :minute AND start IN (
                        SELECT start FROM rollup WHERE series = :series AND span = :minute AND start <= :before
                        ORDER BY start LIMIT :limit)
                    """,
                arguments: ["series": series, "minute": minute, "before": minutesBefore - minute, "limit": limit])
            piece.isMore = piece.isMore || changesCount == limit
        }
        return piece
    }

    /// Removes the part of a block before a time.
    ///
    /// - Parameter time: UTC milliseconds, a whole minute.
    /// - Throws: `SealedReadingsDamage`; then nothing was changed.
    private func expire(_ place: BlockPlace, before time: Int64, _ minutesBefore: Int64?) throws {
        let (series, block) = (place.series, try readings(in: place))
        try addRollups(of: block, to: series, .minute, from: minutesBefore ?? .min, before: time)
        if !place.hasHours { try addRollups(of: block, to: series, .hour, before: time) }
        try remove(place)
        let count = block.place(atOrAfter: time)
        if count < block.count {
            let rest = try ReadingBlock(times: Array(block.times[count...]), values: Array(block.values[count...]))
            _ = try insert(rest, series: series, start: time, end: place.end, hasHours: place.hasHours)
        }
    }
}
