import Foundation
import HubKit

@testable import PlantsEngine
@testable import PlantsHub

/// The facts of a row: the clock of Saturday, 21 November 2026, in Vienna, and each plant with what is known of it,
/// `17:25 | Fern dry:31 since:6:40 | Chilli silent:41@5:00`.
///
/// `dry:31`, `wet:80`, `ok:50` as it is, with the level of the newest reading; `silent:41@5:00` with the last level and
/// when that was, `none` and `bare` without a reading or a sensor; `since:6:40`, and `first` where nothing is known before; `day:5±1` a forecast in five days, give or
/// take one; `now` it is close; `days:3`, `downs:2` seen; `watered:14:05`, with `-1` days `watered:-1@14:05`, and
/// `believed`, `doubted`, `draining`, `settling` as the engine judges that.
enum HouseholdFacts {
    struct Unreadable: Error { var word: String }

    static let limits = MoistureLimits(low: 30, high: 75)

    struct Known {
        var plant: HouseholdText.Plant
        var since: Int64?
        var isSinceFirst = false

        func text(_ calendar: HouseholdCalendar) -> PlantText {
            PlantText(
                state: plant.state, since: since, isSinceFirst: isSinceFirst, hasSensor: plant.hasSensor,
                latest: plant.latest, limits: limits, forecast: plant.forecast, claim: plant.claim,
                lastWatering: plant.watered, calendar: calendar)
        }
    }

    static func read(_ facts: String) throws -> (plants: [Known], calendar: HouseholdCalendar) {
        let parts = facts.components(separatedBy: " | ")
        guard let zone = TimeZone(identifier: "Europe/Vienna") else { throw Unreadable(word: "Europe/Vienna") }
        let now = try moment(parts[0])
        let calendar = HouseholdCalendar(timeZone: zone, now: now)
        let plants = try parts.dropFirst().map { part in
            let words = part.components(separatedBy: " ")
            var known = Known(
                plant: .init(
                    name: words[0].replacing("_", with: " "), state: .none, hasSensor: true, latest: nil,
                    forecast: .notEnoughDays(have: 3, need: 10)))
            for word in words.dropFirst() { try read(word, into: &known, calendar) }
            return known
        }
        return (plants, calendar)
    }

    private static func read(_ word: String, into known: inout Known, _ calendar: HouseholdCalendar) throws {
        let name = word.prefix { $0 != ":" }
        let value = String(word.dropFirst(name.count + 1))
        switch name {
        case "dry", "wet", "ok", "silent":
            known.plant.state = name == "dry" ? .dry : name == "wet" ? .wet : name == "ok" ? .ok : .silent
            let parts = value.components(separatedBy: "@")
            let at = parts.count > 1 ? try moment(parts.dropFirst().joined(separator: "@")) : calendar.now - 300_000
            known.plant.latest = MoistureSample(at: at, percent: Double(parts[0]) ?? 0)
        case "none": break
        case "bare": known.plant.hasSensor = false
        case "since": known.since = try moment(value)
        case "first": known.isSinceFirst = true
        case "day":
            let numbers = value.components(separatedBy: "±").compactMap { Int($0) }
            guard numbers.count == 2 else { throw Unreadable(word: word) }
            let day = calendar.day(of: calendar.now) + numbers[0]
            known.plant.forecast = .day(
                DryDownForecast(
                    day: day, earliest: day - numbers[1], latest: day + numbers[1],
                    at: calendar.now + Int64(numbers[0]) * HouseholdCalendar.dayLength, earliestAt: calendar.now,
                    latestAt: calendar.now, basedOn: 6, medianErrorDays: 0.7, points: []))
        case "now": known.plant.forecast = .now
        case "days": known.plant.forecast = .notEnoughDays(have: Int(value) ?? 0, need: 10)
        case "downs": known.plant.forecast = .notEnoughDryDowns(have: Int(value) ?? 0, need: 3)
        case "watered": known.plant.watered = try moment(value)
        case "believed": known.plant.claim = .believed
        case "doubted": known.plant.claim = .doubted
        case "draining": known.plant.claim = .draining
        case "settling": known.plant.claim = .settling
        default: throw Unreadable(word: word)
        }
    }

    /// `14:05`, and `-1@14:05` for the day before.
    private static func moment(_ text: String) throws -> Int64 {
        let parts = text.components(separatedBy: "@")
        let clock = parts[parts.count - 1].components(separatedBy: ":").compactMap { Int32($0) }
        guard clock.count == 2, let zone = TimeZone(identifier: "Europe/Vienna"), let day = CivilDate("2026-11-21")
        else { throw Unreadable(word: text) }
        let days = parts.count > 1 ? Int32(parts[0]) ?? 0 : 0
        return LocalCalendar(timeZone: zone).instant(day: day.day + days, minute: clock[0] * 60 + clock[1])
    }
}
