import Foundation
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer
@testable import Reminders

@Suite("When reminders come")
struct ReminderScheduleTests {
    struct Week: Decodable, Sendable {
        var zone: String
        var minute: Int32
        var from: String
        var at: [String]
    }

    /// Written by Tests/EndToEnd/local_time.py, which also holds the calendar that the hub serves to them.
    static let weeks: [Week] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "occurrences.json")
        return (try? JSONDecoder().decode([Week].self, from: Data(contentsOf: file))) ?? []
    }()

    private func calendar(_ zone: String) throws -> LocalCalendar {
        LocalCalendar(timeZone: try #require(TimeZone(identifier: zone)))
    }

    /// All moments after one and up to another, as the service comes to them: one after the other.
    private func moments(_ schedule: ReminderSchedule, after start: Int64, upTo end: Int64)
        -> [ReminderSchedule.Occurrence]
    {
        var moments: [ReminderSchedule.Occurrence] = []
        while let next = schedule.next(after: moments.last?.at ?? start, last: moments.last?.day), next.at <= end {
            moments.append(next)
        }
        return moments
    }

    @Test("They come when another program's reckoning says, in the week of each change of clocks")
    func weeks() throws {
        #expect(Self.weeks.count == 180)
        for week in Self.weeks {
            let schedule = ReminderSchedule(minute: week.minute, calendar: try calendar(week.zone))
            let expected = try week.at.map(ReminderTestApp.time)
            let first = try #require(expected.first)
            let found = moments(schedule, after: first - 1, upTo: try #require(expected.last))
            #expect(found.map { ReminderTestApp.text($0.at) } == week.at, "\(week.zone), minute \(week.minute)")
            let day = try #require(CivilDate(week.from)).day
            #expect(found.map(\.day) == Array(day..<day + 7))
        }
    }

    @Test(
        "Whenever the hub looks, every local day is reminded of once, and no day twice",
        arguments: [UInt64.random(in: 0...UInt64.max)])
    func everyDayOnce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zones = TimeZone.knownTimeZoneIdentifiers
        for _ in 0..<120 {
            let zone = zones.randomElement(using: &random) ?? "UTC"
            let calendar = try calendar(zone)
            let minute = Int32.random(in: 0..<1_440, using: &random)
            let weekdays = Int.random(in: 1...ReminderSchedule.everyDay, using: &random)
            let schedule = ReminderSchedule(minute: minute, weekdays: weekdays, calendar: calendar)
            let start = Int64.random(in: 1_300_000_000...1_850_000_000, using: &random) * 1_000
            var (now, last): (Int64, Int32?) = (start, nil)
            var days: [Int32] = []
            while now < start + 200 * LocalCalendar.dayLength {
                // Mostly when the schedule says, sometimes in between, sometimes late by hours.
                let next = try #require(schedule.next(after: now, last: last)).at
                switch Int.random(in: 0..<3, using: &random) {
                case 0: now = next
                case 1: now = Int64.random(in: now...next, using: &random)
                default: now = next + Int64.random(in: 0..<3_600_000, using: &random)
                }
                if let due = schedule.newest(since: start, upTo: now, last: last) {
                    days.append(due.day)
                    last = due.day
                }
            }
            let first = calendar.moment(of: start).day
            let expected = (first - 2...(last ?? first)).filter { day in
                schedule.occurrence(on: day).map { $0.at > start } ?? false
            }
            #expect(days == expected, "\(zone), minute \(minute), weekdays \(weekdays), seed \(seed)")
        }
    }

    @Test("Samoa was not reminded of the day that it skipped")
    func samoa() throws {
        let schedule = ReminderSchedule(minute: 420, calendar: try calendar("Pacific/Apia"))
        let found = moments(
            schedule, after: try ReminderTestApp.time("2011-12-29T00:00:00Z"),
            upTo: try ReminderTestApp.time("2012-01-01T00:00:00Z"))
        #expect(
            found.map { ReminderTestApp.text($0.at) } == [
                "2011-12-29T17:00:00Z", "2011-12-30T17:00:00Z", "2011-12-31T17:00:00Z",
            ])
    }

    @Test("One that comes once comes once, though its time is left out or comes twice")
    func once() throws {
        let calendar = try calendar("Europe/Vienna")
        for (date, at) in [("2027-03-28", "2027-03-28T01:00:00Z"), ("2027-10-31", "2027-10-31T00:30:00Z")] {
            let day = try #require(CivilDate(date)).day
            let schedule = ReminderSchedule(day: day, minute: 150, calendar: calendar)
            let found = moments(schedule, after: 0, upTo: .max)
            #expect(found == [.init(at: try ReminderTestApp.time(at), day: day)])
            let later = found[0].at + 3_600_000
            #expect(schedule.newest(since: 0, upTo: later, last: nil) == found[0])
            #expect(schedule.newest(since: 0, upTo: later, last: day) == nil)
            #expect(schedule.newest(since: 0, upTo: later + 30 * LocalCalendar.dayLength, last: nil) == found[0])
        }
    }
}
