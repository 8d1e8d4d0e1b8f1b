import Foundation
import HubKit
import HubServer
import Logging
import Outbound
import Storage
import Synchronization

/// A hub on a real SQLite file in a folder of its own, with a clock that the test moves.
public final class TestHub: Sendable {
    /// On the database in ``folder``.
    public var hub: HubContext { services.hub }
    /// What the server has beside it.
    public let services: ServerContext
    /// Removed with the last reference to this.
    public let folder: URL
    private let time: Time

    private final class Time: Sendable {
        let now: Mutex<Int64>

        init(_ now: Int64) { self.now = Mutex(now) }
    }

    /// - Parameters:
    ///   - now: what the clock shows first, UTC milliseconds.
    ///   - migrations: of the companions that the hub is to have.
    ///   - outbound: how the hub speaks to whom it may beyond the house.
    ///   - log: what the hub logs; nobody reads it without.
    public init(
        now: Int64 = 1_795_220_000_000, migrations: [Migration] = [], outbound: OutboundPolicy = .internet,
        log: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        configure: (inout HubSettings) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tandem-\(UUID().uuidString)")
        let data = try DataFolder(path: folder.path)
        var settings = HubSettings(dataFolder: folder.path)
        settings.passwordCost = .low
        configure(&settings)
        let time = Time(now)
        self.time = time
        let hub = HubContext(
            database: try HubDatabase(path: data.databasePath, migrations: migrations), settings: settings,
            clock: HubClock { time.now.withLock { $0 } }, log: log)
        services = ServerContext(hub: hub, outbound: outbound)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Moves the clock, on or back.
    public func advance(milliseconds: Int64) { time.now.withLock { $0 += milliseconds } }

    /// A household with one adult, Ines.
    public func seed() async throws -> PersonRecord {
        try await services.accounts.addAdult(
            name: "Ines", email: "ines@example.org", password: "correct horse", household: "Linden")
    }

    /// A signed-in adult.
    public func member() async throws -> Member {
        let person = try await seed()
        return try await services.accounts.signIn(person, agent: "test").member
    }

    /// A new device of the household's, which is made where there is none.
    public func device(name: String = "Sensor") async throws -> DeviceRecord {
        let household: String
        if let existing = try await hub.household() {
            household = existing.id
        } else {
            household = try await seed().household
        }
        return try await services.devices.add(kind: "plant-sensor", name: name, household: household).device
    }

    /// Stores as many days of moisture of a new device as series 1, 40 percent each so many milliseconds up to now.
    public func storeMoisture(of name: String = "Sensor", days: Int64, every milliseconds: Int64) async throws {
        let device = try await device(name: name)
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.add(
                SeriesRecord(id: 1, household: device.household, device: device.id, quantity: "moisture", unit: "%"))
            try writer.insert(
                stride(from: now - days * RollupSpan.day.rawValue, to: now, by: Int(milliseconds)).map {
                    Reading(series: 1, at: $0, value: 40)
                })
            try writer.finish()
        }
    }
}
