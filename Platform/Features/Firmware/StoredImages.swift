import BoardImages
import Crypto
import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The images that adults have added, and the key that signs them.
struct StoredImages: Sendable {
    let hub: HubContext

    /// The largest file that is taken: a header and the longest payload.
    static let mostBytes = ImageHeader.size + ImageHeader.longestPayload
    /// The most images that a household keeps.
    static let most = 32

    /// The hub's key, created at the first call. It is as secret as the database that it is stored in.
    func key() async throws -> Curve25519.Signing.PrivateKey {
        let made = Curve25519.Signing.PrivateKey().rawRepresentation.base64EncodedString()
        let kept = try await hub.settingsStore.get(.firmwareKey, orSet: made)
        guard let raw = Data(base64Encoded: kept),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: raw)
        else { throw DamagedKey() }
        return key
    }

    private struct DamagedKey: Error, CustomStringConvertible {
        var description: String { "the key that signs images of boards is damaged in the database" }
    }

    /// Adds an image.
    ///
    /// - Throws: a 422 problem that says what is wrong with the file; a 409 problem for a version that is there with other bytes.
    func add(_ file: [UInt8], household: String) async throws -> FirmwareImageRecord {
        let header: ImageHeader
        do throws(ImageFault) { header = try ImageHeader(checking: file.span) } catch {
            throw Problem.field("file", detail: Self.words(error))
        }
        let record = FirmwareImageRecord(
            id: Secret.identifier(length: 8), household: household, board: header.board.text, kind: header.kind.text,
            version: header.version.text, file: Data(file), addedAt: hub.clock.now())
        return try await hub.database.pool.write { db in
            let known = try FirmwareImageRecord.fetchOne(
                db,
                cached: "SELECT * FROM firmware_image WHERE household = ? AND board = ? AND kind = ? AND version = ?",
                arguments: [household, record.board, record.kind, record.version])
            if let known {
                guard known.file == record.file else {
                    throw Problem(
                        .conflict, "There already",
                        "Version \(record.version) is there already, and has other bytes. A changed image gets a new version."
                    )
                }
                return known
            }
            let count = try Int.fetchOne(
                db, cached: "SELECT count(*) FROM firmware_image WHERE household = ?", arguments: [household])
            guard count ?? 0 < Self.most else {
                throw Problem.field("file", "The hub keeps \(Self.most) images. Remove one first.")
            }
            try record.insert(db)
            hub.live.publish(.device(""), household: household, after: db)
            return record
        }
    }

    /// What is wrong with a file, for who has chosen it.
    static func words(_ fault: ImageFault) -> LocalizedText {
        switch fault {
        case .noMagic: LocalizedText("This is no image of a board: its first letters are not TDMI.")
        case .cutOff: LocalizedText("This file is cut off: it is shorter than it says.")
        case .tooMuch: LocalizedText("This file is longer than it says. An image is added without a signature.")
        case .unknownFormat: LocalizedText("This image has a format that this version of Tandem does not know.")
        case .badVersion: LocalizedText("This image has no version.")
        case .badName: LocalizedText("This image does not say for which board and device it is.")
        case .badLength: LocalizedText("This image is empty, or larger than any board holds.")
        default: LocalizedText("This file is damaged: its checksum is another. Make or download it anew.")
        }
    }
}

extension ImageName {
    /// The name as text.
    var text: String {
        var bytes: [UInt8] = []
        put(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ImageVersion {
    /// The version as text, such as 1.2.0.
    var text: String {
        var bytes: [UInt8] = []
        put(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The version of a text that was checked before.
    init(stored text: String) { self = ImageVersion(Array(text.utf8).span) ?? ImageVersion(0, 0, 0) }
}
