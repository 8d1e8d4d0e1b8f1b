import Foundation
import GRDB

/// Where a block of sealed readings lies, without what is in it.
struct BlockPlace: Equatable {
    var id: Int64
    var series: Int64
    /// UTC milliseconds, whole minutes, `end` excluded.
    var start, end: Int64
    /// Of the first and the last reading, UTC milliseconds.
    var first, last: Int64
    /// How many readings.
    var count: Int
    /// Whether what it comes to by the hour is in rollups; by the minute it never is, by the day always.
    var hasHours: Bool

    /// As a row begins whose columns are ``columns``.
    fileprivate init(_ row: Row, series: Int64) {
        (id, self.series, start, end) = (row[0], series, row[1], row[2])
        (first, last, count, hasHours) = (row[3], row[4], row[5], row[6])
    }

    fileprivate static let columns = "id, start, until, first, last, n, has_hours"
}

/// A stored block is not what was written.
public struct SealedReadingsDamage: Error, CustomStringConvertible {
    /// Whose.
    public let series: Int64
    /// Where the block begins, UTC milliseconds.
    public let start: Int64

    public var description: String {
        "Readings of series \(series) from \(start) on (UTC milliseconds) are damaged on the disk. Restore a backup from before."
    }
}

extension Database {
    /// The block that begins last at or before a time.
    func blockPlace(series: Int64, startingAtOrBefore time: Int64) throws -> BlockPlace? {
        try Row.fetchOne(
            cachedStatement(
                sql: """
                    SELECT \(BlockPlace.columns) FROM reading_block WHERE series = ? AND start <= ? ORDER BY start DESC LIMIT 1
                    """),
            arguments: [series, time]
        ).map { BlockPlace($0, series: series) }
    }

    /// The block that begins first after a time.
    func blockPlace(series: Int64, startingAfter time: Int64) throws -> BlockPlace? {
        try Row.fetchOne(
            cachedStatement(
                sql:
                    "SELECT \(BlockPlace.columns) FROM reading_block WHERE series = ? AND start > ? ORDER BY start LIMIT 1"
            ),
            arguments: [series, time]
        ).map { BlockPlace($0, series: series) }
    }

    /// Where the blocks lie that reach into `[from, to)`, in order of time.
    func blockPlaces(series: Int64, from: Int64, to: Int64) throws -> [BlockPlace] {
        try Row.fetchAll(
            cachedStatement(sql: Self.overlapping(BlockPlace.columns)),
            arguments: ["series": series, "from": from, "to": to]
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

    /// Calls `body` with each block that reaches into `[from, to)`, in order of time, one at a time.
    ///
    /// - Parameters:
    ///   - withoutHours: those alone whose hours are in no rollup.
    ///   - damaged: is told of a block that cannot be read, with its end, and may throw that.
    /// - Throws: what `body` and `damaged` throw.
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

    /// No two blocks of a series overlap: the one that begins last before `from` alone may reach beyond it.
    package static func overlapping(_ columns: String, withoutHours: Bool = false) -> String {
        let table = withoutHours ? "\(blocksWithoutHours) AND" : "reading_block WHERE"
        return """
            SELECT \(columns) FROM \(table) series = :series AND start < :to AND start >= ifnull(
                (SELECT max(start) FROM \(table) series = :series AND start <= :from), :from)
            AND until > :from ORDER BY start
            """
    }

    /// The other index would lead past all blocks that have hours.
    static let blocksWithoutHours = "reading_block INDEXED BY reading_block_without_hours WHERE has_hours = 0"

    /// Stores the readings of `[start, end)` as a block.
    ///
    /// - Returns: the bytes that it takes.
    /// - Throws: `SealedReadingsDamage` where it is not read again as it is; then nothing is stored.
    func insert(_ block: ReadingBlock, series: Int64, start: Int64, end: Int64, hasHours: Bool) throws -> Int {
        let content = block.encoded
        guard let again = try? ReadingBlock(encoded: content), again.isIdentical(to: block) else {
            throw SealedReadingsDamage(series: series, start: start)
        }
        try cachedStatement(
            sql: """
                INSERT INTO reading_block(series, start, until, first, last, n, has_hours, content)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [series, start, end, block.first, block.last, block.count, hasHours, Data(content)])
        return content.count
    }

    /// Removes a block. What it was counted in stays.
    func remove(_ place: BlockPlace) throws {
        try cachedStatement(sql: "DELETE FROM reading_block WHERE id = ?").execute(arguments: [place.id])
    }

    /// From now on blocks may lie there.
    func noteSealed(_ stretch: Range<Int64>) throws {
        let before = try SealedStretches(self)
        var after = before
        after.add(stretch)
        if after != before { try after.write(self) }
    }
}

extension ReadingBlock {
    /// What the readings of `[from, to)` come to in stretches that begin at multiples of `width`, behind what is there already.
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
