import Foundation
import GRDB
import Wire

/// Removing and changing samples that are stored, inside a transaction of the caller's. Only one block is in memory at a time,
/// besides the pages that the transaction changes.
extension Database {
    /// Removes some of the samples of a stretch of time, the oldest first, and makes the summaries that they were counted in anew
    /// from what is left. Unlike what expires, the same samples may come again. To be called in transactions of its own until
    /// there is no more, since all that one changes stays in memory until it commits.
    ///
    /// - Parameters:
    ///   - range: UTC microseconds.
    ///   - stream: the stream.
    ///   - limit: blocks; a hundredth of a second to minutes are in one.
    /// - Returns: whether there may be more.
    /// - Throws: `SampleBlockError.damaged` where a stored block is that reaches beyond the stretch, or is beside it.
    @discardableResult
    public func remove(_ range: ClosedRange<Int64>, from stream: StreamRecord, limit: Int = 200) throws -> Bool {
        let range = range.clamped(to: 0...SampleBlock.latest)
        let places = try places(of: range, in: stream, limit: limit)
        guard let newest = places.last else { return false }
        let isMore = places.count == limit && newest.last < range.upperBound
        let (from, to) = (range.lowerBound, isMore ? newest.last : range.upperBound)
        var removed = 0
        for place in places where place.first < from || place.last > to {
            removed += try cut(from...to, out: place, of: stream)
        }
        try execute(
            sql: "DELETE FROM stream_block WHERE stream = ? AND first >= ? AND last <= ?",
            arguments: [stream.id, from, to])
        removed += changesCount
        if removed > 0 { try summarizeAnew(from...to, of: stream) }
        return isMore
    }

    /// Changes the values of a stretch of time where they lie, and makes the summaries that they are counted in anew.
    ///
    /// - Parameters:
    ///   - range: UTC microseconds.
    ///   - stream: the stream.
    ///   - change: receives the samples of one block, and returns as many of the same times.
    /// - Throws: `SampleBlockError.damaged` where a stored block is; what `change` throws. Then the transaction has to be
    ///   rolled back.
    public func change(
        _ range: ClosedRange<Int64>, of stream: StreamRecord, _ change: (SampleBlock) throws -> SampleBlock
    ) throws {
        let range = range.clamped(to: 0...SampleBlock.latest)
        let places = try places(of: range, in: stream, limit: .max)
        for place in places {
            let block = try block(at: place)
            let inside = block.indices(of: range)
            guard !inside.isEmpty else { continue }
            let changed = try change(block.slice(inside))
            let axes = zip(block.axes, changed.axes).map { old, new in
                Array(old[..<inside.lowerBound] + new + old[inside.upperBound...])
            }
            let content = Data(try SampleBlock(times: block.times, axes: axes).encoded)
            try execute(sql: "UPDATE stream_block SET content = ? WHERE id = ?", arguments: [content, place.id])
        }
        if !places.isEmpty { try summarizeAnew(range, of: stream) }
    }

    /// The place of a stored block, without its samples.
    private struct Place {
        var id, first, last: Int64
    }

    /// The places of blocks that reach into a stretch of time, by time.
    private func places(of range: ClosedRange<Int64>, in stream: StreamRecord, limit: Int) throws -> [Place] {
        try Row.fetchAll(
            self,
            sql: """
                SELECT id, first, last FROM stream_block
                WHERE stream = :stream AND first <= :to AND last >= :from AND first >= ifnull(
                    (SELECT max(first) FROM stream_block WHERE stream = :stream AND first <= :from), :from)
                ORDER BY first LIMIT :limit
                """,
            arguments: ["stream": stream.id, "from": range.lowerBound, "to": range.upperBound, "limit": limit]
        ).map { Place(id: $0["id"], first: $0["first"], last: $0["last"]) }
    }

    private func block(at place: Place) throws -> SampleBlock {
        let content = try Data.fetchOne(
            self, cached: "SELECT content FROM stream_block WHERE id = ?", arguments: [place.id])
        return try SampleBlock(encoded: Array(content ?? Data()))
    }

    /// Takes the samples of a stretch out of one block, whose others stay.
    ///
    /// - Returns: how many samples were removed.
    private func cut(_ range: ClosedRange<Int64>, out place: Place, of stream: StreamRecord) throws -> Int {
        let block = try block(at: place)
        let inside = block.indices(of: range)
        guard !inside.isEmpty else { return 0 }
        try execute(sql: "DELETE FROM stream_block WHERE id = ?", arguments: [place.id])
        for part in [0..<inside.lowerBound, inside.upperBound..<block.count] where !part.isEmpty {
            let rest = block.slice(part)
            try execute(
                sql: "INSERT INTO stream_block(stream, first, last, n, content) VALUES (?, ?, ?, ?, ?)",
                arguments: [stream.id, rest.first, rest.last, rest.count, Data(rest.encoded)])
        }
        return inside.count
    }

    /// Makes the summaries in which a stretch is counted of the samples that are there.
    private func summarizeAnew(_ range: ClosedRange<Int64>, of stream: StreamRecord) throws {
        for width in Self.summaryWidths {
            let (first, last) = (range.lowerBound / width * width, range.upperBound / width * width)
            try execute(
                sql: "DELETE FROM stream_summary WHERE stream = ? AND width = ? AND start BETWEEN ? AND ?",
                arguments: [stream.id, width, first, last])
            try forEachBlock(stream: stream, from: first, to: last + width) { block in
                for summary in SampleSummary.of(block, width: width) { try add(summary, width: width, to: stream) }
            }
        }
    }
}

extension SampleBlock {
    /// The indices of the samples of a stretch of time, in UTC microseconds.
    fileprivate func indices(of range: ClosedRange<Int64>) -> Range<Int> {
        let start = times.firstIndex { $0 >= range.lowerBound } ?? count
        let end = times.lastIndex { $0 <= range.upperBound }.map { $0 + 1 } ?? 0
        return start..<max(start, end)
    }
}
