import Foundation
import GRDB
import HubKit
import Storage
import Synchronization

/// The household's devices: adding, naming, removing, and which of them are connected.
public final class Devices: Sendable {
    private let database: HubDatabase
    private let clock: HubClock
    private let connected = Mutex<[String: Int]>([:])
    /// Whose tables may name a device.
    private let companions = Mutex<[any Companion.Type]>([])

    init(database: HubDatabase, clock: HubClock) {
        self.database = database
        self.clock = clock
    }

    /// From now on a removal takes out what these companions have of a device.
    func install(_ companions: [any Companion.Type]) { self.companions.withLock { $0 = companions } }

    /// Adds a device. The token is returned here and never again.
    public func add(kind: String, name: String, household: String, isVirtual: Bool = false) async throws
        -> (device: DeviceRecord, token: String)
    {
        let name = try Accounts.checked(name: name)
        let token = Secret.token()
        let device = DeviceRecord(
            id: Secret.identifier(length: 8), household: household, kind: kind, name: name,
            tokenHash: Secret.hash(token), isVirtual: isVirtual, createdAt: clock.now())
        try await database.pool.write { db in try device.insert(db) }
        return (device, token)
    }

    /// The devices of a household, in the order they came; removed ones left out.
    public func all(household: String) async throws -> [DeviceRecord] {
        try await database.pool.read { db in
            try DeviceRecord.fetchAll(
                db, sql: "SELECT * FROM device WHERE household = ? AND removed_at IS NULL ORDER BY created_at, id",
                arguments: [household])
        }
    }

    /// - Throws: a 404 problem for one that is not the household's.
    public func device(_ id: String, household: String) async throws -> DeviceRecord {
        let found = try await database.pool.read { db in try DeviceRecord.fetchOne(db, key: id) }
        guard let found, found.household == household, found.removedAt == nil else {
            throw Problem.notFound("There is no device here. It may have been removed.")
        }
        return found
    }

    /// Gives a device another name; a 422 problem where it is empty or too long.
    public func rename(_ id: String, to name: String, household: String) async throws -> DeviceRecord {
        var device = try await device(id, household: household)
        device.name = try Accounts.checked(name: name)
        let name = device.name
        try await database.pool.write { db in
            try db.execute(sql: "UPDATE device SET name = ? WHERE id = ?", arguments: [name, id])
        }
        return device
    }

    /// Gives a device a new token; the old one holds no longer.
    public func renewToken(_ id: String, household: String) async throws -> String {
        _ = try await device(id, household: household)
        let token = Secret.token()
        let hash = Secret.hash(token)
        try await database.pool.write { db in
            try db.execute(sql: "UPDATE device SET token_hash = ? WHERE id = ?", arguments: [hash, id])
        }
        return token
    }

    /// Takes a device's voice away, and out of every companion's tables what ends with it, in one transaction; its
    /// readings stay.
    ///
    /// - Returns: what open pages are to be sent.
    /// - Throws: a 404 problem for one that is not the household's; what a companion throws: then nothing is removed.
    func remove(_ id: String, household: String) async throws -> [LiveEvent] {
        let now = clock.now()
        let companions = companions.withLock { $0 }
        return try await database.pool.write { db in
            guard let device = try DeviceRecord.fetchOne(db, key: id), device.household == household,
                device.removedAt == nil
            else { throw Problem.notFound("There is no device here. It may have been removed.") }
            try db.execute(sql: "UPDATE device SET removed_at = ? WHERE id = ?", arguments: [now, id])
            return try [.device(id)] + companions.flatMap { try $0.removeDevice(device, now: now, db) }
        }
    }

    /// Lets a program in, with the MQTT filters it is granted.
    public func addIntegration(name: String, filters: [String], household: String) async throws
        -> (integration: IntegrationRecord, token: String)
    {
        let token = Secret.token()
        let integration = IntegrationRecord(
            id: Secret.identifier(length: 8), household: household, name: try Accounts.checked(name: name),
            tokenHash: Secret.hash(token), filters: filters.joined(separator: "\n"), createdAt: clock.now())
        try await database.pool.write { db in try integration.insert(db) }
        return (integration, token)
    }

    /// The programs that were let in, in the order they came.
    public func integrations(household: String) async throws -> [IntegrationRecord] {
        try await database.pool.read { db in
            try IntegrationRecord.fetchAll(
                db, sql: "SELECT * FROM integration WHERE household = ? ORDER BY created_at, id", arguments: [household]
            )
        }
    }

    /// Sends a program away. A running hub closes its connections within seconds.
    ///
    /// - Returns: whether there was such a program.
    public func removeIntegration(_ id: String) async throws -> Bool {
        try await database.pool.write { db in try IntegrationRecord.deleteOne(db, key: id) }
    }

    // MARK: Who is connected

    func opened(_ id: String) { connected.withLock { $0[id, default: 0] += 1 } }

    func closed(_ id: String) {
        connected.withLock { connected in
            let left = (connected[id] ?? 1) - 1
            connected[id] = left > 0 ? left : nil
        }
    }

    /// Whether a device has an MQTT connection open.
    public func isConnected(_ id: String) -> Bool { connected.withLock { $0[id] != nil } }
}
