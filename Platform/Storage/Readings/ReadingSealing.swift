import GRDB

/// The result of sealing one piece of a series.
public struct SealedPiece: Sendable, Equatable {
    /// The time from which to look for the next piece, in UTC milliseconds.
    public var end: Int64
    /// The number of readings that were moved from rows into a block. Zero if the rollups of that time count other
    /// readings than the rows; then everything stays as it is.
    public var readings: Int
    /// The size of the blocks in bytes, including readings that were in them before.
    public var bytes: Int
}

extension Database {
    /// The number of rows that one call seals, at most; only a single minute with more is sealed at once.
    package static let mostSealed = 10_000
    /// The number of readings of whole days up to which summaries by the hour are computed on demand, and days share
    /// one block.
    package static let mostWithoutHours = 512
    /// The length of such a block, at most, in milliseconds.
    private static let longestBlock = 31 * RollupSpan.day.rawValue

    /// The ids of the series that have readings in rows from before a time.
    public func seriesToSeal(before: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            self,
            sql: """
                SELECT id FROM series AS known
                WHERE EXISTS (SELECT 1 FROM reading WHERE series = known.id AND at < ?) ORDER BY id
                """, arguments: [before])
    }

    /// Seals the next piece of a series: a day, or less if it has more than ``mostSealed`` readings. Rows become a
    /// block, which is read again and compared bit for bit; then they are deleted, with their rollups by the minute.
    /// Call it in transactions of its own until there is no more, since there is only one writer. Wherever this is
    /// interrupted, each reading is in a row or in a block.
    ///
    /// The day of the newest reading stays in rows.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - from: the time from which to look, in UTC milliseconds.
    ///   - before: the time before which to seal, in UTC milliseconds, rounded down to a whole day.
    /// - Returns: nil if there is nothing more.
    /// - Throws: `SealedReadingsDamage` if a block is damaged or would be; then the transaction has to be rolled back.
    public func sealNext(series: Int64, from: Int64 = .min, before: Int64) throws -> SealedPiece? {
        let day = RollupSpan.day.rawValue
        guard
            let newest = try Int64.fetchOne(
                self, cached: "SELECT max(at) FROM reading WHERE series = ?", arguments: [series])
        else { return nil }
        let limit = min(before, newest).floored(to: day)
        guard
            let first = try Int64.fetchOne(
                self, cached: "SELECT min(at) FROM reading WHERE series = ? AND at >= ? AND at < ?",
                arguments: [series, from, limit])
        else { return nil }
        let previous = try blockPlace(series: series, startingAtOrBefore: first)
        var piece = Piece(start: first.floored(to: day), end: first.floored(to: day) + day)
        if let previous, previous.end > first {
            piece = Piece(start: previous.start, end: previous.end, base: previous)
        } else {
            let next = try blockPlace(series: series, startingAfter: first)
            piece.start = max(piece.start, previous?.end ?? .min)
            piece.end = min(piece.end, next?.start ?? .max)
        }
        let rows = try rowsToSeal(series, from: first, to: min(piece.end, limit))
        // Late readings of a block that reaches beyond leave it as it is.
        if piece.base == nil { piece.end = min(piece.end, rows.end) }
        let sealed = first.floored(to: .minute)..<rows.end
        guard try count(of: series, .minute, in: sealed) == rows.times.count else {
            return SealedPiece(end: rows.end, readings: 0, bytes: 0)
        }
        if piece.base == nil, let previous, piece.grows(previous, by: rows.times.count) {
            (piece.base, piece.start) = (previous, previous.start)
        }
        let bytes = try seal(rows, piece, series)
        try execute(
            "DELETE FROM reading WHERE series = ? AND at >= ? AND at < ?",
            [series, sealed.lowerBound, sealed.upperBound])
        try removeRollups(of: series, .minute, in: sealed)
        try noteSealed(piece.start..<piece.end)
        return SealedPiece(end: rows.end, readings: rows.times.count, bytes: bytes)
    }

    /// The interval to seal, and the block that is there already.
    private struct Piece {
        var start, end: Int64
        var base: BlockPlace?

        /// Whether it consists of whole days.
        var isWholeDays: Bool { start.floored(to: .day) == start && end.floored(to: .day) == end }

        /// Whether it should be added to the block before it, since both are small.
        func grows(_ block: BlockPlace, by count: Int) -> Bool {
            isWholeDays && !block.hasHours && block.count + count <= mostWithoutHours
                && end - block.start <= longestBlock
        }
    }

    /// The rows of readings before `end`.
    private struct Rows {
        var times: [Int64] = []
        var values: [Double] = []
        var end: Int64
    }

    /// The rows of `[from, to)`, or as many whole minutes of them as one call may seal.
    private func rowsToSeal(_ series: Int64, from: Int64, to: Int64) throws -> Rows {
        var rows = try rows(series, from: from, to: to, limit: Self.mostSealed + 1)
        guard rows.times.count > Self.mostSealed else { return rows }
        let minute = RollupSpan.minute.rawValue
        let end = rows.times[Self.mostSealed].floored(to: minute)
        let next = from.floored(to: minute) + minute
        // A minute that alone has more: its milliseconds are the bound.
        guard end >= next else { return try self.rows(series, from: from, to: next, limit: .max) }
        let count = rows.times.place(atOrAfter: end)
        rows.times.removeSubrange(count...)
        rows.values.removeSubrange(count...)
        rows.end = end
        return rows
    }

    private func rows(_ series: Int64, from: Int64, to: Int64, limit: Int) throws -> Rows {
        var result = Rows(end: to)
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: "SELECT at, value FROM reading WHERE series = ? AND at >= ? AND at < ? ORDER BY at LIMIT ?"),
            arguments: [series, from, to, limit])
        while let row = try rows.next() {
            result.times.append(row[0])
            result.values.append(row[1])
        }
        return result
    }

    /// Stores rows, together with the block that is there already, as blocks.
    ///
    /// - Returns: the size of all blocks in bytes.
    private func seal(_ rows: Rows, _ piece: Piece, _ series: Int64) throws -> Int {
        var (times, values) = (rows.times, rows.values)
        let base = try piece.base.map { try readings(in: $0) }
        if let base { (times, values) = Self.merged(base, rows) }
        // Rollups of the hour count what is not theirs alone: readings that were removed before there were blocks.
        let isSmall =
            try piece.isWholeDays && times.count <= Self.mostWithoutHours && piece.base?.hasHours != true
            && count(of: series, .hour, in: piece.start..<piece.end) == rows.times.count
        if isSmall {
            try removeRollups(of: series, .hour, in: piece.start..<piece.end)
        } else if let base, piece.base?.hasHours == false {
            try addRollups(of: base, to: series, .hour)
        }
        if let place = piece.base { try remove(place) }
        var (bytes, start, index) = (0, piece.start, 0)
        while index < times.count {
            let (count, end) = Self.cut(times[index...], end: piece.end)
            let block = try ReadingBlock(
                times: Array(times[index..<index + count]), values: Array(values[index..<index + count]))
            bytes += try insert(block, series: series, start: start, end: end, hasHours: !isSmall)
            (start, index) = (end, index + count)
        }
        return bytes
    }

    /// The number of readings in the next block, and its end: between two minutes.
    private static func cut(_ times: ArraySlice<Int64>, end: Int64) -> (count: Int, end: Int64) {
        guard times.count > mostSealed else { return (times.count, end) }
        let minute = RollupSpan.minute.rawValue
        let end = max(
            times[times.startIndex + mostSealed].floored(to: minute),
            times[times.startIndex].floored(to: minute) + minute)
        return (times.place(atOrAfter: end) - times.startIndex, end)
    }

    /// Two lists of readings merged by time. They have no time in common, which the writer ensures.
    private static func merged(_ block: ReadingBlock, _ rows: Rows) -> ([Int64], [Double]) {
        var times: [Int64] = []
        var values: [Double] = []
        times.reserveCapacity(block.count + rows.times.count)
        values.reserveCapacity(block.count + rows.times.count)
        var place = 0
        for (index, time) in rows.times.enumerated() {
            while place < block.count, block.times[place] < time {
                times.append(block.times[place])
                values.append(block.values[place])
                place += 1
            }
            times.append(time)
            values.append(rows.values[index])
        }
        times += block.times[place...]
        values += block.values[place...]
        return (times, values)
    }
}

