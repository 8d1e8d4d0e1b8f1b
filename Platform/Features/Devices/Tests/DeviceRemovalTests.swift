import GRDB
import HubInstruments
import Storage
import Testing

@testable import Devices
@testable import HubKit
@testable import HubServer

@Suite("Removing a device")
struct DeviceRemovalTests {
    /// Of devices as the test hub makes them.
    private struct Beds: Companion {
        static let slug = "beds"
        static let title = "Beds"
        static let deviceKinds = [DeviceKind(name: "plant-sensor", title: "Sensor")]
        static let migrations = [
            Migration("beds-001") { db in
                try db.execute(sql: "CREATE TABLE bed(device TEXT NOT NULL REFERENCES device)")
            }
        ]
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
        static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] {
            try db.execute(sql: "DELETE FROM bed WHERE device = ?", arguments: [device.id])
            return [.changed(companion: slug, what: "bed", id: device.id)]
        }
    }

    /// Cannot take its part out: as where the hub is killed before it has.
    private struct Stuck: Companion {
        struct Failure: Error {}
        static let slug = "stuck"
        static let title = "Stuck"
        static let migrations: [Migration] = []
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
        static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] {
            throw Failure()
        }
    }

    private func app(_ companions: [any Companion.Type]) async throws -> (TestHub, HTTPTestClient, DeviceRecord, String)
    {
        let test = try TestHub(migrations: Beds.migrations)
        let adult = try await test.seed()
        let device = try await test.device()
        try await test.hub.database.pool.write { db in
            try db.execute(sql: "INSERT INTO bed VALUES (?)", arguments: [device.id])
        }
        let client = try await HTTPTestClient(
            test, app: HubApplication(services: test.services, companions: companions))
        return (test, client, device, try await client.token(adult))
    }

    private func state(_ test: TestHub) async throws -> [Int] {
        try await test.hub.database.pool.read { db in
            try ["bed", "device WHERE removed_at IS NULL"].map {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? -1
            }
        }
    }

    @Test("What its companion has of it goes with it")
    func removed() async throws {
        let (test, client, device, token) = try await app([Beds.self])
        #expect(try await client.send(.delete, "/api/devices/\(device.id)", token: token).status == 204)
        #expect(try await state(test) == [0, 0])
    }

    @Test(
        "A companion that cannot take its part out removes nothing, neither the device nor what the others have of it")
    func undone() async throws {
        let (test, client, device, token) = try await app([Beds.self, Stuck.self])
        #expect(try await client.send(.delete, "/api/devices/\(device.id)", token: token).status == 500)
        #expect(try await state(test) == [1, 1])
        #expect(try await client.send(.get, "/api/devices/\(device.id)", token: token).status == 200)
    }

    @Test("A device is removed once: who comes second is told that there is none")
    func twice() async throws {
        let (_, client, device, token) = try await app([Beds.self])
        async let first = client.send(.delete, "/api/devices/\(device.id)", token: token).status
        async let second = client.send(.delete, "/api/devices/\(device.id)", token: token).status
        #expect(try await [first, second].sorted() == [204, 404])
    }
}
