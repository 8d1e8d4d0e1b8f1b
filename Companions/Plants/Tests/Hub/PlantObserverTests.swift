import PlantsEngine
import Testing

@testable import PlantsHub

@Suite("How a plant is")
struct PlantObserverTests {
    private let minute: Int64 = 60_000

    private func app(_ value: Double) async throws -> (PlantsTestApp, PlantRecord, DeviceID) {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        try await app.store((0..<10).map { (app.now - Int64(10 - $0) * minute, value) }, of: sensor)
        return (app, plant, sensor.id)
    }

    private typealias DeviceID = String

    @Test(
        "Its limits decide, also when they have just been changed",
        arguments: [(20.0, PlantState.dry), (50, .ok), (80, .wet)])
    func limits(value: Double, expected: PlantState) async throws {
        let (app, plant, _) = try await app(value)
        #expect(try await app.situation(plant).state == expected)
        _ = try await app.plants.change(
            plant.id, PlantInput(limits: .init(low: value - 10, high: value + 10)), household: "linden")
        #expect(try await app.situation(plant).state == .ok)
    }

    @Test("A reading that crosses the limit changes the state at once, and it says since when")
    func crossing() async throws {
        let (app, plant, id) = try await app(50)
        #expect(try await app.situation(plant).state == .ok)
        app.advance(milliseconds: minute)
        let device = try await app.services.devices.device(id, household: "linden")
        try await app.store([(app.now, 20)], of: device)
        let situation = try await app.situation(plant)
        #expect(situation.state == .dry)
        #expect(situation.stateSince == app.now)
    }

    @Test("Of a plant that is dry from its first reading on, nothing is claimed of the time before")
    func sinceTheFirst() async throws {
        let (app, plant, id) = try await app(20)
        let first = app.now - 10 * minute
        let dry = try await app.situation(plant)
        #expect(dry.isSinceFirst)
        let since = try #require(dry.stateSince)
        #expect((first...app.now).contains(since))
        let answer = try await app.send(.get, "/api/plants/\(plant.id)")
        #expect((answer["detail"] as? String ?? "").hasSuffix(" at least."))
        // Watered and dry again, it is known since when.
        let device = try await app.services.devices.device(id, household: "linden")
        app.advance(milliseconds: 6 * 60 * minute)
        try await app.store([(app.now - 60 * minute, 50), (app.now, 20)], of: device)
        let again = try await app.situation(plant)
        #expect(!again.isSinceFirst)
        #expect(again.stateSince == app.now)
    }

    @Test("A sensor that says nothing for longer than its pace allows is silent since its last word")
    func silent() async throws {
        let (app, plant, _) = try await app(50)
        let last = try #require(try await app.situation(plant).leading?.latest.at)
        app.advance(milliseconds: 31 * minute)
        let situation = try await app.situation(plant)
        #expect(situation.state == .silent)
        #expect(situation.stateSince == last)
    }

    @Test("Where the first sensor is silent, the second speaks for the plant")
    func second() async throws {
        let (app, plant, first) = try await app(50)
        let other = try await app.sensor("Spare")
        _ = try await app.plants.change(plant.id, PlantInput(sensors: [first, other.id]), household: "linden")
        app.advance(milliseconds: 60 * minute)
        try await app.store([(app.now, 33)], of: other)
        let situation = try await app.situation(plant)
        #expect(situation.state == .ok)
        #expect(situation.leading?.latest.percent == 33)
    }

    @Test("What is around it is named, with the dryness of the air and the light of the day worked out")
    func around() async throws {
        let (app, plant, id) = try await app(50)
        let device = try await app.services.devices.device(id, household: "linden")
        try await app.store([(app.now - minute, 20)], quantity: "temperature", of: device)
        try await app.store([(app.now - minute, 50)], quantity: "humidity", of: device)
        // Two hours of 10,000 lux: 0.0185 µmol a lux and second.
        try await app.store(
            (0...24).map { (app.now - Int64($0) * 5 * minute, 10_000) }, quantity: "light", of: device)
        try await app.store([(app.now, 3)], quantity: "sap-flow", of: device)
        let around = try await app.situation(plant).around
        #expect(
            around.map(\.title.english) == [
                "Temperature", "Humidity", "Light", "Light today", "Air dryness", "Sap flow",
            ])
        let dryness = try #require(around.first { $0.quantity == "vpd" })
        #expect(abs(dryness.value - 1.17) < 0.01)
        let light = try #require(around.first { $0.quantity == "dli" })
        #expect(abs(light.value - 1.332) < 0.08)
    }

    @Test("A plant without a sensor, and one whose sensor has never spoken, are not known")
    func nothing() async throws {
        let app = try await PlantsTestApp()
        let bare = try await app.plant("Ivy")
        let mute = try await app.plant("Fern", sensors: [app.sensor().id])
        #expect(try await app.situation(bare).state == .none)
        #expect(try await app.situation(mute).state == .none)
        let response = try await app.plants.response(bare.id, household: "linden", in: .english)
        #expect(response.state == .none)
        #expect(response.say == "No sensor")
    }
}