/// The rollups of an interval.
extension Database {
    /// The number of readings that they count.
    private func count(of series: Int64, _ span: RollupSpan, in range: Range<Int64>) throws -> Int {
        try Int.fetchOne(
            self,
            cached: "SELECT ifnull(sum(n), 0) FROM rollup WHERE series = ? AND span = ? AND start >= ? AND start < ?",
            arguments: [series, span.rawValue, range.lowerBound, range.upperBound]) ?? 0
    }

    private func removeRollups(of series: Int64, _ span: RollupSpan, in range: Range<Int64>) throws {
        try execute(
            "DELETE FROM rollup WHERE series = ? AND span = ? AND start >= ? AND start < ?",
            [series, span.rawValue, range.lowerBound, range.upperBound])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try execute(cached: sql, arguments: arguments)
    }

    /// Adds readings to the rollups of a span.
    ///
    /// - Parameters:
    ///   - block: the readings.
    ///   - series: the id of the series.
    ///   - span: the length of the rollups.
    ///   - from: UTC milliseconds; rollups that end at or before it are left out.
    ///   - time: UTC milliseconds; only readings before it are added.
    func addRollups(
        of block: ReadingBlock, to series: Int64, _ span: RollupSpan, from: Int64 = .min, before: Int64 = .max
    ) throws {
        var buckets: [Bucket] = []
        block.sum(from: .min, to: before, width: span.rawValue, into: &buckets)
        let addition = try rollupAddition()
        for bucket in buckets where bucket.start > from.minusClamped(span.rawValue) {
            try addition.add(bucket, to: series, span)
        }
    }
}
