import GRDB
import HubKit
import Storage

/// What the hub remembers of itself from one run to the next, such as the authority that phones were taught to trust.
public struct SettingsStore: Sendable {
    /// What can be remembered.
    public enum Name: String, Sendable, CaseIterable {
        /// The fingerprint of the authority that phones were taught to trust.
        case authorityFingerprint = "authority-fingerprint"
        /// The private key by which push services know the hub. A secret.
        case pushKey = "push-key"
    }

    private let database: HubDatabase

    /// - Parameter database: the hub's.
    public init(database: HubDatabase) { self.database = database }

    /// The value; nil where nothing is remembered.
    public func get(_ name: Name) async throws -> String? {
        try await database.pool.read { db in
            try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name.rawValue])
        }
    }

    /// The value, and where nothing is remembered, `made` from now on: whoever comes first decides.
    func get(_ name: Name, orSet made: String) async throws -> String {
        if let known = try await get(name) { return known }
        return try await database.pool.write { db in
            try db.execute(
                sql: "INSERT INTO setting VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [name.rawValue, made])
            return try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name.rawValue])
                ?? made
        }
    }

    /// Remembers a value, durable when this returns; nil forgets it.
    public func set(_ name: Name, _ value: String?) async throws {
        try await database.pool.write { db in
            guard let value else {
                return try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name.rawValue])
            }
            try db.execute(
                sql: "INSERT INTO setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                arguments: [name.rawValue, value])
        }
    }
}

extension Hub {
    /// What the hub remembers of itself.
    public var settingsStore: SettingsStore { SettingsStore(database: database) }
}
