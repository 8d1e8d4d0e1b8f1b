import HubKit
import PlantsEngine
import Storage
import Testing

@testable import PlantsHub

@Suite("Waterings that the curve shows")
struct WateringWatchTests {
    private let day: Int64 = 86_400_000

    /// A plant whose curve shows one watering, 30 hours ago.
    private func app() async throws -> (PlantsTestApp, PlantRecord, sensor: String, wateredAt: Int64) {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        let wateredAt = app.now - 30 * 3_600_000
        try await app.store(
            PlantsTestApp.curve(
                from: app.now - 6 * day, to: app.now, start: 60, perDay: 6, waterings: [(at: wateredAt, to: 65)]),
            of: sensor)
        return (app, plant, sensor.id, wateredAt)
    }

    @Test("A watering is noted once, however often the curve is searched")
    func once() async throws {
        let (app, plant, sensor, wateredAt) = try await app()
        for from in [Int64(0), app.now - day, app.now, 0] {
            try await app.plants.watch.examine(sensor, from: from)
        }
        let waterings = try await app.waterings(plant)
        #expect(waterings.count == 1)
        #expect(waterings[0].by == .sensor)
        #expect(abs(waterings[0].at - wateredAt) <= 900_000)
        #expect(try #require(waterings[0].levelBefore) < 35)
        #expect(try #require(waterings[0].levelAfter) > 60)
    }

    @Test("A clock that was a year ahead keeps no curve from being searched once it is right")
    func clockPutRight() async throws {
        let (app, plant, sensor, _) = try await app()
        app.advance(milliseconds: 365 * day)
        let ahead = PlantsTestApp.curve(from: app.now - 2 * day, to: app.now, start: 60, perDay: 6)
        let device = try #require(
            try await app.hub.database.pool.read { db in try DeviceRecord.fetchOne(db, key: sensor) })
        try await app.store(ahead, of: device)
        app.plants.watch.note(sensor, at: app.now)
        await app.plants.watch.examineWhatIsDue()
        app.advance(milliseconds: -355 * day)
        try await app.store(
            PlantsTestApp.curve(
                from: app.now - 6 * day, to: app.now, start: 60, perDay: 6, waterings: [(at: app.now - day, to: 65)]),
            of: device)
        app.plants.watch.note(sensor, at: app.now - 6 * day)
        await app.plants.watch.examineWhatIsDue()
        #expect(try await app.waterings(plant).contains { abs($0.at - (app.now - day)) <= 900_000 })
    }

    @Test("A watering that was taken back stays taken back")
    func undone() async throws {
        let (app, plant, sensor, _) = try await app()
        try await app.plants.watch.examine(sensor, from: 0)
        let found = try await app.waterings(plant)[0]
        _ = try await app.plants.hub.database.pool.write { db in
            try app.plants.set(undone: true, watering: found.id, ofPlant: plant.id, household: "linden", db)
        }
        try await app.plants.watch.examine(sensor, from: 0)
        let waterings = try await app.waterings(plant)
        #expect(waterings.count == 1)
        #expect(waterings[0].undoneAt != nil)
        #expect(try await app.situation(plant).lastWatering == nil)
    }

    @Test("One that was noted by hand gets its levels from the curve, and no twin")
    func byHand() async throws {
        let (app, plant, sensor, wateredAt) = try await app()
        _ = try await app.plants.water(plant.id, at: wateredAt - 600_000, person: "tom", household: "linden")
        try await app.plants.watch.examine(sensor, from: 0)
        let waterings = try await app.waterings(plant)
        #expect(waterings.count == 1)
        #expect(waterings[0].by == .hand)
        #expect(waterings[0].person == "tom")
        #expect(waterings[0].levelAfter != nil)
    }

    @Test("Who says so after the sensor saw it is noted as the one who watered")
    func claimed() async throws {
        let (app, plant, sensor, wateredAt) = try await app()
        try await app.plants.watch.examine(sensor, from: 0)
        let watering = try await app.plants.water(
            plant.id, at: wateredAt + 1_200_000, person: "tom", household: "linden")
        #expect(watering.by == .hand)
        #expect(try await app.waterings(plant).map(\.id) == [watering.id])
    }

    @Test("Two taps are one watering; a watering in the future is none")
    func taps() async throws {
        let (app, plant, _, _) = try await app()
        let first = try await app.plants.water(plant.id, at: nil, person: "tom", household: "linden")
        app.advance(milliseconds: 5_000)
        let second = try await app.plants.water(plant.id, at: nil, person: "tom", household: "linden")
        #expect(first.id == second.id)
        await #expect(throws: (any Error).self) {
            _ = try await app.plants.water(plant.id, at: app.now + day, person: "tom", household: "linden")
        }
    }

    @Test("Readings of before are searched when they come late")
    func late() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        let wateredAt = app.now - 10 * day
        let all = PlantsTestApp.curve(
            from: app.now - 14 * day, to: app.now, start: 60, perDay: 6, waterings: [(at: wateredAt, to: 70)])
        try await app.store(all.filter { $0.at > app.now - 5 * day }, of: sensor)
        try await app.plants.watch.examine(sensor.id, from: app.now)
        #expect(try await app.waterings(plant).isEmpty)
        try await app.store(all.filter { $0.at <= app.now - 5 * day }, of: sensor)
        try await app.plants.watch.examine(sensor.id, from: app.now - 14 * day)
        #expect(try await app.waterings(plant).count == 1)
    }
}
