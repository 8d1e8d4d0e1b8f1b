import Foundation
import HubKit
import PlantsEngine
import Storage
import Testing

@testable import PlantsHub

@Suite("How a plant likes its place")
struct PlantConditionTests {
    private let hour: Int64 = 3_600_000

    /// A plant with limits whose sensor has measured every hour of the last three days, and its moisture.
    private func app(
        _ quantity: String, likes: PlantInput.LikesInput, silentHours: Int64 = 0,
        _ value: (_ at: Int64, _ now: Int64) -> Double
    ) async throws -> (PlantsTestApp, PlantRecord) {
        let app = try await PlantsTestApp()
        let sensor = try await app.sensor()
        let plant = try await app.plants.add(
            PlantInput(name: "Fern", art: "fern", sensors: [sensor.id], likes: likes), household: app.household.id)
        let now = app.now
        let samples = stride(from: now - 71 * hour, through: now - silentHours * hour, by: Int(hour)).map {
            (at: $0, value: value($0, now))
        }
        try await app.store(samples, quantity: quantity, of: sensor)
        try await app.store([(now - hour, 50), (now, 50)], of: sensor)
        return (app, plant)
    }

    private func sentence(_ app: PlantsTestApp, _ plant: PlantRecord) async throws -> [String] {
        let calendar = try await app.plants.calendar()
        return try await app.situation(plant).conditions.compactMap {
            ConditionText.sentence($0, calendar).map { [$0].string(in: .english, from: .plants) }
        }
    }

    @Test("Too cold now is said with the figure and with what it likes")
    func cold() async throws {
        let (app, plant) = try await app("temperature", likes: .init(temperature: .init(low: 15, high: 28))) {
            at, now in
            at == now ? 9 : 20
        }
        #expect(try await sentence(app, plant) == ["It is too cold for it: 9 degrees, it likes 15 to 28."])
        let answer = try await app.send(.get, "/api/plants")
        #expect(answer["headline", "text"] as? String == "The fern is not quite comfortable.")
    }

    @Test("A cold night is told on the next day, though it is warm again")
    func night() async throws {
        let (app, plant) = try await app("temperature", likes: .init(temperature: .init(low: 15, high: 28))) {
            at, now in
            at > now - 20 * 3_600_000 && (try? PlantsTestApp.isNight(at)) == true ? 9 : 20
        }
        #expect(try await sentence(app, plant) == ["It was a bit cold at night: 9 degrees, it likes 15 to 28."])
    }

    @Test("A sensor that fell silent leaves it unknown, and unknown is not well")
    func silent() async throws {
        let (app, plant) = try await app(
            "temperature", likes: .init(temperature: .init(low: 15, high: nil)), silentHours: 12
        ) { _, _ in 20 }
        let situation = try await app.situation(plant)
        #expect(situation.conditions.map(\.band) == [.unknown])
        #expect(!situation.discomforts.isEmpty)
        #expect(try await sentence(app, plant).first?.hasPrefix("How warm it has been since") == true)
    }

    @Test("At night it is dark everywhere: light is judged by the brightest of a day")
    func light() async throws {
        let (bright, plant) = try await app("light", likes: .init(light: .init(low: 1_500, high: 20_000))) { at, _ in
            (at / 3_600_000) % 24 == 11 ? 5_000 : 0
        }
        #expect(try await bright.situation(plant).conditions.map(\.band) == [.ok])
        let (dark, other) = try await app("light", likes: .init(light: .init(low: 1_500, high: 20_000))) { at, _ in
            (at / 3_600_000) % 24 == 11 ? 900 : 0
        }
        #expect(
            try await sentence(dark, other) == [
                "It stands too dark: 900 lux at the brightest, it likes 1,500 to 20,000."
            ])
    }

    @Test("The light of yesterday is summed up: 12 hours of 1,000 lux are 0.8 mol")
    func dailyLight() async throws {
        let (app, plant) = try await app("light", likes: .init(dailyLight: .init(low: 2, high: nil))) { at, _ in
            (6..<18).contains((at / 3_600_000) % 24) ? 1_000 : 0
        }
        #expect(
            try await sentence(app, plant) == [
                "It got too little light yesterday: 0.8 mol, it likes at least 2."
            ])
    }

    @Test("Soil with too much fertiliser is told")
    func conductivity() async throws {
        let (app, plant) = try await app(
            "conductivity", likes: .init(conductivity: .init(low: 350, high: 2_000))
        ) { _, _ in 2_600 }
        #expect(
            try await sentence(app, plant) == [
                "Its soil has too much fertiliser: 2,600 µS/cm, it likes 350 to 2,000."
            ])
    }

    @Test("What nothing measures is not judged, and a plant without limits is as it was")
    func unmeasured() async throws {
        let (app, plant) = try await app("temperature", likes: .init(conductivity: .init(low: 350, high: nil))) {
            _, _ in
            -5
        }
        #expect(try await app.situation(plant).conditions.isEmpty)
    }

    @Test(
        "Limits that make no sense are refused in words, and nothing is changed",
        arguments: [
            (#"{"temperature":{"low":-30,"high":20}}"#, "Limits of temperature are from -20 to 50 degrees."),
            (#"{"temperature":{"low":20,"high":10}}"#, "The upper limit has to be above the lower one."),
            (#"{"light":{"low":-1}}"#, "Limits of brightness are from 0 to 150,000 lux."),
            (#"{"dailyLight":{"high":100}}"#, "Limits of a day’s light are from 0 to 65 mol."),
            (#"{"conductivity":{"high":20000}}"#, "Limits of conductivity are from 0 to 10,000 µS/cm."),
        ])
    func refused(likes: String, detail: String) async throws {
        let app = try await PlantsTestApp()
        let plant = try await app.plant()
        let answer = try await app.send(.patch, "/api/plants/\(plant.id)", #"{"likes":\#(likes)}"#)
        #expect(answer.status == 422)
        #expect(answer.detail == detail)
        #expect(try await app.situation(plant).plant.likes == PlantLikes())
    }
}

extension PlantsTestApp {
    /// By the clocks of the household.
    static func isNight(_ at: Int64) throws -> Bool {
        let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
        return HouseholdCalendar(timeZone: zone, now: at).isNight(at)
    }
}
