import GRDB

/// How long the readings of a device are stored; nil for ever. What they come to by the hour and the day stays for ever: that
/// is nine thousand rows a year.
public struct ReadingRetention: Sendable, Equatable {
    /// The readings themselves, days.
    public var readingDays: Int?
    /// What they come to by the minute, days: at least as long as the readings.
    public var minuteDays: Int?

    /// - Parameters:
    ///   - readingDays: nil for ever.
    ///   - minuteDays: nil for ever.
    public init(readingDays: Int? = nil, minuteDays: Int? = nil) {
        self.readingDays = readingDays
        self.minuteDays = minuteDays
    }
}

/// Some of what was older than a series is stored has been removed.
public struct ExpiredPiece: Sendable {
    /// Whether there may be more.
    public var isMore: Bool
    /// Blocks that begin by then have been looked at, UTC milliseconds.
    public var lookedAt: Int64
    /// A block that was passed over: it cannot be read, so that nobody knows what its readings come to. It stays.
    public var damage: SealedReadingsDamage?
}

extension Database {
    /// All series of a kind of device, those of removed devices too.
    public func series(ofKind kind: String) throws -> [Int64] {
        try Int64.fetchAll(
            self,
            sql: "SELECT series.id FROM series JOIN device ON device.id = device WHERE kind = ? ORDER BY series.id",
            arguments: [kind])
    }

    /// Removes some of what is older than a series is stored; the newest reading stays, since it says since when nothing was
    /// heard. To be called in transactions of its own until there is no more: the one writer is everybody's.
    ///
    /// Readings before `readingsBefore` are not taken again: what they came to would count them twice. Of sealed ones what they
    /// come to by the minute is written down first, where that is stored for longer, and by the hour.
    ///
    /// - Parameters:
    ///   - readingsBefore: UTC milliseconds; nil leaves the readings.
    ///   - minutesBefore: UTC milliseconds; nil leaves what they come to by the minute.
    ///   - lookedAt: ``ExpiredPiece/lookedAt`` of the transaction before.
    ///   - limit: rows of each, and one block.
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

    /// Removes what a block has of before a time.
    ///
    /// - Parameter time: UTC milliseconds, a whole minute.
    /// - Throws: `SealedReadingsDamage`; then nothing of it is changed.
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
