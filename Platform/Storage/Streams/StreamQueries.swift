import Foundation
import GRDB
import Wire

/// Queries of samples for charts and exports.
extension Database {
    /// A stream of a device; nil before its first block.
    public func stream(_ name: String, device: String) throws -> StreamRecord? {
        try Row.fetchOne(self, sql: "SELECT * FROM stream WHERE device = ? AND name = ?", arguments: [device, name])
            .map(StreamRecord.init)
    }

    /// The streams of that name, of all devices of a kind.
    public func streams(named name: String, ofKind kind: String) throws -> [StreamRecord] {
        try Row.fetchAll(
            self,
            sql: """
                SELECT stream.* FROM stream JOIN device ON device.id = device
                WHERE stream.name = ? AND device.kind = ? ORDER BY stream.id
                """, arguments: [name, kind]
        ).map(StreamRecord.init)
    }

    /// Calls `body` with the samples of `[from, to)` by time, a block at a time. Only blocks that overlap the interval
    /// are read.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - from: UTC microseconds.
    ///   - to: UTC microseconds, excluded.
    ///   - body: receives samples.
    /// - Throws: `SampleBlockError.damaged` if a stored block is damaged.
    public func forEachBlock(
        stream: StreamRecord, from: Int64, to: Int64, _ body: (SampleBlock) throws -> Void
    ) throws {
        let rows = try Data.fetchCursor(
            self,
            sql: """
                SELECT content FROM stream_block
                WHERE stream = :stream AND first < :to AND last >= :from AND first >= ifnull(
                    (SELECT max(first) FROM stream_block WHERE stream = :stream AND first <= :from), :from)
                ORDER BY first
                """, arguments: ["stream": stream.id, "from": from, "to": to])
        while let content = try rows.next() {
            let block = try SampleBlock(encoded: Array(content))
            let start = block.times.firstIndex { $0 >= from } ?? block.count
            let end = block.times.lastIndex { $0 < to }.map { $0 + 1 } ?? 0
            if start < end { try body(block.slice(start..<end)) }
        }
    }

    /// The summaries of `[from, to)` for intervals of `width` that begin at multiples of it, without empty ones. They
    /// are made of the widest stored summaries that divide `width`, or else of the samples.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - from: UTC microseconds, rounded down to a multiple of `width`.
    ///   - to: UTC microseconds, rounded up to a multiple of `width`.
    ///   - width: the length of each interval, in microseconds.
    public func summaries(stream: StreamRecord, from: Int64, to: Int64, width: Int64) throws -> [SampleSummary] {
        let from = max(0, from) / width * width
        let to = (min(max(0, to), SampleBlock.latest) + width - 1) / width * width
        var result: [SampleSummary] = []
        func add(_ summary: SampleSummary) {
            var summary = summary
            summary.start = summary.start / width * width
            if result.last?.start == summary.start {
                result[result.count - 1].add(summary)
            } else {
                result.append(summary)
            }
        }
        guard let stored = Self.summaryWidths.last(where: { width % $0 == 0 }) else {
            try forEachBlock(stream: stream, from: from, to: to) { block in
                for summary in SampleSummary.of(block, width: width) { add(summary) }
            }
            return result
        }
        let rows = try Row.fetchCursor(
            self,
            sql: """
                SELECT start, content FROM stream_summary WHERE stream = ? AND width = ? AND start >= ? AND start < ?
                ORDER BY start
                """, arguments: [stream.id, stored, from, to])
        while let row = try rows.next() {
            add(try SampleSummary(start: row["start"], encoded: Array(row["content"] as Data)))
        }
        return result
    }

    /// The gaps of the stream within `[from, to)`, between one stored sample and the next. No samples are read for it.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - from: UTC microseconds.
    ///   - to: UTC microseconds, excluded.
    public func gaps(stream: StreamRecord, from: Int64, to: Int64) throws -> [Range<Int64>] {
        let rows = try Row.fetchCursor(
            self,
            sql: """
                SELECT first, last FROM stream_block
                WHERE stream = :stream AND first < :to AND first >= ifnull(
                    (SELECT max(first) FROM stream_block WHERE stream = :stream AND first <= :from), :from)
                ORDER BY first
                """, arguments: ["stream": stream.id, "from": from, "to": to])
        var gaps: [Range<Int64>] = []
        var end: Int64?
        while let row = try rows.next() {
            let first: Int64 = row["first"]
            if let end, first - end > stream.gapMicroseconds { gaps.append(end..<first) }
            end = row["last"]
        }
        return gaps
    }
}

extension StreamRecord {
    init(_ row: Row) {
        self.init(
            id: row["id"], household: row["household"], device: row["device"], name: row["name"],
            gapMicroseconds: row["gap"], axisCount: row["axis_count"])
    }
}
