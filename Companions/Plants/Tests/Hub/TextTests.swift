import Foundation
import Testing

@testable import PlantsEngine
@testable import PlantsHub

/// Saturday, 21 November 2026, 14:00 in Vienna.
private let now: Int64 = 1_795_266_000_000
private let day: Int64 = 86_400_000

private func calendar(_ zone: String = "Europe/Vienna", now time: Int64 = now) throws -> HouseholdCalendar {
    HouseholdCalendar(timeZone: try #require(TimeZone(identifier: zone)), now: time)
}

private func forecast(inDays days: Int, spread: Int = 1, _ calendar: HouseholdCalendar) -> Forecast {
    let today = calendar.day(of: calendar.now)
    return .day(
        DryDownForecast(
            day: today + days, earliest: today + days - spread, latest: today + days + spread,
            at: now + Int64(days) * day,
            earliestAt: now, latestAt: now, basedOn: 6, medianErrorDays: 0.7, points: []))
}

@Suite("The household's calendar")
struct HouseholdCalendarTests {
    @Test(
        "What has passed is told as short as it is clear",
        arguments: [
            (7 * hour + 20 * 60_000, "6:40"), (20 * hour, "yesterday, 18:00"), (3 * day, "Wednesday, 14:00"),
            (9 * day, "12 November"), (400 * day, "17 October 2025"),
        ] as [(Int64, String)])
    func past(ago: Int64, words: String) throws {
        #expect(try calendar().past(now - ago) == words)
    }

    @Test("Days ahead have names", arguments: [(0, "Today"), (1, "Tomorrow"), (5, "Thursday"), (11, "2 December")])
    func ahead(days: Int, words: String) throws {
        let calendar = try calendar()
        #expect(calendar.ahead(calendar.day(of: now) + days) == words)
    }

    @Test("A day belongs to the household's time zone, not to UTC")
    func zones() throws {
        let late: Int64 = 1_795_303_800_000  // 21 November, 23:30 UTC
        let utc = try calendar("UTC", now: late)
        let vienna = try calendar("Europe/Vienna", now: late)
        #expect(utc.iso(utc.day(of: late)) == "2026-11-21")
        #expect(vienna.iso(vienna.day(of: late)) == "2026-11-22")
    }

    @Test("A day begins at the household's midnight, also when clocks change")
    func midnight() throws {
        let vienna = try calendar()
        // 25 October 2026 has 25 hours: it begins at 22:00 UTC of the 24th and ends at 23:00 UTC.
        let change = vienna.day(of: 1_792_886_400_000)  // 25 October, 00:00 UTC
        #expect(vienna.iso(change) == "2026-10-25")
        #expect(vienna.start(ofDay: change) == 1_792_879_200_000)
        #expect(vienna.start(ofDay: change + 1) - vienna.start(ofDay: change) == 25 * hour)
    }
}

extension PlantText {
    fileprivate func isSaying(say: String, detail: String) -> Bool { self.say == say && self.detail == detail }
}

@Suite("What the hub says of a plant")
struct PlantTextTests {
    private func words(
        _ state: PlantState, since: Int64? = nil, latest: MoistureSample? = nil, hasSensor: Bool = true,
        forecast: Forecast = .notEnoughDays(have: 3, need: 10), watered: Int64? = nil
    ) throws -> PlantText {
        PlantText(
            state: state, since: since, hasSensor: hasSensor, latest: latest, limits: MoistureLimits(low: 30, high: 75),
            forecast: forecast, lastWatering: watered, calendar: try calendar())
    }

    @Test("A dry plant wants water, and since when")
    func dry() throws {
        let words = try words(.dry, since: now - 7 * hour - 20 * 60_000)
        #expect(words.isSaying(say: "Water today", detail: "Below its limit of 30% since 6:40."))
    }

    @Test("A silent sensor is silent, and its last word is told as past")
    func silent() throws {
        let words = try words(.silent, latest: MoistureSample(at: now - 9 * hour + 2 * 60_000, percent: 41.2))
        #expect(words.isSaying(say: "Silent for 8 h", detail: "Was 41% at 5:02. Nobody knows now."))
    }

    @Test("A forecast is a day and how sure it is; soon after watering, that is told instead")
    func ok() throws {
        let thursday = forecast(inDays: 5, try calendar())
        #expect(try words(.ok, forecast: thursday).isSaying(say: "Thursday", detail: "Give or take a day."))
        let watered = try words(.ok, forecast: forecast(inDays: 15, spread: 4, try calendar()), watered: now - 6 * hour)
        #expect(watered.isSaying(say: "After 2 December", detail: "Watered this morning."))
    }

    @Test("What is not known is said to be not known")
    func unknown() throws {
        #expect(try words(.ok).isSaying(say: "Not enough data", detail: "Three of ten days seen."))
        #expect(try words(.none).say == "No reading yet")
        #expect(try words(.none, hasSensor: false).say == "No sensor")
    }
}

@Suite("What the hub says of all plants")
struct HouseholdTextTests {
    private func plant(
        _ name: String, _ state: PlantState, _ forecast: Forecast = .notEnoughDays(have: 3, need: 10)
    ) -> HouseholdText.Plant {
        HouseholdText.Plant(
            name: name, state: state, hasSensor: true, latest: MoistureSample(at: now - 9 * hour, percent: 41),
            forecast: forecast)
    }

    @Test("The headline counts who wants water and who can wait")
    func headline() throws {
        let plants = [
            plant("Fern", .dry), plant("Chilli", .silent), plant("Basil", .ok), plant("Monstera", .ok),
            plant("Lemon tree", .ok),
        ]
        let words = HouseholdText(plants, calendar: try calendar())
        #expect(words.headline == "The fern wants water. Three can wait.")
        #expect(words.lead == "The chilli’s sensor has said nothing since 5:00, so nobody knows how it is.")
    }

    @Test(
        "Each household gets a sentence",
        arguments: [
            ([:], "No plants yet."),
            (["Fern": PlantState.ok], "The fern is well."),
            (["Fern": .dry, "Gerda": .dry], "The fern and Gerda want water."),
            (["Fern": .silent], "Nobody knows how the fern is."),
            (["A": .ok, "B": .ok, "C": .wet], "All three are well."),
            (["A": .ok, "B": .silent], "Nothing to water. One is well."),
            (["A": .dry, "B": .dry, "C": .dry], "Three plants want water."),
        ] as [([String: PlantState], String)])
    func sentences(states: [String: PlantState], expected: String) throws {
        let plants = states.sorted { $0.key < $1.key }.map { plant($0.key, $0.value) }
        #expect(HouseholdText(plants, calendar: try calendar()).headline == expected)
    }

    @Test("When all are well, the next one is told")
    func next() throws {
        let calendar = try calendar()
        let plants = [
            plant("Basil 2", .ok, forecast(inDays: 5, calendar)), plant("Fern", .ok, forecast(inDays: 1, calendar)),
        ]
        #expect(HouseholdText(plants, calendar: calendar).lead == "Next is the fern: tomorrow, give or take a day.")
    }
}
