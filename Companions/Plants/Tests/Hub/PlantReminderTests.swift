import HubKit
import Localization
import Storage
import Testing

@testable import PlantsEngine
@testable import PlantsHub

@Suite("Reminders of plants")
struct PlantReminderTests {
    private let app: PlantsTestApp
    private let day: Int64 = 86_400_000

    init() async throws { app = try await PlantsTestApp() }

    private func due(_ name: String, needsText: Bool = false, _ language: String = "en") async throws -> DueReminder {
        let calendar = try await app.plants.calendar()
        return DueReminder(
            id: "r", name: name, person: try await app.person("ines"), at: app.now,
            day: Int32(calendar.day(of: app.now)), minute: 540, needsText: needsText,
            language: Language(language))
    }

    private func plant(_ name: String, at percent: Double, hoursAgo: Int64 = 0) async throws -> PlantRecord {
        let sensor = try await app.sensor("Soil of \(name)")
        let plant = try await app.plant(name, sensors: [sensor.id])
        let at = app.now - hoursAgo * 3_600_000
        try await app.store([(at - 600_000, percent), (at, percent)], of: sensor)
        return plant
    }

    @Test("Several thirsty plants are one message, in the language of whoever reads it")
    func digest() async throws {
        _ = try await plant("Fern", at: 12)
        _ = try await plant("Gerda", at: 10)
        _ = try await plant("Basil", at: 50)
        let english = try await app.plants.reminderText(due("water"))
        #expect(english?.body == "The fern and Gerda want water.")
        #expect(english?.path == "/plants")
        let german = try await app.plants.reminderText(due("water", "de"))
        #expect(german?.body == "Fern und Gerda brauchen Wasser.")
    }

    @Test("Where nobody is thirsty nothing is said, but to who tries the reminder")
    func nothing() async throws {
        _ = try await plant("Basil", at: 50)
        for kind in PlantReminder.allCases {
            #expect(try await app.plants.reminderText(due(kind.rawValue)) == nil)
            #expect(try await app.plants.isSilenced(due(kind.rawValue)))
            #expect(try await app.plants.reminderText(due(kind.rawValue, needsText: true)) != nil)
        }
        #expect(try await app.plants.reminderText(due("sing")) == nil)
    }

    @Test("A plant that is wanted another day is named with its day, once it is near")
    func ahead() async throws {
        let calendar = try await app.plants.calendar()
        func situation(_ name: String, in days: Int) -> PlantSituation {
            let day = calendar.day(of: app.now) + days
            let plant = PlantRecord(
                id: name, household: "linden", name: name, place: "", art: .fern, low: 30, high: 70, createdAt: 0)
            return PlantSituation(
                plant: plant, sensors: [], leading: nil, state: .ok, stateSince: nil,
                forecast: .day(
                    DryDownForecast(
                        day: day, earliest: day, latest: day, at: app.now, earliestAt: app.now, latestAt: app.now,
                        basedOn: 5, medianErrorDays: 0.5, points: [])), lastWatering: nil, around: [])
        }
        let due = try await due("water")
        func text(_ days: [(String, Int)]) -> String {
            let text = PlantReminderText(.water, days.map { situation($0.0, in: $0.1) }, due, calendar)
            return text.hasNews ? text.text(in: .english).body : ""
        }
        #expect(text([("Gerda", 2)]) == "")
        #expect(text([("Gerda", 1)]) == "Gerda wants water tomorrow.")
        let weekday = calendar.weekday(calendar.day(of: app.now) + 3).english
        #expect(text([("Basil", 0), ("Fern", 3)]) == "The basil wants water. The fern wants water on \(weekday).")
        #expect(text([("Basil", 0), ("Fern", 4)]) == "The basil wants water.")
        #expect(text((0..<8).map { ("Gerda \($0)", 0) }) == "Eight plants want water.")
    }

    @Test("A plant that was put off is silent until then, and not for ever")
    func snoozed() async throws {
        let fern = try await plant("Fern", at: 12)
        let answer = try await app.send(.post, "/api/plants/\(fern.id)/snooze", "{}")
        #expect(
            answer["snoozedUntil"] as? Int64 == app.now + day || answer["snoozedUntil"] as? Int == Int(app.now + day))
        #expect(try await app.plants.reminderText(due("water")) == nil)
        #expect(try await app.send(.delete, "/api/plants/\(fern.id)/snooze")["snoozedUntil"] == nil)
        #expect(try await app.plants.reminderText(due("water")) != nil)
        #expect(try await app.situation(fern).plant.snoozedUntil == nil)
    }

    @Test("A silent sensor and a low battery are told, each in its own reminder")
    func sensors() async throws {
        _ = try await plant("Fern", at: 50, hoursAgo: 12)
        let sensor = try await app.sensor("Weak")
        _ = try await app.plant("Gerda", sensors: [sensor.id])
        try await app.store([(app.now, 9)], quantity: "battery", of: sensor)
        #expect(
            try await app.plants.reminderText(due("silent"))?.body.hasPrefix("Nothing heard of the fern since") == true)
        #expect(try await app.plants.reminderText(due("battery"))?.body == "The battery in Gerda is at 9%.")
    }

    @Test(
        "A snooze that has passed, or lasts longer than two weeks, is refused",
        arguments: [
            (-1, "This time has passed. Choose one that is ahead."),
            (15 * 86_400_000, "A plant can be put off for two weeks at most."),
        ]
            as [(Int64, String)])
    func refused(from now: Int64, detail: String) async throws {
        let fern = try await plant("Fern", at: 12)
        let answer = try await app.send(.post, "/api/plants/\(fern.id)/snooze", #"{"until":\#(app.now + now)}"#)
        #expect(answer.status == 422)
        #expect(answer.detail == detail)
    }
}
