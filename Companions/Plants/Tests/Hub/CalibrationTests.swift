import Foundation
import GRDB
import HubKit
import PlantsEngine
import Storage
import Testing

@testable import PlantsHub

@Suite("Calibrating a sensor")
struct CalibrationTests {
    private let app: PlantsTestApp
    private let hour: Int64 = 3_600_000

    init() async throws { app = try await PlantsTestApp() }

    private func path(_ device: DeviceRecord) -> String { "/api/plants/sensors/\(device.id)/calibration" }

    @Test("A sensor that nobody has calibrated says what such probes usually read")
    func unmeasured() async throws {
        let sensor = try await app.sensor()
        let own = try await app.send(.get, path(sensor))
        #expect(own["isMeasured"] as? Bool == false)
        #expect(own["dry"] as? Double == 0)
        #expect(own["wet"] as? Double == 100)
        try await app.store([(app.now, 512)], quantity: "capacitance", of: sensor)
        let raw = try await app.send(.get, path(sensor))
        #expect(raw["dry"] as? Double == 300)
        #expect(raw["wet"] as? Double == 1_000)
    }

    @Test("What was measured is stored with who did it, outlives a restart, and can be given up")
    func stored() async throws {
        let sensor = try await app.sensor()
        _ = try await app.plant(sensors: [sensor.id])
        try await app.store([(app.now, 512)], quantity: "capacitance", of: sensor)
        let before = app.plants.calibrations.version
        let set = try await app.send(.put, path(sensor), #"{"dry":420,"wet":780}"#)
        #expect(set.status == 200)
        #expect(set["isMeasured"] as? Bool == true)
        #expect(set["person"] as? String != nil)
        let scale = try MoistureScale(dry: 420, wet: 780, usual: .seesaw, plausible: 0...4_095)
        #expect(app.plants.calibrations.calibration(of: sensor.id) == Calibration(probe: .capacitance, scale: scale))
        #expect(app.plants.calibrations.version != before)
        #expect(
            try await Plants(hub: app.hub).calibrations.calibration(of: sensor.id)?.scale == scale)
        #expect(try await app.send(.delete, path(sensor))["isMeasured"] as? Bool == false)
        #expect(app.plants.calibrations.calibration(of: sensor.id) == nil)
    }

    @Test("Of many requests at once, what readers of readings know is what was stored last")
    func together() async throws {
        let sensor = try await app.sensor()
        try await app.store([(app.now, 512)], quantity: "capacitance", of: sensor)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let put = try await app.send(.put, path(sensor), #"{"dry":\#(300 + number),"wet":800}"#)
                    #expect(put.status == 200)
                }
            }
            try await group.waitForAll()
        }
        let stored = try await app.hub.database.pool.read { db in
            try CalibrationRecord.fetchOne(db, key: sensor.id)?.calibration
        }
        #expect(stored != nil)
        #expect(app.plants.calibrations.calibration(of: sensor.id) == stored)
    }

    @Test("Nothing is worked out of what was measured on another scale, and the chart shows it still")
    func scaledSince() async throws {
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        // Dry and constant on the old scale; on the new one the same soil is wet: no watering.
        let old = PlantsTestApp.curve(from: app.now - 48 * hour, to: app.now - 12 * hour, start: 20, perDay: 0)
        try await app.store(old, of: sensor)
        _ = try await app.send(.put, path(sensor), #"{"dry":2,"wet":35}"#)
        let changed = app.now - 12 * hour
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE plant_calibration SET changed_at = ?", arguments: [changed])
        }
        let new = PlantsTestApp.curve(from: app.now - 11 * hour, to: app.now, start: 55, perDay: 0)
        try await app.store(new, of: sensor)
        try await app.plants.watch.examine(sensor.id, from: app.now - 48 * hour)
        #expect(try await app.waterings(plant).isEmpty)
        let first = try #require(try await app.chart(plant, .week).points.first)
        #expect(first.mean < 25)
        let situation = try await app.situation(plant)
        #expect(situation.leading?.scaledSince == (changed / hour + 1) * hour)
    }

    @Test(
        "Values that are too near each other, or that no such probe says, are refused in words",
        arguments: [
            (#"{"dry":500,"wet":520}"#, "wet", "In water the probe read almost what it reads in air."),
            (#"{"dry":-5,"wet":800}"#, "dry", "What a probe reads is from 0 to 4095."),
            (#"{"dry":300,"wet":70000}"#, "dry", "What a probe reads is from 0 to 4095."),
        ])
    func refused(body: String, field: String, detail: String) async throws {
        let sensor = try await app.sensor()
        try await app.store([(app.now, 512)], quantity: "capacitance", of: sensor)
        let answer = try await app.send(.put, path(sensor), body)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(answer.detail.hasPrefix(detail))
        #expect(try await app.count("plant_calibration") == 0)
    }

    @Test("A body without both values is refused", arguments: ["{}", #"{"dry":1}"#, #"{"dry":"a","wet":2}"#, "[]"])
    func incomplete(body: String) async throws {
        let sensor = try await app.sensor()
        #expect((400..<500).contains(try await app.send(.put, path(sensor), body).status))
        #expect(try await app.count("plant_calibration") == 0)
    }

    @Test("A sensor that the hub plays has no probe, and one of nobody is not there")
    func others() async throws {
        _ = try await app.send(
            .post, "/api/plants", #"{"name":"Virtual basil","virtual":true,"sensors":[]}"#)
        let virtual = try #require(
            try await app.hub.database.pool.read { db in try DeviceRecord.fetchAll(db).first { $0.isVirtual } })
        let answer = try await app.send(.get, path(virtual))
        #expect(answer.status == 409)
        #expect(try await app.send(.get, "/api/plants/sensors/none/calibration").status == 404)
    }

    @Test("A reading that lies years ahead, by a clock that was wrong, hides none that comes now")
    func ahead() async throws {
        let sensor = try await app.sensor()
        try await app.store([(app.now + 9_000 * hour, 312)], quantity: "capacitance", of: sensor)
        try await app.store([(app.now, 845)], quantity: "capacitance", of: sensor)
        let reading = try await app.send(.post, "\(path(sensor))/reading", #"{"since":\#(app.now - 500)}"#)
        #expect((reading["reading"] as? [String: Any])?["value"] as? Double == 845)
    }

    @Test("A reading counts that came since the tap, and an older one does not")
    func measuring() async throws {
        let sensor = try await app.sensor()
        try await app.store([(app.now - 60_000, 312)], quantity: "capacitance", of: sensor)
        try await app.store([(app.now, 845)], quantity: "capacitance", of: sensor)
        let reading = try await app.send(.post, "\(path(sensor))/reading", #"{"since":\#(app.now - 500)}"#)
        #expect((reading["reading"] as? [String: Any])?["value"] as? Double == 845)
    }
}
