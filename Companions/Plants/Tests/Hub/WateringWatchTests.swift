import PlantsEngine
import Testing

@testable import PlantsHub

@Suite("Waterings that the curve shows")
struct WateringWatchTests {
    private let day: Int64 = 86_400_000

    /// A plant whose curve shows one watering, 30 hours ago.
    private func house() async throws -> (PlantsHouse, PlantRecord, sensor: String, wateredAt: Int64) {
        let house = try await PlantsHouse()
        let sensor = try await house.sensor()
        let plant = try await house.plant(sensors: [sensor.id])
        let wateredAt = house.now - 30 * 3_600_000
        try await house.store(
            PlantsHouse.curve(
                from: house.now - 6 * day, to: house.now, start: 60, perDay: 6, waterings: [(at: wateredAt, to: 65)]),
            of: sensor)
        return (house, plant, sensor.id, wateredAt)
    }

    @Test("A watering is noted once, however often the curve is searched")
    func once() async throws {
        let (house, plant, sensor, wateredAt) = try await house()
        for from in [Int64(0), house.now - day, house.now, 0] {
            try await house.plants.watch.examine(sensor, from: from)
        }
        let waterings = try await house.waterings(plant)
        #expect(waterings.count == 1)
        #expect(waterings[0].by == .sensor)
        #expect(abs(waterings[0].at - wateredAt) <= 900_000)
        #expect(try #require(waterings[0].levelBefore) < 35)
        #expect(try #require(waterings[0].levelAfter) > 60)
    }

    @Test("A watering that was taken back stays taken back")
    func undone() async throws {
        let (house, plant, sensor, _) = try await house()
        try await house.plants.watch.examine(sensor, from: 0)
        let found = try await house.waterings(plant)[0]
        _ = try await house.plants.hub.database.pool.write { db in
            try house.plants.set(undone: true, watering: found.id, ofPlant: plant.id, household: "linden", db)
        }
        try await house.plants.watch.examine(sensor, from: 0)
        let waterings = try await house.waterings(plant)
        #expect(waterings.count == 1)
        #expect(waterings[0].undoneAt != nil)
        #expect(try await house.situation(plant).lastWatering == nil)
    }

    @Test("One that was noted by hand gets its levels from the curve, and no twin")
    func byHand() async throws {
        let (house, plant, sensor, wateredAt) = try await house()
        _ = try await house.plants.water(plant.id, at: wateredAt - 600_000, person: "tom", household: "linden")
        try await house.plants.watch.examine(sensor, from: 0)
        let waterings = try await house.waterings(plant)
        #expect(waterings.count == 1)
        #expect(waterings[0].by == .hand)
        #expect(waterings[0].person == "tom")
        #expect(waterings[0].levelAfter != nil)
    }

    @Test("Who says so after the sensor saw it is noted as the one who watered")
    func claimed() async throws {
        let (house, plant, sensor, wateredAt) = try await house()
        try await house.plants.watch.examine(sensor, from: 0)
        let watering = try await house.plants.water(
            plant.id, at: wateredAt + 1_200_000, person: "tom", household: "linden")
        #expect(watering.by == .hand)
        #expect(try await house.waterings(plant).map(\.id) == [watering.id])
    }

    @Test("Two taps are one watering; a watering in the future is none")
    func taps() async throws {
        let (house, plant, _, _) = try await house()
        let first = try await house.plants.water(plant.id, at: nil, person: "tom", household: "linden")
        house.advance(milliseconds: 5_000)
        let second = try await house.plants.water(plant.id, at: nil, person: "tom", household: "linden")
        #expect(first.id == second.id)
        await #expect(throws: (any Error).self) {
            _ = try await house.plants.water(plant.id, at: house.now + day, person: "tom", household: "linden")
        }
    }

    @Test("Readings of before are searched when they come late")
    func late() async throws {
        let house = try await PlantsHouse()
        let sensor = try await house.sensor()
        let plant = try await house.plant(sensors: [sensor.id])
        let wateredAt = house.now - 10 * day
        let all = PlantsHouse.curve(
            from: house.now - 14 * day, to: house.now, start: 60, perDay: 6, waterings: [(at: wateredAt, to: 70)])
        try await house.store(all.filter { $0.at > house.now - 5 * day }, of: sensor)
        try await house.plants.watch.examine(sensor.id, from: house.now)
        #expect(try await house.waterings(plant).isEmpty)
        try await house.store(all.filter { $0.at <= house.now - 5 * day }, of: sensor)
        try await house.plants.watch.examine(sensor.id, from: house.now - 14 * day)
        #expect(try await house.waterings(plant).count == 1)
    }
}
