import Foundation
import Localization
import Testing

@testable import PlantsEngine
@testable import PlantsHub

/// Saturday, 21 November 2026, 14:00 in Vienna.
private let now: Int64 = 1_795_266_000_000
private let day: Int64 = 86_400_000

private func calendar(_ zone: String = "Europe/Vienna", now time: Int64 = now) throws -> HouseholdCalendar {
    HouseholdCalendar(timeZone: try #require(TimeZone(identifier: zone)), now: time)
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
        #expect(try calendar().past(now - ago).string(in: .english, from: .plants) == words)
    }

    @Test("Days ahead have names", arguments: [(0, "today"), (1, "tomorrow"), (5, "Thursday"), (11, "2 December")])
    func ahead(days: Int, words: String) throws {
        let calendar = try calendar()
        #expect(calendar.ahead(calendar.day(of: now) + days).string(in: .english, from: .plants) == words)
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
