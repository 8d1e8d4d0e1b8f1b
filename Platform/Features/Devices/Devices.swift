import Foundation
import GRDB
import HubKit
import Storage
import Synchronization

/// The household's devices: adding, renaming, removing, and which are connected.
public final class Devices: Sendable {
    private let database: HubDatabase
    private let clock: HubClock
    private let live: LiveEvents
    private let connected = Mutex<[String: Int]>([:])
    /// The companions whose tables may refer to a device.
    private let companions = Mutex<[any Companion.Type]>([])

    /// Creates the list of a household's devices.
    public init(database: HubDatabase, clock: HubClock, live: LiveEvents) {
        self.database = database
        self.clock = clock
        self.live = live
    }

    /// Sets the companions from whose tables a removed device is deleted.
    public func install(_ companions: [any Companion.Type]) { self.companions.withLock { $0 = companions } }

    /// Adds a device. Its token is returned only here.
    ///
    /// - Parameter also: what belongs to the device and is stored with it or not at all.
    public func add(
        kind: String, name: String, household: String, isVirtual: Bool = false,
        also: @escaping @Sendable (DeviceRecord, Database) throws -> Void = { _, _ in }
    ) async throws -> (device: DeviceRecord, token: String) {
        let name = try name.checkedName()
        let token = Secret.token()
        let device = DeviceRecord(
            id: Secret.identifier(length: 8), household: household, kind: kind, name: name,
            tokenHash: Secret.hash(token), isVirtual: isVirtual, createdAt: clock.now())
        try await database.pool.write { db in
            try device.insert(db)
            try also(device, db)
        }
        return (device, token)
    }

    /// The devices of a household, in the order in which they were added, without removed ones.
    public func all(household: String) async throws -> [DeviceRecord] {
        try await database.pool.read { db in try db.devices(household: household) }
    }

    /// The device with an id.
    ///
    /// - Throws: a 404 problem if the household has no such device.
    public func device(_ id: String, household: String) async throws -> DeviceRecord {
        let found = try await database.pool.read { db in try DeviceRecord.fetchOne(db, key: id) }
        guard let found, found.household == household, found.removedAt == nil else {
            throw Problem.notFound("There is no device here. It may have been removed.")
        }
        return found
    }

    /// Renames a device.
    ///
    /// - Throws: a 422 problem if the name is empty or too long.
    public func rename(_ id: String, to name: String, household: String) async throws -> DeviceRecord {
        var device = try await device(id, household: household)
        device.name = try name.checkedName()
        let name = device.name
        try await database.pool.write { [live] db in
            try db.execute(cached: "UPDATE device SET name = ? WHERE id = ?", arguments: [name, id])
            live.publish(.device(id), household: household, after: db)
        }
        return device
    }

    /// Gives a device a new token; the old one becomes invalid.
    public func renewToken(_ id: String, household: String) async throws -> String {
        _ = try await device(id, household: household)
        let token = Secret.token()
        let hash = Secret.hash(token)
        try await database.pool.write { db in
            try db.execute(cached: "UPDATE device SET token_hash = ? WHERE id = ?", arguments: [hash, id])
        }
        return token
    }

    /// Removes a device: revokes its token and deletes its rows from every companion's tables, in one transaction; its
    /// readings stay.
    ///
    /// - Throws: a 404 problem if the household has no such device; a companion's error, upon which nothing is removed.
    func remove(_ id: String, household: String) async throws {
        let now = clock.now()
        let companions = companions.withLock { $0 }
        try await database.pool.write { [live] db in
            guard let device = try DeviceRecord.fetchOne(db, key: id), device.household == household,
                device.removedAt == nil
            else { throw Problem.notFound("There is no device here. It may have been removed.") }
            try db.execute(cached: "UPDATE device SET removed_at = ? WHERE id = ?", arguments: [now, id])
            try db.execute(cached: "DELETE FROM adopted_sensor WHERE device = ?", arguments: [id])
            try db.execute(cached: "DELETE FROM bluetooth_device WHERE device = ?", arguments: [id])
            let events = try [.device(id)] + companions.flatMap { try $0.removeDevice(device, now: now, db) }
            for event in events { live.publish(event, household: household, after: db) }
        }
    }

    /// Adds an integration: a program with access to MQTT topic filters.
    public func addIntegration(name: String, filters: [String], household: String) async throws
        -> (integration: IntegrationRecord, token: String)
    {
        let token = Secret.token()
        let integration = IntegrationRecord(
            id: Secret.identifier(length: 8), household: household, name: try name.checkedName(),
            tokenHash: Secret.hash(token), filters: filters.joined(separator: "\n"), createdAt: clock.now())
        try await database.pool.write { db in try integration.insert(db) }
        return (integration, token)
    }

    /// The integrations that speak MQTT, in the order in which they were added.
    public func integrations(household: String) async throws -> [IntegrationRecord] {
        try await database.pool.read { db in
            try IntegrationRecord.fetchAll(
                db, cached: "SELECT * FROM integration WHERE household = ? AND NOT is_reader ORDER BY created_at, id",
                arguments: [household]
            )
        }
    }

    /// Removes an integration. A running hub closes its connections within seconds.
    ///
    /// - Returns: whether there was such an integration.
    public func removeIntegration(_ id: String) async throws -> Bool {
        try await database.pool.write { db in try IntegrationRecord.deleteOne(db, key: id) }
    }

    // MARK: Who is connected

    /// Notes that a device has a connection.
    public func opened(_ id: String) { connected.withLock { $0[id, default: 0] += 1 } }

    /// Notes that a connection of a device has ended.
    public func closed(_ id: String) {
        connected.withLock { connected in
            let left = (connected[id] ?? 1) - 1
            connected[id] = left > 0 ? left : nil
        }
    }

    /// Whether a device has a connection open.
    public func isConnected(_ id: String) -> Bool { connected.withLock { $0[id] != nil } }
}
