import Foundation
import GRDB

/// The position of a block of sealed readings, without its content.
struct BlockPlace: Equatable {
    var id: Int64
    var series: Int64
    /// The interval of the block, in UTC milliseconds and whole minutes, `end` excluded.
    var start, end: Int64
    /// The times of the first and last reading, in UTC milliseconds.
    var first, last: Int64
    /// The number of readings.
    var count: Int
    /// Whether the block is in the rollups by the hour; it never is in those by the minute, and always in those by the
    /// day.
    var hasHours: Bool

    /// Reads a row with the columns of ``columns``.
    fileprivate init(_ row: Row, series: Int64) {
        (id, self.series, start, end) = (row[0], series, row[1], row[2])
        (first, last, count, hasHours) = (row[3], row[4], row[5], row[6])
    }

    fileprivate static let columns = "id, start, until, first, last, n, has_hours"
}

/// An error for a stored block that cannot be read.
public struct SealedReadingsDamage: Error, CustomStringConvertible {
    /// The id of the series.
    public let series: Int64
    /// The start of the block, in UTC milliseconds.
    public let start: Int64

    public var description: String {
        "Readings of series \(series) from \(start) on (UTC milliseconds) are damaged on the disk. Restore a backup from before."
    }
}

extension Database {
    /// The last block that begins at or before a time.
    func blockPlace(series: Int64, startingAtOrBefore time: Int64) throws -> BlockPlace? {
        try Row.fetchOne(
            self,
            cached: """
                SELECT \(BlockPlace.columns) FROM reading_block WHERE series = ? AND start <= ? ORDER BY start DESC LIMIT 1
                """, arguments: [series, time]
        ).map { BlockPlace($0, series: series) }
    }

    /// The first block that begins after a time.
    func blockPlace(series: Int64, startingAfter time: Int64) throws -> BlockPlace? {
        try Row.fetchOne(
            self,
            cached:
                "SELECT \(BlockPlace.columns) FROM reading_block WHERE series = ? AND start > ? ORDER BY start LIMIT 1",
            arguments: [series, time]
        ).map { BlockPlace($0, series: series) }
    }

    /// The positions of the blocks that overlap `[from, to)`, by time.
    func blockPlaces(series: Int64, from: Int64, to: Int64) throws -> [BlockPlace] {
        try Row.fetchAll(
            self, cached: Self.overlapping(BlockPlace.columns), arguments: ["series": series, "from": from, "to": to]
        ).map { BlockPlace($0, series: series) }
    }

    /// The readings of a block.
    ///
    /// - Throws: `SealedReadingsDamage`.
    func readings(in place: BlockPlace) throws -> ReadingBlock {
        let statement = try cachedStatement(sql: "SELECT content FROM reading_block WHERE id = ?")
        guard let content = try Data.fetchOne(statement, arguments: [place.id]) else {
            throw SealedReadingsDamage(series: place.series, start: place.start)
        }
        return try Self.block(content, series: place.series, start: place.start)
    }

    /// Calls `body` with each block that overlaps `[from, to)`, by time.
    ///
    /// - Parameters:
    ///   - series: the id of the series.
    ///   - from: UTC milliseconds.
    ///   - to: UTC milliseconds.
    ///   - withoutHours: whether to leave out blocks that are in the rollups by the hour.
    ///   - body: receives a block.
    ///   - damaged: receives a block that cannot be read, with its end, and may throw.
    /// - Throws: the errors of `body` and `damaged`.
    func forEachBlock(
        series: Int64, from: Int64, to: Int64, withoutHours: Bool = false, _ body: (ReadingBlock) throws -> Void,
        damaged: (SealedReadingsDamage, Int64) throws -> Void = { damage, _ in throw damage }
    ) throws {
        let rows = try Row.fetchCursor(
            cachedStatement(sql: Self.overlapping("start, content, until", withoutHours: withoutHours)),
            arguments: ["series": series, "from": from, "to": to])
        while let row = try rows.next() {
            let block: ReadingBlock
            do {
                block = try Self.block(row[1], series: series, start: row[0])
            } catch let damage as SealedReadingsDamage {
                try damaged(damage, row[2])
                continue
            }
            try body(block)
        }
    }

    private static func block(_ content: Data, series: Int64, start: Int64) throws -> ReadingBlock {
        do throws(ReadingBlockError) {
            return try ReadingBlock(encoded: Array(content))
        } catch {
            throw SealedReadingsDamage(series: series, start: start)
        }
    }

    /// A query for the blocks that overlap an interval. No two blocks of a series overlap, so only the last one that
    /// begins before `from` may reach into it.
    package static func overlapping(_ columns: String, withoutHours: Bool = false) -> String {
        let table = withoutHours ? "\(blocksWithoutHours) AND" : "reading_block WHERE"
        return """
            SELECT \(columns) FROM \(table) series = :series AND start < :to AND start >= ifnull(
                (SELECT max(start) FROM \(table) series = :series AND start <= :from), :from)
            AND until > :from ORDER BY start
            """
    }

    /// The table with the index of blocks without hours; the other index would go through all blocks.
    static let blocksWithoutHours = "reading_block INDEXED BY reading_block_without_hours WHERE has_hours = 0"

    /// Stores the readings of `[start, end)` as a block.
    ///
    /// - Returns: the size of the block in bytes.
    /// - Throws: `SealedReadingsDamage` if it cannot be decoded as it was; then nothing is stored.
    func insert(_ block: ReadingBlock, series: Int64, start: Int64, end: Int64, hasHours: Bool) throws -> Int {
        let content = block.encoded
        guard let again = try? ReadingBlock(encoded: content), again.isIdentical(to: block) else {
            throw SealedReadingsDamage(series: series, start: start)
        }
        try execute(
            cached: """
                INSERT INTO reading_block(series, start, until, first, last, n, has_hours, content)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, arguments: [series, start, end, block.first, block.last, block.count, hasHours, Data(content)])
        return content.count
    }

    /// Deletes a block. The rollups stay as they are.
    func remove(_ place: BlockPlace) throws {
        try execute(cached: "DELETE FROM reading_block WHERE id = ?", arguments: [place.id])
    }

    /// Records that there may be blocks in an interval.
    func noteSealed(_ stretch: Range<Int64>) throws {
        let before = try SealedStretches(self)
        var after = before
        after.add(stretch)
        if after != before { try after.write(self) }
    }
}

extension ReadingBlock {
    /// Adds the summaries of the readings in `[from, to)`, for intervals that begin at multiples of `width`.
    func sum(from: Int64, to: Int64, width: Int64, into buckets: inout [Bucket]) {
        // Asked for once: each look at another module's property is a call.
        let (times, values, count) = (times, values, count)
        var place = place(atOrAfter: from)
        while place < count, times[place] < to {
            let start = times[place].floored(to: width)
            let end = min(start.plusClamped(width), to)
            var bucket = Bucket(start: start, values[place])
            place += 1
            while place < count, times[place] < end {
                bucket.add(values[place])
                place += 1
            }
            buckets.add(bucket, width: width)
        }
    }
}
