import Foundation
import GRDB
import HubKit
import Wire

/// The step that takes the CRC-32 off guests' recordings of 0.1.0's first builds, and stores their checksums beside them.
///
/// In SQL alone: a migration meets the columns of its own day, which a record of today may not know.
enum GuestContentMigration {
    /// Applies the step. A recording that is damaged gets no digest, and stays so.
    static func apply(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE lab_guest_recording ADD COLUMN digest BLOB NOT NULL DEFAULT x''")
        for key in try Row.fetchAll(db, sql: "SELECT household, recording FROM lab_guest_recording") {
            let place: StatementArguments = [key["household"] as String, key["recording"] as String]
            let sealed = try Data.fetchOne(
                db, sql: "SELECT content FROM lab_guest_recording WHERE household = ? AND recording = ?",
                arguments: place)
            guard let content = sealed.flatMap({ SealedContent.opened(Array($0)) }) else { continue }
            try db.execute(
                sql: "UPDATE lab_guest_recording SET content = ?, digest = ? WHERE household = ? AND recording = ?",
                arguments: [Data(content), Sessions.digest(of: content)] + place)
        }
        try db.execute(sql: "ALTER TABLE lab_guest_chunk ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")
        let chunks = try Row.fetchAll(
            db, sql: "SELECT guest, run, start FROM lab_guest_chunk ORDER BY guest, run, start")
        var checksum: UInt32 = 0
        for chunk in chunks {
            let place: StatementArguments = [chunk["guest"] as String, chunk["run"] as Int, chunk["start"] as Int]
            let bytes = try Data.fetchOne(
                db, sql: "SELECT content FROM lab_guest_chunk WHERE guest = ? AND run = ? AND start = ?",
                arguments: place)
            checksum = crc32(Array(bytes ?? Data())[...], after: chunk["start"] == 0 ? 0 : checksum)
            try db.execute(
                sql: "UPDATE lab_guest_chunk SET checksum = ? WHERE guest = ? AND run = ? AND start = ?",
                arguments: [checksum] + place)
        }
    }
}
