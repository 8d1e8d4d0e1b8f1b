import Foundation
import TestInstruments
import Testing

@testable import HubKit

@Suite("Local days and times")
struct LocalCalendarTests {
    private func calendar(_ zone: String) throws -> LocalCalendar {
        LocalCalendar(timeZone: try #require(TimeZone(identifier: zone)))
    }

    private func time(_ text: String) throws -> Int64 {
        Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1000)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var zone, date: String
        var hour, minute: Int32
        var instant: String
        var testDescription: String { "\(zone) \(date) \(hour):\(minute)" }

        init(_ zone: String, _ date: String, _ hour: Int32, _ minute: Int32, _ instant: String) {
            (self.zone, self.date, self.hour, self.minute, self.instant) = (zone, date, hour, minute, instant)
        }
    }

    /// Worked out by hand from the rules of the IANA time zone database.
    static let ordinary = [
        Case("Europe/Vienna", "2026-11-21", 7, 0, "2026-11-21T06:00:00Z"),
        Case("Europe/Vienna", "2026-07-01", 7, 0, "2026-07-01T05:00:00Z"),
        Case("Europe/Vienna", "2026-03-29", 1, 59, "2026-03-29T00:59:00Z"),
        Case("Europe/Vienna", "2026-03-29", 3, 0, "2026-03-29T01:00:00Z"),
        Case("Europe/Vienna", "2026-10-25", 3, 0, "2026-10-25T02:00:00Z"),
        Case("Asia/Kolkata", "2026-03-01", 0, 10, "2026-02-28T18:40:00Z"),
        Case("Asia/Kathmandu", "2026-03-01", 7, 30, "2026-03-01T01:45:00Z"),
        Case("Pacific/Kiritimati", "2026-01-01", 0, 0, "2025-12-31T10:00:00Z"),
        Case("Pacific/Pago_Pago", "2026-01-01", 23, 59, "2026-01-02T10:59:00Z"),
        Case("America/New_York", "2026-11-01", 0, 59, "2026-11-01T04:59:00Z"),
        Case("America/New_York", "1969-12-31", 19, 0, "1970-01-01T00:00:00Z"),
    ]

    @Test("A time that comes once is found, and the clock shows it then", arguments: ordinary)
    func once(_ one: Case) throws {
        let calendar = try calendar(one.zone)
        let day = try #require(CivilDate(one.date)).day
        let instant = calendar.instant(day: day, minute: one.hour * 60 + one.minute)
        #expect(instant == (try time(one.instant)))
        #expect(calendar.moment(of: instant) == (day, one.hour * 60 + one.minute))
        #expect(calendar.moment(of: instant + 59_999) == (day, one.hour * 60 + one.minute))
    }

    @Test(
        "A time that is left out in spring is the first instant after the gap",
        arguments: [
            Case("Europe/Vienna", "2026-03-29", 2, 0, "2026-03-29T01:00:00Z"),
            Case("Europe/Vienna", "2026-03-29", 2, 30, "2026-03-29T01:00:00Z"),
            Case("America/New_York", "2026-03-08", 2, 59, "2026-03-08T07:00:00Z"),
            // Half an hour: from 2:00 to 2:30.
            Case("Australia/Lord_Howe", "2026-10-04", 2, 15, "2026-10-03T15:30:00Z"),
            // At midnight: the day begins at 1:00.
            Case("Asia/Beirut", "2026-03-29", 0, 20, "2026-03-28T22:00:00Z"),
            Case("Africa/Cairo", "2026-04-24", 0, 0, "2026-04-23T22:00:00Z"),
            Case("America/Asuncion", "2023-10-01", 0, 59, "2023-10-01T04:00:00Z"),
            // The evening's last hour: Saturday ends at 23:00.
            Case("America/Nuuk", "2026-03-28", 23, 30, "2026-03-29T01:00:00Z"),
            // After Ramadan.
            Case("Africa/Casablanca", "2026-03-22", 2, 30, "2026-03-22T02:00:00Z"),
        ])
    func gap(_ one: Case) throws {
        let calendar = try calendar(one.zone)
        let day = try #require(CivilDate(one.date)).day
        #expect(calendar.instant(day: day, minute: one.hour * 60 + one.minute) == (try time(one.instant)))
        #expect(calendar.hasDay(day))
    }

