import GRDB
import HubKit
import MQTT
import NIOCore
import Storage

/// The devices and integrations that may be heard, as the database has them, on the listener's event loop.
final class DeviceDirectory {
    private let context: DeviceContext
    private let loop: any EventLoop
    private var devices: [String: KnownDevice] = [:]
    private var integrations: [String: KnownIntegration] = [:]
    /// The access that was revoked, so that what was read before does not restore it.
    private(set) var revocations = Revocations()
    /// The number of devices that the database was asked for one by one since the last refresh, by household.
    private var lookups: [String: Int] = [:]

    /// The most of them: on the event loop, some microseconds each.
    private static let mostLookups = 1_000
    /// The most bytes of an id that is asked for.
    static let mostIDBytes = 64

    /// Creates the directory, with everybody: also who has not returned yet, since what is stored for them and from them is
    /// asked about before.
    init(context: DeviceContext, loop: any EventLoop) throws {
        self.context = context
        self.loop = loop
        let (devices, integrations) = try context.hub.database.pool.read { db in
            (
                try DeviceRecord.fetchAll(db, cached: "SELECT * FROM device WHERE removed_at IS NULL"),
                try IntegrationRecord.fetchAll(db)
            )
        }
        for record in devices { know(record) }
        for record in integrations { know(record) }
    }

    /// The device with an id.
    func device(_ id: String) -> KnownDevice? { devices[id] }

    /// The integration with an id.
    func integration(_ id: String) -> KnownIntegration? { integrations[id] }

    /// The device of a topic below `tandem/`, for which an integration publishes; also one that was added a moment ago.
    func device(_ id: String, ofHousehold household: String) -> KnownDevice? {
        (devices[id] ?? added(id, household)).flatMap { $0.record.household == household ? $0 : nil }
    }

    /// The device that was added since the last refresh, by this process or a command beside it; nil if there is none.
    private func added(_ id: String, _ household: String) -> KnownDevice? {
        guard id.utf8.count <= Self.mostIDBytes, lookups[household, default: 0] < Self.mostLookups,
            !revocations.holds(id, since: 0)
        else { return nil }
        lookups[household, default: 0] += 1
        do {
            let record = try context.hub.database.reader.read { db in
                try DeviceRecord.fetchOne(
                    db, cached: "SELECT * FROM device WHERE id = ? AND removed_at IS NULL", arguments: [id])
            }
            return record.flatMap { know($0) }
        } catch {
            context.hub.log.error("a device could not be looked up", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Adds a device that has signed in, or changes its record.
    @discardableResult
    func know(_ record: DeviceRecord) -> KnownDevice? {
        if let known = devices[record.id] {
            known.record = record
            return known
        }
        guard let companion = context.companion(forKind: record.kind), let topics = context.topics(ofKind: record.kind)
        else { return nil }
        let device = KnownDevice(
            record: record, decoder: companion.decoder(for: record), topics: topics,
            channel: context.channels.channel(ofKind: record.kind))
        devices[record.id] = device
        return device
    }

    /// Adds an integration that has signed in, or changes its grants.
    func know(_ record: IntegrationRecord) {
        let grants = record.filters.split(separator: "\n").compactMap { try? TopicFilter(String($0)) }
        integrations[record.id] = KnownIntegration(
            id: record.id, household: record.household, grants: grants)
    }

    /// Reads what commands beside the running hub have changed: new devices, new tokens, integrations added or removed.
    @discardableResult
    func refresh(_ outlet: any MessageOutlet) -> EventLoopFuture<Void> {
        struct Present: Sendable {
            var devices: [DeviceRecord]
            var integrations: [IntegrationRecord]
        }
        let began = revocations.count
        let programs = Set(integrations.keys)
        let hashes = devices.mapValues { $0.record.tokenHash }
        let promise = loop.makePromise(of: Present.self)
        context.hub.database.pool.asyncRead { result in
            promise.completeWith(
                Result {
                    let db = try result.get()
                    return Present(
                        devices: try DeviceRecord.fetchAll(db, cached: "SELECT * FROM device WHERE removed_at IS NULL"),
                        integrations: try IntegrationRecord.fetchAll(db))
                })
        }
        return promise.futureResult.assumeIsolated().map { present in
            self.lookups = [:]
            for record in present.devices where !self.revocations.holds(record.id, since: began) {
                guard let known = self.devices[record.id]?.record.tokenHash else {
                    self.know(record)
                    continue
                }
                // A device that has signed in with another token since the database was asked stays connected.
                guard known != record.tokenHash, known == hashes[record.id] else { continue }
                self.know(record)
                outlet.disconnect(.device(id: record.id))
            }
            for record in present.integrations { self.know(record) }
            // Not one that was let in, and came, since the database was asked.
            for id in programs.subtracting(present.integrations.map(\.id)) {
                self.integrations[id] = nil
                outlet.remove(.integration(id: id))
            }
        }.nonisolated()
    }

    /// Forgets a removed device.
    func forget(_ id: String) {
        devices[id] = nil
        revoke(id)
    }

    /// Invalidates what was read of a device from the database before.
    func revoke(_ id: String) { revocations.add(id) }
}
