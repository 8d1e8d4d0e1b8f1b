import Foundation
import GRDB
import Wire

/// Removing samples that somebody wants no longer, inside a transaction of the caller's.
extension Database {
    /// Removes the samples of a stretch of time, and makes the summaries that they were counted in anew from what is left.
    /// Unlike what expires, the same samples may come again.
    ///
    /// - Parameter range: UTC microseconds.
    /// - Returns: how many samples were removed.
    /// - Throws: `SampleBlockError.damaged` where a stored block is.
    @discardableResult
    public func remove(_ range: ClosedRange<Int64>, from stream: StreamRecord) throws -> Int {
        let (from, to) = (range.lowerBound, range.upperBound)
        var removed = 0
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT id, content FROM stream_block
                WHERE stream = :stream AND first <= :to AND last >= :from AND first >= ifnull(
                    (SELECT max(first) FROM stream_block WHERE stream = :stream AND first <= :from), :from)
                ORDER BY first
                """, arguments: ["stream": stream.id, "from": from, "to": to])
        for row in rows {
            let block = try SampleBlock(encoded: Array(row["content"] as Data))
            let start = block.times.firstIndex { $0 >= from } ?? block.count
            let end = block.times.lastIndex { $0 <= to }.map { $0 + 1 } ?? 0
            guard start < end else { continue }
            removed += end - start
            try execute(sql: "DELETE FROM stream_block WHERE id = ?", arguments: [row["id"] as Int64])
            for part in [0..<start, end..<block.count] where !part.isEmpty {
                let rest = block.slice(part)
                try execute(
                    sql: "INSERT INTO stream_block(stream, first, last, n, content) VALUES (?, ?, ?, ?, ?)",
                    arguments: [stream.id, rest.first, rest.last, rest.count, Data(rest.encoded)])
            }
        }
        guard removed > 0 else { return 0 }
        for width in Self.summaryWidths {
            let (first, last) = (from / width * width, to / width * width)
            try execute(
                sql: "DELETE FROM stream_summary WHERE stream = ? AND width = ? AND start BETWEEN ? AND ?",
                arguments: [stream.id, width, first, last])
            for edge in [first..<from, to + 1..<last + width] where !edge.isEmpty {
                try forEachBlock(stream: stream, from: edge.lowerBound, to: edge.upperBound) { block in
                    for summary in SampleSummary.of(block, width: width) { try add(summary, width: width, to: stream) }
                }
            }
        }
        return removed
    }
}
