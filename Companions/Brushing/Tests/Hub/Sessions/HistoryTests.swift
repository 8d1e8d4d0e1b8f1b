import Foundation
import GRDB
import TestInstruments
import Testing

@testable import BrushingEngine
@testable import BrushingHub
@testable import HubKit
@testable import Storage

@Suite("The history of what was brushed")
struct HistoryTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    /// Brushes at these times of day on each of these days, by the clock in Vienna.
    private func brush(
        _ person: String = "mila", _ days: ClosedRange<String>, hours: [Int32] = [7, 20], seconds: Int64? = nil
    ) async throws {
        let first = try #require(CivilDate(days.lowerBound)?.day)
        let last = try #require(CivilDate(days.upperBound)?.day)
        for day in first...last {
            for hour in hours {
                let at = try BrushingTestApp.vienna("\(CivilDate(day: day))", hour)
                let answer = try await app.deliver(
                    try BrushingTestApp.recorded(person, at: at, seconds: seconds).encoded())
                #expect(answer.status == 201, "\(answer.detail)")
            }
        }
    }

    private func freeze(_ person: String = "mila", _ days: String...) async throws {
        try await app.hub.database.pool.write { db in
            for day in days {
                try FrozenDay(
                    person: person, day: try #require(CivilDate(day)?.day), household: "linden", reason: .ill
                ).insert(db)
            }
        }
    }

    private func history(_ person: String = "mila") async throws -> SessionHistory {
        let record = try await app.person(person)
        return try await app.hub.database.pool.read { db in
            try SessionHistory(record, try #require(try HouseholdRecord.fetchOne(db)), now: app.now, db)
        }
    }

    private func month(_ name: String?, of person: String = "mila") async throws -> BrushingTestApp.Answer {
        try await app.send(.get, "/api/brushing/people/\(person)/history" + (name.map { "?month=\($0)" } ?? ""))
    }

    private func states(_ answer: BrushingTestApp.Answer) throws -> [String: String] {
        let days = try #require(answer["days"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: days.compactMap { day in
                (day["day"] as? String).flatMap { name in (day["state"] as? String).map { (name, $0) } }
            })
    }

    // MARK: Days

    @Test(
        "A session is of the day and the part of it in which it began, and a day begins at four",
        arguments: [
            ("2026-11-20", 4, 0, "2026-11-20", "morning"), ("2026-11-20", 3, 59, "2026-11-19", "evening"),
            ("2026-11-20", 0, 30, "2026-11-19", "evening"), ("2026-11-20", 14, 59, "2026-11-20", "morning"),
            ("2026-11-20", 15, 0, "2026-11-20", "evening"), ("2026-11-20", 23, 59, "2026-11-20", "evening"),
            // The clocks go forward at two on this day and back at three on that: both are the nights before.
            ("2026-03-29", 1, 59, "2026-03-28", "evening"), ("2026-03-29", 4, 0, "2026-03-29", "morning"),
            ("2026-10-25", 2, 30, "2026-10-24", "evening"), ("2026-10-25", 4, 0, "2026-10-25", "morning"),
            ("2026-01-01", 1, 0, "2025-12-31", "evening"), ("2024-02-29", 7, 0, "2024-02-29", "morning"),
        ] as [(String, Int32, Int32, String, String)])
    func slots(date: String, hour: Int32, minute: Int32, day: String, slot: String) async throws {
        let at = try BrushingTestApp.vienna(date, hour, minute)
        let answer = try await app.deliver(try BrushingTestApp.recorded("mila", at: at).encoded())
        #expect(answer["day"] as? String == day)
        #expect(answer["slot"] as? String == slot)
    }

    @Test("The hub's zone for the person decides, not what the phone said of its offset; who moves keeps their days")
    func zones() async throws {
        let at = try BrushingTestApp.vienna("2026-11-20", 7)
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE person SET time_zone = 'America/New_York' WHERE id = 'tom'")
        }
        // One in the morning in New York: the evening before.
        let tom = try await app.deliver(
            try BrushingTestApp.recorded("tom", at: at, utcOffsetMinutes: 540).encoded(), as: "tom")
        #expect(tom["day"] as? String == "2026-11-19")
        #expect(tom["slot"] as? String == "evening")
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE person SET time_zone = 'Asia/Tokyo' WHERE id = 'tom'")
        }
        let id = try #require(tom["id"] as? String)
        let later = try await app.send(.get, "/api/brushing/sessions/\(id)")
        #expect(later["day"] as? String == "2026-11-19")
        #expect(later["minute"] as? Int == 60)
    }

    @Test(
        "Streaks run through the days on which the clocks change, and through the end of a year",
        arguments: [
            ("2026-03-20", "2026-04-05"), ("2026-10-18", "2026-11-02"), ("2025-12-24", "2026-01-06"),
            ("2024-02-25", "2024-03-03"),
        ])
    func streaks(first: String, last: String) async throws {
        let app = try await BrushingTestApp(now: try BrushingTestApp.vienna(last, 22))
        let days = try #require(CivilDate(first)?.day)...(try #require(CivilDate(last)?.day))
        for day in days {
            for hour: Int32 in [6, 23] {
                let at = try BrushingTestApp.vienna("\(CivilDate(day: day))", hour)
                guard at <= app.now else { continue }
                _ = try await app.deliver(try BrushingTestApp.recorded("mila", at: at).encoded())
            }
        }
        let mila = try await app.person("mila")
        let history = try await app.hub.database.pool.read { db in
            try SessionHistory(mila, app.household, now: app.now, db)
        }
        // Today lacks its evening: it breaks nothing and lengthens nothing yet.
        #expect(history.progress.streakDays == days.count - 1)
        #expect(history.progress.sessions == days.count * 2 - 1)
    }

    @Test("Sessions that arrive in any order come to the same as in their own")
    func order() async throws {
        let sessions = try (0..<30).map { index in
            try BrushingTestApp.recorded(
                "mila", at: BrushingTestApp.start - Int64(index) * BrushingTestApp.day / 2,
                seconds: index % 7 == 3 ? 20 : nil
            ).encoded()
        }
        for session in sessions.reversed() { _ = try await app.deliver(session) }
        let expected = try await history()
        let other = try await BrushingTestApp()
        for session in sessions.shuffled() { _ = try await other.deliver(session) }
        let mila = try await other.person("mila")
        let found = try await other.hub.database.pool.read { db in
            try SessionHistory(mila, other.household, now: other.now, db)
        }
        #expect(found.progress == expected.progress)
        #expect(found.entries == expected.entries)
    }

    /// Both ways to the same: expected is the fold over everything, by the definition of progress.
    @Test("A history from what is kept is the history from the beginning", arguments: [1, 2, 3] as [UInt64])
    func kept(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var ids: [String] = []
        var most = 0
        var years = 0
        for step in 0..<150 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where !ids.isEmpty:
                let id = ids.remove(at: Int.random(in: ids.indices, using: &random))
                try await app.hub.database.pool.write { db in
                    try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
                }
            case 1:
                let day = Int32.random(in: 0..<400, using: &random)
                try await app.hub.database.pool.write { db in
                    let today = try #require(CivilDate("2026-11-20")?.day)
                    try db.execute(sql: "DELETE FROM brushing_frozen_day WHERE day = ?", arguments: [today - day])
                    guard db.changesCount == 0 else { return }
                    try FrozenDay(person: "mila", day: today - day, household: "linden", reason: .ill).insert(db)
                }
            case 2:
                let perDay = Int.random(in: 1...3, using: &random)
                try await app.hub.database.pool.write { db in
                    var settings = Settings(
                        of: try #require(try PersonRecord.fetchOne(db, key: "mila")), year: 2026)
                    settings.perDay = perDay
                    try settings.save(db)
                }
            default:
                let halfDays = Int64.random(in: 0..<800, using: &random)
                let answer = try await app.deliver(
                    try BrushingTestApp.recorded(
                        "mila", at: BrushingTestApp.start - halfDays * BrushingTestApp.day / 2,
                        seconds: halfDays % 7 == 3 ? 20 : nil
                    ).encoded())
                if answer.status == 201 { ids.append(try #require(answer["id"] as? String)) }
            }
            let mila = try await app.person("mila")
            let app = app
            let (whole, kept, rows) = try await app.hub.database.pool.read { db in
                (
                    try SessionHistory(mila, app.household, now: app.now, db),
                    try SessionHistory(mila, app.household, now: app.now, from: { $0 - 28 }, db),
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM brushing_progress") ?? 0
                )
            }
            most = max(most, rows)
            #expect(kept.progress == whole.progress, "seed \(seed), step \(step)")
            #expect(kept.week == whole.week && kept.days == whole.days, "seed \(seed), step \(step)")
            let newest = try await app.hub.database.pool.read { db -> Statistics? in
                let history = try SessionHistory(mila, app.household, now: app.now, from: { _ in .max }, db)
                return try Statistics(yearsOf: history, until: whole.today, db)
            }
            if let newest {
                years += 1
                #expect(
                    newest.bars == Statistics(whole, by: .year, until: whole.today).bars, "seed \(seed), step \(step)")
            }
            for span in Statistics.Span.allCases where span != .year {
                let from = Statistics.firstDay(by: span, until: whole.today, today: whole.today)
                let some = try await app.hub.database.pool.read { db in
                    try SessionHistory(mila, app.household, now: app.now, from: { _ in from }, db)
                }
                #expect(
                    Statistics(some, by: span, until: whole.today).bars
                        == Statistics(whole, by: span, until: whole.today).bars, "seed \(seed), step \(step), \(span)")
            }
        }
        #expect(most > 3 && years > 10, "something is kept")
    }

    // MARK: Awards

    @Test("Each award is given once, to the session that earned it")
    func awards() async throws {
        try await brush("mila", "2026-11-01"..."2026-11-14")
        let mila = try await app.person("mila")
        let awards = try await app.hub.database.pool.read { db in try SessionHistory.awards(of: mila.id, db) }
        #expect(awards.map(\.award) == [.first, .week, .twoWeeks])
        #expect(awards.map { "\(CivilDate(day: $0.day))" } == ["2026-11-01", "2026-11-07", "2026-11-14"])
        let session = try await app.send(.get, "/api/brushing/sessions/\(awards[1].session)")
        #expect(session["award"] as? String == "week")
        #expect(session["slot"] as? String == "evening")
    }

    @Test("What was given stays given when a higher goal is set")
    func kept() async throws {
        try await app.hub.database.pool.write { db in
            var settings = Settings(
                of: try #require(try PersonRecord.fetchOne(db, key: "mila")), year: 2026)
            settings.perDay = 1
            try settings.save(db)
        }
        try await brush("mila", "2026-11-01"..."2026-11-08", hours: [7])
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE brushing_settings SET per_day = 2")
        }
        try await brush("mila", "2026-11-09"..."2026-11-09", hours: [7])
        let awards = try await app.hub.database.pool.read { db in try SessionHistory.awards(of: "mila", db) }
        #expect(awards.map(\.award) == [.first, .week])
        #expect(try await history().progress.streakDays == 0)
    }

    @Test("A session that was delivered late earns what it would have earned")
    func late() async throws {
        try await brush("mila", "2026-11-01"..."2026-11-03")
        try await brush("mila", "2026-11-05"..."2026-11-07")
        #expect(try await history().progress.longestStreakDays == 3)
        try await brush("mila", "2026-11-04"..."2026-11-04")
        let awards = try await app.hub.database.pool.read { db in try SessionHistory.awards(of: "mila", db) }
        #expect(awards.map(\.award) == [.first, .week])
        #expect(awards.last.map { "\(CivilDate(day: $0.day))" } == "2026-11-07")
    }

    // MARK: Months

    @Test("A month shows each of its days: before the first, kept, in part, frozen, missed, and those to come")
    func months() async throws {
        try await brush("mila", "2026-11-13"..."2026-11-13")
        try await brush("mila", "2026-11-16"..."2026-11-17")
        try await brush("mila", "2026-11-18"..."2026-11-18", hours: [7])
        try await brush("mila", "2026-11-20"..."2026-11-20", hours: [7, 20], seconds: 30)
        try await freeze("mila", "2026-11-19", "2026-11-25")
        let answer = try await month("2026-11")
        #expect(answer.status == 200)
        #expect(answer["month"] as? String == "2026-11")
        let states = try states(answer)
        #expect(states.count == 30)
        let expected = [
            "2026-11-12": "before", "2026-11-13": "complete", "2026-11-15": "none", "2026-11-16": "complete",
            "2026-11-17": "complete", "2026-11-18": "part", "2026-11-19": "frozen", "2026-11-20": "part",
            "2026-11-21": "to-come",
            "2026-11-25": "frozen", "2026-11-30": "to-come",
        ]
        for (day, state) in expected { #expect(states[day] == state, "\(day)") }
        #expect(answer["days", "15", "sessions", "0", "slot"] as? String == "morning")
        #expect(answer["days", "15", "sessions", "1", "slot"] as? String == "evening")
        #expect(answer["previous"] == nil)
        #expect(answer["next"] == nil)
    }

    @Test("The days of a week before somebody began are not missed")
    func weekBefore() async throws {
        #expect(try await history().week.map(\.isBefore) == [true, true, true, true, true, false, false])
        try await brush("mila", "2026-11-18"..."2026-11-18")
        #expect(try await history().week.map(\.isBefore) == [true, true, false, false, false, false, false])
    }

    @Test("A day is kept by as many sessions as the goal says, whenever in the day")
    func goal() async throws {
        try await brush("mila", "2026-11-16"..."2026-11-16", hours: [20, 21])
        #expect(try states(try await month("2026-11"))["2026-11-16"] == "complete")
    }

    @Test("Months lead back to the first session and on to the present, over the end of a year")
    func neighbours() async throws {
        try await brush("mila", "2025-12-31"..."2026-01-01")
        let december = try await month("2025-12")
        #expect(december["previous"] == nil)
        #expect(december["next"] as? String == "2026-01")
        #expect(try states(december).count == 31)
        #expect(try await month("2026-01")["previous"] as? String == "2025-12")
        let now = try await month(nil)
        #expect(now["month"] as? String == "2026-11")
        #expect(now["next"] == nil)
    }

    @Test(
        "Months have the length that they have",
        arguments: [
            ("2024-02", 29), ("2026-02", 28), ("2100-02", 28), ("2000-02", 29), ("2026-12", 31), ("2026-04", 30),
        ])
    func lengths(month: String, days: Int) throws {
        #expect(try MonthHistory.days(month: month).count == days)
    }

    @Test("What is no month is refused in words", arguments: ["2026", "2026-13", "2026-00", "26-11", "11/2026", ""])
    func noMonth(text: String) async throws {
        let answer = try await month(text)
        #expect(answer.status == 422)
        #expect(answer.detail.contains("looks like 2026-11"))
    }

    @Test("Nobody's history is a 404, and without a sign-in there is none")
    func nobody() async throws {
        #expect(try await month(nil, of: "nobody").status == 404)
        #expect(try await app.send(.get, "/api/brushing/people/mila/history", as: nil).status == 401)
    }
}
