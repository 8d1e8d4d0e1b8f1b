import Foundation
import GRDB
import Testing

@testable import BrushingEngine
@testable import BrushingHub
@testable import HubKit
@testable import Storage

@Suite("Sums of what was brushed")
struct StatisticsTests {
    /// A history without a database: two sessions on each of the days, each of two minutes.
    private func history(
        _ days: ClosedRange<String>, today: String, frozen: [String] = [], skipping: Set<String> = []
    ) throws -> SessionHistory {
        let first = try #require(CivilDate(days.lowerBound)?.day)
        let last = try #require(CivilDate(days.upperBound)?.day)
        let entries = (first...last).filter { !skipping.contains("\(CivilDate(day: $0))") }.flatMap { day in
            [true, false].map {
                SessionHistory.Entry(
                    id: "\(day)\($0)", day: day, isMorning: $0, counts: true, milliseconds: 120_000)
            }
        }
        return SessionHistory(
            person: PersonRecord(id: "mila", household: "linden", name: "Mila", role: .child, createdAt: 1),
            today: try #require(CivilDate(today)?.day), perDay: 2, entries: entries,
            frozen: frozen.compactMap { CivilDate($0)?.day })
    }

    @Test("A fortnight of days, of which each has its own bar")
    func days() throws {
        let bars = Statistics(
            try history("2026-11-10"..."2026-11-20", today: "2026-11-21"), by: .day,
            until: try #require(CivilDate("2026-11-21")?.day)
        ).bars
        #expect(bars.count == 14)
        #expect(bars.map(\.start).first == "2026-11-08")
        #expect(bars.map(\.start).last == "2026-11-21")
        #expect(bars.map(\.sessions) == [0, 0] + Array(repeating: 2, count: 11) + [0])
        #expect(bars.map(\.seconds).max() == 240)
        #expect(bars.map(\.days) == [0, 0] + Array(repeating: 1, count: 12))
        #expect(bars.map(\.habitPercent).prefix(3) == [nil, nil, 5])
        // Today is not over: it takes nothing away yet.
        #expect(bars[13].habitPercent == bars[12].habitPercent)
    }

    @Test(
        "Weeks begin on Monday, and have seven days when the clocks change and when the year ends",
        arguments: [("2026-03-29", "2026-03-23"), ("2026-10-25", "2026-10-19"), ("2026-01-01", "2025-12-29")])
    func weeks(until: String, monday: String) throws {
        let last = try #require(CivilDate(until)?.day)
        let bars = Statistics(
            try history("2025-06-01"..."2026-11-20", today: "2026-11-21"), by: .week, until: last
        ).bars
        #expect(bars.count == 12)
        #expect(bars.last?.start == monday)
        #expect(bars.allSatisfy { $0.days == 7 && $0.completeDays == 7 && $0.sessions == 14 })
        #expect(bars.allSatisfy { $0.seconds == 14 * 120 })
    }

    @Test("Twelve months end with this one, each as long as it is")
    func months() throws {
        let bars = Statistics(
            try history("2025-06-01"..."2026-11-20", today: "2026-11-21"), by: .month,
            until: try #require(CivilDate("2026-11-21")?.day)
        ).bars
        #expect(bars.map(\.start).first == "2025-12-01")
        #expect(bars.map(\.completeDays) == [31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 20])
        #expect(bars.map(\.days) == [31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 21])
    }

    @Test("Years are all there are, leap years a day longer")
    func years() throws {
        let bars = Statistics(
            try history("2023-12-30"..."2026-11-20", today: "2026-11-21"), by: .year,
            until: try #require(CivilDate("2026-11-21")?.day)
        ).bars
        #expect(bars.map(\.start) == ["2023-01-01", "2024-01-01", "2025-01-01", "2026-01-01"])
        #expect(bars.map(\.completeDays) == [2, 366, 365, 324])
        #expect(bars.map(\.sessions) == [4, 732, 730, 648])
    }

    @Test("Frozen days are asked nothing: they are neither kept nor missed, and the habit stays")
    func frozen() throws {
        let week = ["2026-11-09", "2026-11-10", "2026-11-11", "2026-11-12", "2026-11-13"]
        func bars(frozen: [String]) throws -> [Statistics.Bar] {
            Statistics(
                try history(
                    "2026-10-01"..."2026-11-15", today: "2026-11-21", frozen: frozen, skipping: Set(week)),
                by: .week, until: try #require(CivilDate("2026-11-15")?.day)
            ).bars
        }
        let (frozen, missed) = (try #require(try bars(frozen: week).last), try #require(try bars(frozen: []).last))
        #expect((frozen.days, frozen.completeDays) == (2, 2))
        #expect((missed.days, missed.completeDays) == (7, 2))
        #expect(try #require(frozen.habitPercent) > (try #require(missed.habitPercent)))
    }

    @Test("The habit of a bar is that of its last day, as it was when that day was over")
    func habit() throws {
        let whole = try history("2026-11-01"..."2026-11-20", today: "2026-11-21")
        for (index, bar) in Statistics(whole, by: .day, until: whole.today).bars.enumerated() {
            let day = whole.today - 13 + Int32(index)
            var progress = BrushingProgress(perDay: 2)
            for entry in whole.entries where entry.day <= day {
                _ = progress.record(
                    day: entry.day, isMorning: entry.isMorning, counts: true, milliseconds: entry.milliseconds)
            }
            progress.advance(to: min(day + 1, whole.today))
            #expect(bar.habitPercent == progress.habitPercent)
        }
    }

    @Test("Days to come have no bars, and who never brushed has none")
    func none() throws {
        let whole = try history("2026-11-01"..."2026-11-20", today: "2026-11-21")
        for span in Statistics.Span.allCases {
            #expect(
                Statistics(whole, by: span, until: .max).bars == Statistics(whole, by: span, until: whole.today).bars)
            #expect(Statistics(whole, by: span, until: .min).bars.allSatisfy { $0.sessions == 0 && $0.days == 0 })
        }
        let nobody = SessionHistory(person: whole.person, today: whole.today, perDay: 2, entries: [], frozen: [])
        #expect(Statistics(nobody, by: .year, until: whole.today).bars.isEmpty)
    }

    @Test("Over HTTP they are asked for by name, and what is no span or day is refused in words")
    func routes() async throws {
        let app = try await BrushingTestApp()
        _ = try await app.deliver(
            try BrushingTestApp.recorded("mila", at: try BrushingTestApp.vienna("2026-11-20", 7)).encoded())
        let path = "/api/brushing/people/mila/statistics"
        let weeks = try await app.send(.get, path)
        #expect(weeks["by"] as? String == "week")
        #expect((weeks["bars"] as? [Any])?.count == 12)
        #expect(weeks["bars", "11", "start"] as? String == "2026-11-16")
        #expect(weeks["bars", "11", "seconds"] as? Int == 210)
        let until = try await app.send(.get, "\(path)?by=day&until=2026-11-20")
        #expect(until["bars", "13", "start"] as? String == "2026-11-20")
        #expect(until["bars", "13", "sessions"] as? Int == 1)
        #expect(try await app.send(.get, "\(path)?by=hour").status == 422)
        #expect(try await app.send(.get, "\(path)?until=yesterday").detail.contains("2026-11-21"))
        #expect(try await app.send(.get, "/api/brushing/people/nobody/statistics").status == 404)
    }
}
