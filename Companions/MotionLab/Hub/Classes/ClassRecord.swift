import Foundation
import GRDB
import HubKit
import Storage

/// A class: for a time, whoever scans its QR code measures with their phone.
struct ClassRecord: Storage.TableRecord {
    static let databaseTableName = "lab_class"

    var id: String
    var household: String
    var name: String
    /// The slug; empty for none.
    var experiment: String
    /// The sensors, as `SensorKind` names them.
    var sensors: [String]
    /// Samples a second of each.
    var hertz: Double
    /// The seconds after which a run ends by itself.
    var seconds: Int
    var codeHash: Data
    var codeEndsAt: Int64
    var openedAt: Int64
    var endsAt: Int64
    /// The last one, from 1; 0 before the first.
    var run = 0
    var runStartsAt: Int64 = 0
    var runEndsAt: Int64 = 0
    /// The version of the class, which is one more with each change that its phones are to hear of.
    var version = 0

    func isOpen(_ now: Int64) -> Bool { now < endsAt }
    func isMeasuring(_ now: Int64) -> Bool { isOpen(now) && run > 0 && now < runEndsAt }

    /// Finds a class of a household.
    ///
    /// - Throws: a 404 problem where there is none.
    static func find(_ id: String, household: String, _ db: Database) throws -> ClassRecord {
        guard let found = try fetchOne(db, key: id), found.household == household else {
            throw Problem.notFound("There is no class here. It may have been removed.")
        }
        return found
    }
}

/// A guest: somebody who joined a class with its code.
struct GuestRecord: Storage.TableRecord {
    static let databaseTableName = "lab_guest"

    var id: String
    var inClass: String
    /// The guest's number within the class, from 1.
    var number: Int
    /// The name that the guest gave; nil for none.
    var name: String?
    /// The hash of the guest's token; nil where the guest was sent away, or left.
    var tokenHash: Data?
    var joinedAt: Int64
}

/// A part of a recording that goes on.
struct GuestChunkRecord: Storage.TableRecord {
    static let databaseTableName = "lab_guest_chunk"

    var guest: String
    var run: Int
    /// The offset of its first byte in the recording.
    var start: Int
    var content: Data
    var at: Int64
    /// The CRC-32 of the recording to the end of this part.
    var checksum: UInt32

    /// The position behind what has come of a recording.
    static func position(_ guest: String, run: Int, _ db: Database) throws -> UploadPosition {
        let row = try Row.fetchOne(
            db,
            cached: """
                SELECT start + length(content) AS offset, checksum FROM lab_guest_chunk WHERE guest = ? AND run = ?
                ORDER BY start DESC LIMIT 1
                """, arguments: [guest, run])
        return UploadPosition(offset: row?["offset"] ?? 0, checksum: row?["checksum"] ?? 0)
    }

    /// The number of bytes of all recordings of a class, whole ones and those that go on.
    static func bytes(ofClass inClass: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            cached: """
                SELECT (SELECT coalesce(sum(length(lab_guest_chunk.content)), 0)
                        FROM lab_guest JOIN lab_guest_chunk ON lab_guest_chunk.guest = lab_guest.id
                        WHERE lab_guest.in_class = :class)
                    + (SELECT coalesce(sum(length(lab_guest_recording.content)), 0)
                        FROM lab_guest JOIN lab_guest_recording ON lab_guest_recording.guest = lab_guest.id
                        WHERE lab_guest.in_class = :class)
                """, arguments: ["class": inClass]) ?? 0
    }

    /// The bytes of a recording that have come.
    static func bytes(_ guest: String, run: Int, _ db: Database) throws -> [UInt8] {
        let parts = try Data.fetchAll(
            db, cached: "SELECT content FROM lab_guest_chunk WHERE guest = ? AND run = ? ORDER BY start",
            arguments: [guest, run])
        return parts.flatMap { Array($0) }
    }
}

/// The bytes of a recording of a guest.
struct GuestRecordingRecord: Storage.TableRecord {
    static let databaseTableName = "lab_guest_recording"

    var household: String
    var recording: String
    var inClass: String
    var guest: String
    var run: Int
    /// The recording in the engine's codec.
    var content: Data
    /// The SHA-256 of the content.
    var digest: Data

    /// The content; nil if it is not what was sent any more.
    var intactContent: [UInt8]? { Sessions.intact(content, digest) }

    static func find(_ recording: String, household: String, _ db: Database) throws -> GuestRecordingRecord? {
        try fetchOne(db, key: ["household": household, "recording": recording])
    }
}
