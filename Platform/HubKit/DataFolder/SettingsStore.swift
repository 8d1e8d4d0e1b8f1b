import GRDB
import Storage

/// The settings that the hub itself remembers between runs, such as the authority that phones trust.
public struct SettingsStore: Sendable {
    /// The name of a setting.
    public enum Name: String, Sendable, CaseIterable {
        /// The fingerprint of the authority that phones trust.
        case authorityFingerprint = "authority-fingerprint"
        /// The private key by which push services recognise the hub. A secret.
        case pushKey = "push-key"
        /// The decisions of adults about Home Assistant and the broker of the house, as JSON. A secret: it holds the broker's password.
        case homeAssistant = "home-assistant"
        /// The keys of Bluetooth sensors that encrypt what they measure, as JSON. A secret.
        case bluetooth
        /// The private key by which the hub signs images of boards. A secret.
        case firmwareKey = "firmware-key"
        /// The place where new versions of the hub are published, and what was heard of them last, as JSON.
        case releases
    }

    private let database: HubDatabase

    /// Creates the store.
    ///
    /// - Parameter database: the hub's database.
    public init(database: HubDatabase) { self.database = database }

    /// The value; nil if there is none.
    public func get(_ name: Name) async throws -> String? {
        try await database.pool.read { db in
            try String.fetchOne(db, cached: "SELECT value FROM setting WHERE name = ?", arguments: [name.rawValue])
        }
    }

    /// The value, or `made` if there is none, which is stored then. Of concurrent callers the first decides.
    package func get(_ name: Name, orSet made: String) async throws -> String {
        if let known = try await get(name) { return known }
        return try await database.pool.write { db in
            try db.execute(
                cached: "INSERT INTO setting VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [name.rawValue, made])
            return try String.fetchOne(
                db, cached: "SELECT value FROM setting WHERE name = ?", arguments: [name.rawValue])
                ?? made
        }
    }

    /// Stores a value, durably when this returns; nil deletes it.
    public func set(_ name: Name, _ value: String?) async throws {
        try await database.pool.write { db in
            guard let value else {
                return try db.execute(cached: "DELETE FROM setting WHERE name = ?", arguments: [name.rawValue])
            }
            try db.execute(
                cached: "INSERT INTO setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                arguments: [name.rawValue, value])
        }
    }
}

extension HubContext {
    /// The settings that the hub itself remembers.
    public var settingsStore: SettingsStore { SettingsStore(database: database) }
}
