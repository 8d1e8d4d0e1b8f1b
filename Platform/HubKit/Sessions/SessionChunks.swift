import Foundation
import GRDB
import Storage
import Wire

/// The bytes of active sessions, in rows of limited size. Appending reads and writes one row, however long the session
/// is.
enum SessionChunks {
    /// Appends bytes, and updates the record's length and checksum.
    static func append(
        _ bytes: ArraySlice<UInt8>, to record: inout ActiveSessionRecord, _ limits: ActiveSessionLimits, _ db: Database
    ) throws {
        record.checksum = crc32(bytes, after: record.checksum)
        var rest = bytes
        let last = try Row.fetchOne(
            db,
            cached: """
                SELECT start, iif(length(bytes) < ?, bytes, NULL) AS bytes FROM active_session_chunk
                WHERE household = ? AND id = ? ORDER BY start DESC LIMIT 1
                """, arguments: [limits.rowBytes, record.household, record.id])
        if let last, let chunk = last["bytes"] as Data?, chunk.count + rest.count <= limits.rowBytes {
            try db.execute(
                sql: "UPDATE active_session_chunk SET bytes = ? WHERE household = ? AND id = ? AND start = ?",
                arguments: [chunk + rest, record.household, record.id, last["start"] as Int])
            record.length += rest.count
            return
        }
        while !rest.isEmpty {
            let part = rest.prefix(limits.chunkBytes)
            rest = rest.dropFirst(part.count)
            try db.execute(
                sql: "INSERT INTO active_session_chunk(household, id, start, bytes) VALUES (?, ?, ?, ?)",
                arguments: [record.household, record.id, record.length, Data(part)])
            record.length += part.count
        }
    }

    /// The bytes of a range, or of the part of it that exists.
    static func bytes(
        _ range: Range<Int>, of record: ActiveSessionRecord, _ limits: ActiveSessionLimits, _ db: Database
    )
        throws -> [UInt8]
    {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT start, bytes FROM active_session_chunk
                WHERE household = ? AND id = ? AND start > ? AND start < ? ORDER BY start
                """,
            arguments: [
                record.household, record.id, range.lowerBound - max(limits.chunkBytes, limits.rowBytes),
                range.upperBound,
            ])
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(range.count, record.length))
        while let row = try rows.next() {
            let (start, chunk) = (row["start"] as Int, row["bytes"] as Data)
            let first = max(range.lowerBound - start, 0)
            let end = min(range.upperBound - start, chunk.count)
            if first < end { bytes.append(contentsOf: chunk[chunk.startIndex + first..<chunk.startIndex + end]) }
        }
        return bytes
    }

    /// All bytes of a session.
    static func all(of record: ActiveSessionRecord, _ limits: ActiveSessionLimits, _ db: Database) throws -> [UInt8] {
        try bytes(0..<max(record.length, 1), of: record, limits, db)
    }
}
