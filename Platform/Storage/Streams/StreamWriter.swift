import Foundation
import GRDB
import Wire

/// Storing samples, inside a transaction of the caller's.
extension Database {
    /// The widths of stored summaries, microseconds: a second, a minute, an hour.
    public static var summaryWidths: [Int64] { [1_000_000, 60_000_000, 3_600_000_000] }

    /// The stream of a device, made at its first use.
    public func stream(_ declared: SampleStream, of device: DeviceRecord) throws -> StreamRecord {
        if let known = try stream(declared.name, device: device.id) { return known }
        try execute(
            sql: "INSERT INTO stream(household, device, name, axis_count, gap) VALUES (?, ?, ?, ?, ?)",
            arguments: [device.household, device.id, declared.name, declared.axes.count, declared.gapMicroseconds])
        return StreamRecord(
            id: lastInsertedRowID, household: device.household, device: device.id, name: declared.name,
            gapMicroseconds: declared.gapMicroseconds, axisCount: declared.axes.count)
    }

    /// Stores what of a block is not stored yet. The same block twice, and one that overlaps others, is stored once: a
    /// sample between the first and the last of a stored block is known, whatever it says.
    ///
    /// - Throws: `StreamError`.
    public func append(_ block: SampleBlock, to stream: StreamRecord) throws -> AppendedSamples {
        guard block.axes.count == stream.axisCount else {
            throw StreamError.axisCount(expected: stream.axisCount, found: block.axes.count)
        }
        let expiredTo =
            try Int64.fetchOne(self, sql: "SELECT expired_to FROM stream WHERE id = ?", arguments: [stream.id]) ?? 0
        var outcome = AppendedSamples()
        outcome.expired = block.times.prefix { $0 < expiredTo }.count
        guard outcome.expired < block.count else { return outcome }
        for piece in block.slice(outcome.expired..<block.count).pieces(gap: stream.gapMicroseconds) {
            for range in try unknown(of: piece, stream) {
                let part = piece.slice(range)
                try execute(
                    sql: "INSERT INTO stream_block(stream, first, last, n, content) VALUES (?, ?, ?, ?, ?)",
                    arguments: [stream.id, part.first, part.last, part.count, Data(part.encoded)])
                for width in Self.summaryWidths {
                    for summary in SampleSummary.of(part, width: width) { try add(summary, width: width, to: stream) }
                }
                outcome.stored += part.count
            }
        }
        outcome.known = block.count - outcome.expired - outcome.stored
        return outcome
    }

    /// The places of a piece that no stored block covers. A stored block between two samples parts them too.
    private func unknown(of piece: SampleBlock, _ stream: StreamRecord) throws -> [Range<Int>] {
        // Blocks do not overlap: the one that begins last before the piece is the only one of those that may reach into it.
        let covered = try Row.fetchAll(
            self,
            sql: """
                SELECT first, last FROM stream_block
                WHERE stream = :stream AND first <= :last AND first >= ifnull(
                    (SELECT max(first) FROM stream_block WHERE stream = :stream AND first <= :first), :first)
                ORDER BY first
                """, arguments: ["stream": stream.id, "first": piece.first, "last": piece.last]
        ).map { (first: $0["first"] as Int64, last: $0["last"] as Int64) }
        var ranges: [Range<Int>] = []
        var next = covered[...]
        var start: Int?
        for (index, time) in piece.times.enumerated() {
            while let block = next.first, block.last < time {
                if let begun = start { ranges.append(begun..<index) }
                start = nil
                next = next.dropFirst()
            }
            if let block = next.first, block.first <= time {
                if let begun = start { ranges.append(begun..<index) }
                start = nil
            } else if start == nil {
                start = index
            }
        }
        if let start { ranges.append(start..<piece.count) }
        return ranges
    }

    /// Counts a summary into the stored one of its stretch of time.
    func add(_ summary: SampleSummary, width: Int64, to stream: StreamRecord) throws {
        var summary = summary
        let stored = try Data.fetchOne(
            self, cached: "SELECT content FROM stream_summary WHERE stream = ? AND width = ? AND start = ?",
            arguments: [stream.id, width, summary.start])
        if let stored { summary.add(try SampleSummary(start: summary.start, encoded: Array(stored))) }
        try execute(
            cached: "INSERT OR REPLACE INTO stream_summary VALUES (?, ?, ?, ?)",
            arguments: [stream.id, width, summary.start, Data(summary.encoded)])
    }

    /// Removes some of what is older than a stream is stored. Samples before `samplesBefore` are not taken again: their
    /// summaries would count them twice. A block that reaches beyond it stays whole. To be called in transactions of its own
    /// until there is no more: the one writer is everybody's.
    ///
    /// - Parameters:
    ///   - samplesBefore: UTC microseconds; nil leaves the samples.
    ///   - summariesBefore: UTC microseconds; nil leaves the summaries.
    ///   - limit: blocks, and summaries of each width.
    /// - Returns: whether there may be more.
    @discardableResult
    public func expire(_ stream: StreamRecord, samplesBefore: Int64?, summariesBefore: Int64?, limit: Int = 500) throws
        -> Bool
    {
        var isMore = false
        if let samplesBefore {
            try execute(
                sql: "UPDATE stream SET expired_to = max(expired_to, ?) WHERE id = ?",
                arguments: [samplesBefore, stream.id])
            try execute(
                sql: """
                    DELETE FROM stream_block WHERE id IN (
                        SELECT id FROM stream_block WHERE stream = ? AND first < ? AND last < ? ORDER BY first LIMIT ?)
                    """, arguments: [stream.id, samplesBefore, samplesBefore, limit])
            isMore = changesCount == limit
        }
        if let summariesBefore {
            for width in Self.summaryWidths {
                try execute(
                    sql: """
                        DELETE FROM stream_summary WHERE stream = :stream AND width = :width AND start IN (
                            SELECT start FROM stream_summary WHERE stream = :stream AND width = :width
                            AND start <= :before ORDER BY start LIMIT :limit)
                        """,
                    arguments: [
                        "stream": stream.id, "width": width, "before": summariesBefore - width, "limit": limit,
                    ])
                isMore = isMore || changesCount == limit
            }
        }
        return isMore
    }
}
