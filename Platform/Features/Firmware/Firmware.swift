import BoardImages
import Crypto
import Devices
import Foundation
import GRDB
import HubKit
import Logging
import NIOCore
import Storage
import Synchronization

/// The firmware of the household's boards: the images that there are, what each device runs, and what is on its way to it.
public final class Firmware: BoardMessages, Sendable {
    let hub: HubContext
    let devices: Devices
    let images: StoredImages
    private let deliveries = Mutex<[String: ImageDelivery]>([:])

    /// Creates it.
    ///
    /// - Parameters:
    ///   - hub: the services that companions use.
    ///   - devices: the household's devices.
    public init(hub: HubContext, devices: Devices) {
        self.hub = hub
        self.devices = devices
        images = StoredImages(hub: hub)
    }

    /// Signs what was offered before the hub last stopped, so that devices go on where they were.
    public func prepare() async throws {
        let offered = try await hub.database.pool.read { db in
            try DeviceFirmwareRecord.fetchAll(db, cached: "SELECT * FROM device_firmware WHERE offered IS NOT NULL")
        }
        for record in offered {
            do { try await sign(record) } catch {
                hub.log.error(
                    "an image could not be signed", metadata: ["device": "\(record.device)", "reason": "\(error)"])
            }
        }
    }

    @discardableResult
    private func sign(_ record: DeviceFirmwareRecord) async throws -> ImageDelivery? {
        let image = try await hub.database.pool.read { db in
            try record.offered.flatMap { try FirmwareImageRecord.fetchOne(db, key: $0) }
        }
        guard let image else { return nil }
        let delivery = try ImageDelivery(
            image.file, mayBeOlder: record.mayBeOlder, attempt: record.attempts, key: try await images.key())
        deliveries.withLock { $0[record.device] = delivery }
        return delivery
    }

    /// How much of an image a device has, in bytes of all; nil where nothing is on its way.
    func progress(of device: String) -> (delivered: Int, total: Int)? {
        deliveries.withLock { $0[device].map { ($0.delivered, $0.total) } }
    }

    // MARK: What adults ask for

    /// The largest file of an image that is taken, in bytes.
    public static var mostBytes: Int { StoredImages.mostBytes }

    /// Adds an image.
    ///
    /// - Parameters:
    ///   - file: the bytes of its file, without a signature.
    ///   - household: the id of the household.
    /// - Throws: a 422 problem that says what is wrong with the file; a 409 problem for a version that is there with other bytes.
    public func add(_ file: [UInt8], household: String) async throws -> FirmwareImageRecord {
        try await images.add(file, household: household)
    }

    /// Offers an image to a device, which takes it once it signs in.
    ///
    /// - Throws: a 409 problem where the device cannot take it.
    func offer(_ image: FirmwareImageRecord, to device: DeviceRecord, mayBeOlder: Bool) async throws {
        let now = hub.clock.now()
        let record = try await hub.database.pool.write { [hub] db in
            guard var record = try DeviceFirmwareRecord.fetchOne(db, key: device.id) else {
                throw Problem(
                    .conflict, "Not yet", "This device has not said which firmware it runs: it is updated by cable.")
            }
            guard record.hasKey else {
                throw Problem(
                    .conflict, "Not yet",
                    "This device does not know the hub’s key, and takes no firmware over the air. Write it by cable: tandem flash."
                )
            }
            guard record.board == image.board, record.kind == image.kind else {
                throw Problem.field("image", "This image is for another board, or for another device.")
            }
            guard ImageVersion(stored: image.version) >= ImageVersion(stored: record.version) || mayBeOlder else {
                throw Problem.field("image", "This image is older than what the device runs.")
            }
            record.offered = image.id
            record.offeredAt = now
            record.mayBeOlder = mayBeOlder
            record.attempts += 1
            record.outcome = nil
            try record.update(db)
            hub.live.publish(.device(device.id), household: device.household, after: db)
            return record
        }
        guard let delivery = try await sign(record) else { return }
        publish(delivery.offer, to: device.id)
    }

    /// Takes an offer back, unless the device has all of it.
    func withdraw(from device: DeviceRecord) async throws {
        try await hub.database.pool.write { [hub] db in
            try db.execute(
                cached: "UPDATE device_firmware SET offered = NULL, offered_at = NULL WHERE device = ?",
                arguments: [device.id])
            hub.live.publish(.device(device.id), household: device.household, after: db)
        }
        end(device.id)
    }

    private func end(_ device: String) {
        deliveries.withLock { $0[device] = nil }
        publish(ByteBuffer(), to: device)
    }

    /// Publishes an offer, which is kept for a device that is not there; an empty one takes it back.
    private func publish(_ offer: ByteBuffer, to device: String) {
        hub.messages.publish(
            topic: hub.policy.deviceTopics(device) + "firmware/offer", payload: offer, qualityOfService: .atLeastOnce,
            retain: true)
    }

    // MARK: What devices say

    /// Reads a message of a device.
    public func receive(
        _ name: String, payload: ByteBuffer, of device: DeviceRecord, into readings: ReadingCollector
    ) throws(BadMessage) {
        switch name {
        case "state":
            let report = try BoardReport(payload)
            let now = hub.clock.now()
            readings.perform { [self] db in try store(report, of: device, now: now, db) }
        case "want":
            guard let request = PartRequest(payload) else {
                throw BadMessage("A part is asked for by 8 bytes: the number of the offer, and where it begins.")
            }
            deliver(request, to: device)
        default: throw BadMessage("A device speaks of its firmware on “firmware/state” and “firmware/want”.")
        }
    }

    private func deliver(_ request: PartRequest, to device: DeviceRecord) {
        let part = deliveries.withLock { deliveries in
            deliveries[device.id]?.header.identity == request.offer
                ? deliveries[device.id]?.part(from: request.offset) : nil
        }
        // Of an offer that was taken back nothing more is sent; the device hears of it as it signs in next.
        guard let part else { return }
        hub.messages.publish(topic: hub.policy.deviceTopics(device.id) + "firmware/part", payload: part)
        // Pages hear of each sixteenth part.
        if request.offset.isMultiple(of: 16 * ImageDelivery.part) {
            hub.live.publish(.device(device.id), household: device.household)
        }
    }

    private func store(_ report: BoardReport, of device: DeviceRecord, now: Int64, _ db: Database) throws {
        let known = try DeviceFirmwareRecord.fetchOne(db, key: device.id)
        var record =
            known
            ?? DeviceFirmwareRecord(
                device: device.id, household: device.household, board: report.board, kind: report.kind,
                version: report.version, hasKey: report.hasKey, reportedAt: now)
        (record.board, record.kind, record.version) = (report.board, report.kind, report.version)
        (record.hasKey, record.reportedAt) = (report.hasKey, now)
        // Of an offer that came later the end is not there yet, and what is told is of the one before.
        let isOfThisOffer = report.outcome.map { outcome in
            deliveries.withLock { $0[device.id]?.header.identity == outcome.offer }
        }
        if let outcome = report.outcome, isOfThisOffer == true || record.offered == nil {
            (record.outcome, record.outcomeVersion, record.outcomeReason) = (
                outcome.result, outcome.version, outcome.reason
            )
        }
        if isOfThisOffer == true {
            (record.offered, record.offeredAt) = (nil, nil)
            db.afterNextTransaction { [self] _ in end(device.id) }
        }
        guard record != known else { return }
        try record.save(db)
        hub.live.publish(.device(device.id), household: device.household, after: db)
    }
}
