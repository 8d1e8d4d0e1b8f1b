import GRDB
import HubKit
import HubServer
import Storage
import Testing

@testable import PlantsHub

@Suite("Waterings that somebody notes")
struct WateringNoteTests {
    private let day: Int64 = 86_400_000

    @Test("A watering told days later stands at its own time, and is theirs who did it")
    func later() async throws {
        let app = try await PlantsTestApp()
        let plant = try await app.plant()
        let at = app.now
        app.advance(milliseconds: 9 * day)
        let noted = try await app.plants.water(plant.id, at: at, person: "tom", household: "linden")
        #expect(noted.at == at)
        #expect(try await app.waterings(plant).map(\.at) == [at])
        #expect(try await app.waterings(plant).map(\.person) == ["tom"])
    }

    @Test("What somebody says counts at once; the sensor confirms it, or doubts it when it has had time")
    func believed() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant("Fern", sensors: [sensor.id], low: 33)
        let begin = app.now
        try await app.store(
            PlantsTestApp.curve(from: begin - 2 * day, to: begin - 600_000, start: 40, perDay: 4.5), of: sensor)
        func words(_ name: String, as language: String = "en") async throws -> String {
            let answer = try await app.send(
                .get, "/api/plants/\(plant.id)", headers: ["Accept-Language": language])
            return answer[name] as? String ?? ""
        }
        func overview(_ name: String) async throws -> String {
            try await app.send(.get, "/api/plants")["headline", name] as? String ?? ""
        }
        #expect(try await words("say") == "Water today")
        #expect(try await overview("text") == "The fern wants water.")
        let noted = try await app.send(.post, "/api/plants/\(plant.id)/waterings", "{}")
        #expect(noted.status == 201)
        #expect(try await words("say") == "Just watered")
        #expect(try await words("state") == "ok")
        #expect(try await words("detail").hasPrefix("Noted at 14:00. Before that, at 13:"), "the level’s age is told")
        #expect(try await words("say", as: "de") == "Gerade gegossen")
        #expect(try await overview("text") == "The fern is well.")
        #expect(try await overview("lead") == "The fern was watered at 14:00; its sensor has yet to see it.")
        // The sensor has had its time, and has seen nothing.
        let dry = PlantsTestApp.curve(from: begin + 300_000, to: begin + 7_200_000, start: 31, perDay: 1)
        try await app.store(dry, of: sensor)
        app.advance(milliseconds: 7_200_000)
        #expect(try await words("say") == "Water today")
        #expect(try await words("detail").hasPrefix("Noted as watered at 14:00. Its sensor said 31% at 15:"))
        // It was too slow: now it sees it, and that is the end of the doubt.
        try await app.store(
            PlantsTestApp.curve(from: begin + 7_300_000, to: begin + 4 * 3_600_000, start: 60, perDay: 1), of: sensor)
        app.advance(milliseconds: 2 * 3_600_000)
        try await app.plants.watch.examine(sensor.id, from: begin)
        #expect(try await overview("text") == "The fern is well.")
        #expect(try await app.waterings(plant).count == 1)
    }

    @Test("Each answer says how a plant is once a watering is noted, for a page whose hub is away")
    func noted() async throws {
        let app = try await PlantsTestApp()
        func noted(_ percent: Double?, silent: Bool = false) async throws -> [String: Any]? {
            let sensor = try await app.sensor()
            let plant = try await app.plant("Fern \(sensor.id)", sensors: [sensor.id], low: 30, high: 75)
            let age: Int64 = silent ? day : 60_000
            if let percent { try await app.store([(app.now - age, percent)], of: sensor) }
            return try await app.send(.get, "/api/plants/\(plant.id)")["noted"] as? [String: Any]
        }
        for percent in [12.0, 50, 90] {
            let noted = try #require(try await noted(percent))
            #expect(noted["state"] as? String == "ok")
            #expect(noted["say"] as? String == "Just watered")
            // The hour and a half that a sensor has to see one.
            #expect(noted["since"] as? Int == Int(app.now - 60_000 - 90 * 60_000 + 1))
        }
        #expect(try await noted(12, silent: true) == nil, "nobody knows of one whose sensor is silent")
        #expect(try await noted(nil) == nil)
    }

    @Test("Just watered stands until the curve has settled, whatever it reads on the way")
    func settling() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant("Fern", sensors: [sensor.id], low: 30, high: 75)
        let begin = app.now
        // Twelve days, with two waterings, so that a forecast is known, and dry at the end.
        try await app.store(
            PlantsTestApp.curve(
                from: begin - 14 * day, to: begin - 300_000, start: 60, perDay: 7,
                waterings: [(at: begin - 10 * day, to: 65), (at: begin - 5 * day, to: 64)]), of: sensor)
        func answer() async throws -> (say: String, forecast: String) {
            let answer = try await app.send(.get, "/api/plants/\(plant.id)")
            return (answer["say"] as? String ?? "", (answer["forecast"] as? [String: Any])?["kind"] as? String ?? "")
        }
        #expect(try await answer().say == "Water today")
        _ = try await app.plants.water(plant.id, at: begin, person: "ines", household: "linden")
        for (minutes, percent) in [(1, 29.5), (8, 43), (12, 51), (60, 55), (120, 54)] as [(Int64, Double)] {
            app.advance(milliseconds: begin + minutes * 60_000 - app.now)
            try await app.store([(app.now, percent)], of: sensor)
            try await app.plants.watch.examine(sensor.id, from: begin)
            #expect(
                try await answer() == ("Just watered", "not-enough-data"), "after \(minutes) minutes, at \(percent)%")
            #expect(try await app.chart(plant, .week).ahead == nil)
        }
        try await app.store(
            PlantsTestApp.curve(from: begin + 7_500_000, to: begin + 7 * 3_600_000, start: 54, perDay: 7), of: sensor)
        app.advance(milliseconds: begin + 7 * 3_600_000 - app.now)
        try await app.plants.watch.examine(sensor.id, from: begin)
        #expect(try await answer().say != "Just watered")
        #expect(try await answer().say != "Soon")
    }

    @Test("It explains the rise that the sensor saw in the meantime, and makes no second one")
    func explained() async throws {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plant(sensors: [sensor.id])
        let at = app.now - 3 * day
        try await app.store(
            PlantsTestApp.curve(
                from: app.now - 8 * day, to: app.now, start: 60, perDay: 6, waterings: [(at: at, to: 65)]),
            of: sensor)
        try await app.plants.watch.examine(sensor.id, from: 0)
        _ = try await app.plants.water(plant.id, at: at + 600_000, person: "tom", household: "linden")
        try await app.plants.watch.examine(sensor.id, from: 0)
        let waterings = try await app.waterings(plant)
        #expect(waterings.count == 1)
        #expect(waterings[0].person == "tom")
        #expect(waterings[0].by == .hand)
    }

    @Test(
        "A time that only a wrong clock can mean is refused; a few minutes ahead, or the weeks before, are not",
        arguments: [
            (4 * 60_000, true), (6 * 60_000, false), (365 * 86_400_000, false), (-30 * 86_400_000, true),
            (-32 * 86_400_000, false), (-365 * 86_400_000, false),
        ] as [(Int64, Bool)])
    func clocks(offset: Int64, isTaken: Bool) async throws {
        let app = try await PlantsTestApp()
        let plant = try await app.plant()
        let noted = try? await app.plants.water(
            plant.id, at: app.now + offset, person: "tom", household: "linden")
        #expect((noted != nil) == isTaken)
        #expect(try await app.waterings(plant).count == (isTaken ? 1 : 0))
    }

    @Test("The least and the greatest times are refused as any other", arguments: [Int64.min, .max])
    func extremes(at: Int64) async throws {
        let app = try await PlantsTestApp()
        let plant = try await app.plant()
        await #expect(throws: Problem.self) {
            try await app.plants.water(plant.id, at: at, person: "tom", household: "linden")
        }
    }

    @Test("A virtual plant feels a watering of just now, and not one of days ago: what it measured since is measured")
    func virtual() async throws {
        let app = try await PlantsTestApp()
        let plant = try await app.plant()
        let device = try await app.services.devices.add(
            kind: Plants.sensorKind, name: "Virtual", household: "linden", isVirtual: true
        ).device.id
        let felt = try await app.hub.database.pool.write { db in
            try db.setSensors([device], of: plant, now: app.now)
            return try [app.now, app.now - day].map {
                try app.plants.virtualSensors(of: plant, feelingAt: $0, db)
            }
        }
        #expect(felt == [[device], []])
    }

    @Test(
        "A child’s profile notes twelve waterings of a plant around a day and no more; an adult, and another day, are not held up"
    )
    func limit() async throws {
        let app = try await PlantsTestApp()
        let (plant, other) = (try await app.plant(), try await app.plant("Fern"))
        func note(_ minutesAgo: Int64, _ plant: PlantRecord) async throws -> PlantsTestApp.Answer {
            try await app.send(
                .post, "/api/plants/\(plant.id)/waterings", "{\"at\":\(app.now - minutesAgo * 60_000)}")
        }
        try await app.use("ines", profile: "mila")
        for minutes in 1...12 as ClosedRange<Int64> { #expect(try await note(2 * minutes, plant).status == 201) }
        let refused = try await note(30, plant)
        #expect(refused.status == 409)
        #expect(refused.detail == "Basil has 12 waterings noted around that time. An adult can note more.")
        #expect(try await note(2, plant).status == 201, "what is there already is answered again")
        #expect(try await app.waterings(plant).count == 12)
        #expect(try await note(30, other).status == 201)
        #expect(try await note(3 * 24 * 60, plant).status == 201, "a phone tells days later what was done")
        try await app.use("ines", profile: "ines")
        #expect(try await note(30, plant).status == 201)
    }
}
