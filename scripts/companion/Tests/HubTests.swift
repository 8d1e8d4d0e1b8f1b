import HubInstruments
import HubKit
import HubServer
import @NAME@Engine
import NIOCore
import Storage
import Testing

@testable import @NAME@Hub

@Suite("@TITLE@ in the hub")
struct HubTests {
    private typealias TestApp = CompanionTestApp<@NAME@>

    @Test("A device that has sent nothing is shown without a level, and with its latest one when it has")
    func overview() async throws {
        let app = try await TestApp()
        let device = try await app.services.devices.add(kind: @NAME@.kind, name: "First", household: "linden").device
        var answer = try await app.send(.get, "/api/@SLUG@")
        #expect(answer["devices", "0", "name"] as? String == "First")
        #expect(answer["devices", "0", "level"] == nil)
        let now = app.now
        try await app.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            try writer.add(
                SeriesRecord(id: 1, household: "linden", device: device.id, quantity: LevelMessageDecoder.topic, unit: "%"))
            try writer.insert([Reading(series: 1, at: now - 1, value: 50), Reading(series: 1, at: now, value: 90)])
            try writer.finish()
        }
        answer = try await app.send(.get, "/api/@SLUG@")
        #expect(answer["devices", "0", "level"] as? Double == 90)
        #expect(answer["devices", "0", "state"] as? String == "high")
    }

    @Test("Who is not signed in sees nothing")
    func stranger() async throws {
        let app = try await TestApp()
        #expect(try await app.send(.get, "/api/@SLUG@", as: nil).status == 401)
    }

    @Test("A removed device is shown no longer")
    func removed() async throws {
        let app = try await TestApp()
        let device = try await app.services.devices.add(kind: @NAME@.kind, name: "First", household: "linden").device
        #expect(try await app.send(.delete, "/api/devices/\(device.id)").status == 204)
        #expect(try await app.send(.get, "/api/@SLUG@")["devices", "0"] == nil)
    }

    @Test("No route says more of a sibling than a child is to see")
    func siblings() async throws {
        let app = try await TestApp()
        try await app.use("ines", profile: "theo")
        let walk = SiblingWalk(about: "mila") {
            $0.hasPrefix("/api/@SLUG@")
        } send: { method, path, body, bytes in
            try await app.send(method, path, body, bytes: bytes)
        }
        #expect(try await walk.faults(["GET /api/@SLUG@": .household]) == [])
    }
}
