import Foundation
import Logging
import Storage
import Synchronization

@testable import HubKit

/// A hub on a real SQLite file in a folder of its own, with a clock that the test moves.
final class TestHub: Sendable {
    let hub: Hub
    let folder: URL
    private let time: Time

    private final class Time: Sendable {
        let now = Mutex<Int64>(1_795_220_000_000)
    }

    /// - Parameter outbound: whom the hub may speak to beyond the house.
    init(outbound: OutboundPolicy = .pushServices, configure: (inout HubSettings) -> Void = { _ in }) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tandem-\(UUID().uuidString)")
        let data = try DataFolder(path: folder.path)
        var settings = HubSettings(dataFolder: folder.path)
        settings.passwordCost = .low
        configure(&settings)
        let time = Time()
        self.time = time
        hub = Hub(
            database: try HubDatabase(path: data.databasePath), settings: settings,
            clock: HubClock { time.now.withLock { $0 } },
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), outbound: outbound)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func advance(milliseconds: Int64) { time.now.withLock { $0 += milliseconds } }

    /// A household with one adult, Ines.
    func furnish() async throws -> PersonRecord {
        try await hub.accounts.addAdult(
            name: "Ines", email: "ines@example.org", password: "correct horse", household: "Linden")
    }

    /// A signed-in adult.
    func member() async throws -> Member {
        let person = try await furnish()
        return try await hub.accounts.signIn(person, agent: "test").member
    }

    func device(name: String = "Sensor") async throws -> DeviceRecord {
        let household: String
        if let existing = try await hub.household() {
            household = existing.id
        } else {
            household = try await furnish().household
        }
        return try await hub.devices.add(kind: "plant-sensor", name: name, household: household).device
    }
}