    @Test(
        "A time that comes twice in autumn is the first of the two",
        arguments: [
            Case("Europe/Vienna", "2026-10-25", 2, 0, "2026-10-25T00:00:00Z"),
            Case("Europe/Vienna", "2026-10-25", 2, 30, "2026-10-25T00:30:00Z"),
            Case("America/New_York", "2026-11-01", 1, 30, "2026-11-01T05:30:00Z"),
            Case("Australia/Lord_Howe", "2026-04-05", 1, 45, "2026-04-04T14:45:00Z"),
            // At midnight: the evening's last hour comes twice, so the day has begun only once.
            Case("Asia/Beirut", "2026-10-24", 23, 30, "2026-10-24T20:30:00Z"),
            Case("Africa/Cairo", "2026-10-29", 23, 0, "2026-10-29T20:00:00Z"),
            Case("Africa/Casablanca", "2026-02-15", 2, 30, "2026-02-15T01:30:00Z"),
        ])
    func twice(_ one: Case) throws {
        let calendar = try calendar(one.zone)
        let day = try #require(CivilDate(one.date)).day
        let minute = one.hour * 60 + one.minute
        #expect(calendar.instant(day: day, minute: minute) == (try time(one.instant)))
        #expect(calendar.moment(of: try time(one.instant)) == (day, minute))
    }

    @Test("Samoa had no 30 December 2011, and the days beside it follow each other")
    func skippedDay() throws {
        let calendar = try calendar("Pacific/Apia")
        let skipped = try #require(CivilDate("2011-12-30")).day
        #expect(!calendar.hasDay(skipped))
        #expect(calendar.hasDay(skipped - 1) && calendar.hasDay(skipped + 1))
        #expect(calendar.start(ofDay: skipped + 1) - calendar.start(ofDay: skipped - 1) == 86_400_000)
        #expect(calendar.moment(of: try time("2011-12-30T09:59:59Z")).day == skipped - 1)
        #expect(calendar.moment(of: try time("2011-12-30T10:00:00Z")).day == skipped + 1)
    }

    @Test(
        "In every zone each local day has each time once, as a local clock first shows it",
        arguments: [UInt64.random(in: 0...UInt64.max)])
    func property(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zones = TimeZone.knownTimeZoneIdentifiers
        for _ in 0..<300 {
            let zone = zones.randomElement(using: &random) ?? "UTC"
            let calendar = try calendar(zone)
            let minute = Int32.random(in: 0..<1_440, using: &random)
            let first = Int32.random(in: 11_000...24_000, using: &random)
            var previous = Int64.min
            for day in first..<first + 220 where calendar.hasDay(day) {
                let instant = calendar.instant(day: day, minute: minute)
                // The clock's time as one number, which runs on but for the changes of its offset.
                let wanted = Int64(day) * 86_400_000 + Int64(minute) * 60_000
                func shown(_ time: Int64) -> Int64 { time + calendar.offset(at: time) }
                let place = "\(zone), day \(day), minute \(minute), seed \(seed)"
                #expect(instant > previous, "\(place)")
                #expect(shown(instant) >= wanted, "\(place)")
                // Nothing in the two days before shows it: neither a minute before nor at a change.
                let changes = calendar.changes(from: instant - 2 * 86_400_000, to: instant - 1, step: 3_600_000)
                #expect(shown(instant - 1) < wanted, "\(place)")
                #expect(changes.allSatisfy { shown($0.at - 1) < wanted }, "\(place)")
                if shown(instant) != wanted {
                    #expect(shown(instant) - shown(instant - 1) > 1, "only at a gap: \(place)")
                }
                previous = instant
            }
        }
    }
}

@Suite("Dates")
struct CivilDateTests {
    @Test("Days are counted as Foundation's calendar counts them")
    func round() throws {
        var utc = Calendar(identifier: .gregorian)
        utc.timeZone = .gmt
        // Before October 1582 Foundation counts by the calendar of that time.
        for day in stride(from: Int32(-141_000), through: 150_000, by: 37) {
            let date = CivilDate(day: day)
            let parts = utc.dateComponents(
                [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            #expect(date.year == parts.year && date.month == parts.month && date.dayOfMonth == parts.day)
            // Foundation's weeks begin on Sunday, with 1.
            #expect(date.weekday == ((parts.weekday ?? 0) + 5) % 7 + 1)
            #expect(date.day == day)
            #expect(CivilDate(date.description) == date)
        }
    }

    @Test(
        "What is no date is refused",
        arguments: [
            "", "2026-02-30", "2026-13-01", "2026-00-10", "2025-02-29", "2026-1-1", "0000-01-01", "2026-11-21T00:00",
            "２０２６-11-21", "+026-11-21", "2026/11/21", "-026-11-21",
        ])
    func refused(text: String) { #expect(CivilDate(text) == nil) }

    @Test("29 February is there in leap years", arguments: ["2024-02-29", "2000-02-29", "9999-12-31", "0001-01-01"])
    func taken(text: String) { #expect(CivilDate(text)?.description == text) }
}
