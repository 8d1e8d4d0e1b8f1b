import BoardImages
import Foundation
import GRDB
import HubKit
import Localization
import Storage

extension Firmware {
    /// Adds the routes.
    public func addRoutes(to routes: Routes) {
        routes.get("/api/firmware", .member, "The images of boards, and what each device runs.") { [self] request in
            try .json(try await response(household: request.member.household))
        }
        routes.post(
            "/api/firmware/images", .adult,
            "Adds an image of a board: the bytes of its file, as scripts/firmware.sh makes it. The hub signs it as it offers it.",
            media: "application/octet-stream"
        ) { [self] request in
            let bytes = try await request.bytes(
                upTo: StoredImages.mostBytes,
                otherwise: Problem(
                    .contentTooLarge, "Too large",
                    "An image has at most \(StoredImages.mostBytes / 1_024) KB. This file is something else.",
                    field: "file"))
            let image = try await images.add(Array(buffer: bytes), household: request.member.household)
            return try .created(ImageResponse(image))
        }
        routes.delete("/api/firmware/images/{id}", .adult, "Removes an image.") { [self] request in
            let (id, household) = (try request.path("id"), try request.member.household)
            let offered = try await hub.database.pool.write { db in
                let devices = try String.fetchAll(
                    db, cached: "SELECT device FROM device_firmware WHERE offered = ? AND household = ?",
                    arguments: [id, household])
                try db.execute(
                    cached: "DELETE FROM firmware_image WHERE id = ? AND household = ?", arguments: [id, household])
                return devices
            }
            for device in offered {
                try await withdraw(from: try await devices.device(device, household: household))
            }
            return .nothing
        }
        routes.put(
            "/api/firmware/devices/{id}/update", .adult,
            "Offers an image to a device, which takes it once it signs in.", takes: UpdateBody.self
        ) { [self] request, body in
            let household = try request.member.household
            let device = try await devices.device(request.path("id"), household: household)
            let image = try await hub.database.pool.read { db in
                try FirmwareImageRecord.fetchOne(db, key: body.image)
            }
            guard let image, image.household == household else {
                throw Problem.notFound("There is no image here. It may have been removed.")
            }
            try await offer(image, to: device, mayBeOlder: body.mayBeOlder ?? false)
            return .nothing
        }
        routes.delete("/api/firmware/devices/{id}/update", .adult, "Takes an offer back.") { [self] request in
            try await withdraw(from: try await devices.device(request.path("id"), household: request.member.household))
            return .nothing
        }
    }

    private func response(household: String) async throws -> FirmwareResponse {
        let key = try await images.key().publicKey.rawRepresentation
        let (images, records) = try await hub.database.pool.read { db in
            (
                try FirmwareImageRecord.fetchAll(
                    db, cached: "SELECT * FROM firmware_image WHERE household = ? ORDER BY added_at DESC, id",
                    arguments: [household]),
                try DeviceFirmwareRecord.fetchAll(
                    db,
                    cached: """
                        SELECT device_firmware.* FROM device_firmware JOIN device ON device.id = device
                        WHERE device_firmware.household = ? AND removed_at IS NULL ORDER BY device
                        """, arguments: [household])
            )
        }
        return FirmwareResponse(
            key: key.base64EncodedString(), images: images.map { ImageResponse($0) },
            devices: records.map { record in
                let newest = images.filter { $0.board == record.board && $0.kind == record.kind }
                    .max { ImageVersion(stored: $0.version) < ImageVersion(stored: $1.version) }
                let isNewer = newest.map {
                    ImageVersion(stored: record.version) < ImageVersion(stored: $0.version)
                }
                let offered = images.first { $0.id == record.offered }
                return BoardResponse(
                    id: record.device, board: record.board, kind: record.kind, version: record.version,
                    hasKey: record.hasKey, reportedAt: record.reportedAt,
                    newest: isNewer == true ? newest.map { ImageResponse($0) } : nil,
                    update: offered.map { image in
                        let progress = progress(of: record.device)
                        return UpdateResponse(
                            version: image.version, delivered: progress?.delivered ?? 0, total: progress?.total ?? 0)
                    }, outcome: record.outcome.map { OutcomeResponse($0, record) })
            })
    }
}

private struct UpdateBody: Decodable {
    /// The id of the image.
    var image: String
    /// Whether it may be older than what the device runs.
    var mayBeOlder: Bool?
}

private struct ImageResponse: Codable {
    var id, board, kind, version: String
    var bytes: Int
    var addedAt: Int64

    init(_ record: FirmwareImageRecord) {
        (id, board, kind, version) = (record.id, record.board, record.kind, record.version)
        (bytes, addedAt) = (record.file.count, record.addedAt)
    }
}

/// What is on its way to a device.
private struct UpdateResponse: Codable {
    var version: String
    /// Bytes that the device has, of all.
    var delivered, total: Int
}

/// Why an update did not last, or was not taken.
enum OutcomeReason: String, Codable, CaseIterable {
    /// The device could not sign in with it.
    case notSignedIn
    /// It stood still, and the watchdog restarted it.
    case stoodStill
    /// It made a mistake, and was restarted.
    case fault
    /// The power went before it had signed in.
    case power
    /// The device does not know the hub's key.
    case noKey
    /// It is not signed by this hub.
    case signature
    /// It is for another board or device.
    case other
    /// It is older than what runs.
    case older
    /// It came damaged, or could not be stored.
    case damaged
}

private struct OutcomeResponse: Codable {
    var result: DeviceFirmwareRecord.Outcome
    var version: String
    var reason: OutcomeReason?

    init(_ outcome: DeviceFirmwareRecord.Outcome, _ record: DeviceFirmwareRecord) {
        result = outcome
        version = record.outcomeVersion ?? ""
        switch (outcome, record.outcomeReason) {
        case (.updated, _), (_, nil): reason = nil
        // The numbers of a start are those of Firmware/Boards/CortexM/Processor.swift.
        case (.wentBack, 7): reason = .notSignedIn
        case (.wentBack, 1): reason = .stoodStill
        case (.wentBack, 0), (.wentBack, 5): reason = .power
        case (.wentBack, _): reason = .fault
        case (.refused, let number?):
            switch UInt8(exactly: number).flatMap(ImageFault.init(rawValue:)) {
            case .noKey: reason = .noKey
            case .signature: reason = .signature
            case .otherBoard, .otherKind: reason = .other
            case .older: reason = .older
            default: reason = .damaged
            }
        }
    }
}

private struct BoardResponse: Codable {
    var id, board, kind, version: String
    var hasKey: Bool
    var reportedAt: Int64
    /// The newest image that is newer than what runs.
    var newest: ImageResponse?
    var update: UpdateResponse?
    var outcome: OutcomeResponse?
}

private struct FirmwareResponse: Codable {
    /// The hub's public key by which devices know its images: Ed25519, 32 bytes in base64.
    var key: String
    var images: [ImageResponse]
    var devices: [BoardResponse]
}
