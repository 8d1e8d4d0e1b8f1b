import HubKit
import Testing

@testable import PlantsHub

@Suite("The household's plants")
struct PlantStoreTests {
    @Test("A name is taken whatever its capitals, and a free one is suggested")
    func names() async throws {
        let app = try await PlantsTestApp()
        _ = try await app.plant("Basil")
        let problem = try await #require(throws: Problem.self) { _ = try await app.plant("bASIL ") }
        #expect(problem.code == .conflict)
        #expect(problem.field == "name")
        #expect(problem.detail.english.contains("“bASIL 2”"))
    }

    @Test("A plant keeps its own name when it is changed, and a removed one gives its name free")
    func changing() async throws {
        let app = try await PlantsTestApp()
        let basil = try await app.plant("Basil")
        let changed = try await app.plants.change(
            basil.id, PlantInput(name: "Basil", place: "Balcony"), household: "linden")
        #expect(changed.place == "Balcony")
        try await app.plants.remove(basil.id, household: "linden")
        _ = try await app.plant("Basil")
    }

    @Test(
        "Bad input is refused with the field's name",
        arguments: [
            (PlantInput(name: "  "), "name"), (PlantInput(name: "Two\nlines"), "name"),
            (PlantInput(name: String(repeating: "x", count: 41)), "name"),
            (PlantInput(name: "A", limits: .init(low: 50, high: 40)), "limits"),
            (PlantInput(name: "A", limits: .init(low: -1, high: 40)), "limits"),
            (PlantInput(name: "A", art: "triffid"), "art"), (PlantInput(name: "A", sensors: ["nobody"]), "sensors"),
        ])
    func validation(input: PlantInput, field: String) async throws {
        let app = try await PlantsTestApp()
        let problem = try await #require(throws: Problem.self) {
            _ = try await app.plants.add(input, household: "linden")
        }
        #expect(problem.code == .unprocessableContent)
        #expect(problem.field == field)
        let stored = try await app.hub.database.pool.read { db in try db.plants(household: "linden") }
        #expect(stored.isEmpty)
    }

    @Test(
        "Emoji, HTML and quotes are a name like any other",
        arguments: ["🌿", "<b>Fern</b>", "Tom’s \"best\" 'fern'; --"])
    func strangeNames(name: String) async throws {
        let app = try await PlantsTestApp()
        #expect(try await app.plant(name).name == name)
    }

    @Test("A sensor stands in one plant at a time, and its earlier readings stay with the earlier one")
    func moving() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        try await app.store([(app.now - 60_000, 40)], of: sensor)
        let fern = try await app.plant("Fern", sensors: [sensor.id])
        #expect(try await app.situation(fern).leading?.latest.percent == 40)
        let problem = try await #require(throws: Problem.self) {
            _ = try await app.plant("Basil", sensors: [sensor.id])
        }
        #expect(problem.code == .conflict)
        _ = try await app.plants.change(fern.id, PlantInput(sensors: []), household: "linden")
        let basil = try await app.plant("Basil", sensors: [sensor.id])
        #expect(try await app.situation(basil).leading == nil)
        app.advance(milliseconds: 60_000)
        try await app.store([(app.now, 55)], of: sensor)
        #expect(try await app.situation(basil).leading?.latest.percent == 55)
    }

    @Test("Another household's plant is not there")
    func households() async throws {
        let app = try await PlantsTestApp()
        let fern = try await app.plant("Fern")
        let problem = try await #require(throws: Problem.self) {
            _ = try await app.plants.response(fern.id, household: "other", in: .english)
        }
        #expect(problem.code == .notFound)
    }

    @Test("A removed device leaves its plant")
    func removedDevice() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let fern = try await app.plant("Fern", sensors: [sensor.id])
        let answer = try await app.send(.delete, "/api/devices/\(sensor.id)")
        #expect(answer.status == 204)
        #expect(try await app.situation(fern).sensors.isEmpty)
    }

    @Test("A removal that is broken off leaves the device and its plant as they were, and can be done again")
    func removalBrokenOff() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let fern = try await app.plant("Fern", sensors: [sensor.id])
        try await app.hub.database.pool.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE UPDATE OF until ON plant_sensor
                    BEGIN SELECT RAISE(ABORT, 'the power went away'); END
                    """)
        }
        #expect(try await app.send(.delete, "/api/devices/\(sensor.id)").status == 503)
        #expect(try await app.situation(fern).sensors.map(\.device.id) == [sensor.id])
        #expect(try await app.send(.get, "/api/devices/\(sensor.id)").status == 200)
        try await app.hub.database.pool.write { db in try db.execute(sql: "DROP TRIGGER broken") }
        #expect(try await app.send(.delete, "/api/devices/\(sensor.id)").status == 204)
        #expect(try await app.situation(fern).sensors.isEmpty)
    }
}
