import Foundation
import HubKit
import Storage
import Testing

@testable import BrushingHub

@Suite("Days off")
struct DayOffTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    private func freeze(_ day: String, _ reason: String = "ill") async throws -> BrushingTestApp.Answer {
        try await app.send(.put, "/api/brushing/people/mila/days/\(day)", "{\"reason\":\"\(reason)\"}")
    }

    private func freeze(from: String, to: String, _ reason: String = "holiday") async throws -> BrushingTestApp.Answer {
        try await app.send(
            .post, "/api/brushing/people/mila/days",
            "{\"from\":\"\(from)\",\"to\":\"\(to)\",\"reason\":\"\(reason)\"}")
    }

    private func frozen() async throws -> [Int32] {
        try await app.hub.database.pool.read { db in try Settings.frozenDays(person: "mila", db) }
    }

    private func days(_ answer: BrushingTestApp.Answer) -> [String] {
        (answer["frozenDays"] as? [[String: Any]] ?? []).compactMap { $0["day"] as? String }
    }

    @Test("A day is frozen and thawed, as often as one likes; a later reason stands")
    func oneDay() async throws {
        for _ in 0..<2 { #expect(try await freeze("2026-11-21").status == 200) }
        let changed = try await freeze("2026-11-21", "skip")
        #expect(changed["frozenDays", "0", "reason"] as? String == "skip")
        #expect(days(changed) == ["2026-11-21"])
        #expect((changed["week", "5", "isFrozen"] as? Bool) == true, "Saturday")
        for _ in 0..<2 {
            let thawed = try await app.send(.delete, "/api/brushing/people/mila/days/2026-11-21")
            #expect(thawed.status == 200)
            #expect(days(thawed) == [])
        }
    }

    @Test("A holiday is frozen whole, over the turn of the year; one in the past is not on the overview")
    func span() async throws {
        let answer = try await freeze(from: "2026-12-24", to: "2027-01-06")
        #expect(answer.status == 200)
        #expect(days(answer).count == 14)
        #expect(days(answer).first == "2026-12-24")
        #expect(days(answer).last == "2027-01-06")
        #expect(days(try await freeze(from: "2026-09-01", to: "2026-10-30")).count == 14)
        #expect(try await frozen().count == 14 + 60)
        #expect(try await frozen() == frozen().sorted())
    }

    @Test(
        "What is no day is refused in words",
        arguments: [
            ("2026-02-29", "calendar"), ("2026-13-01", "calendar"), ("21.11.2026", "2026-12-02"),
            ("today", "2026-12-02"), ("2026-11-2", "2026-12-02"), ("2025-11-19", "more than a year ago"),
            ("1970-01-01", "more than a year ago"), ("2027-11-23", "more than a year ahead"),
            ("9999-12-31", "more than a year ahead"),
        ])
    func refusedDay(day: String, words: String) async throws {
        let answer = try await freeze(day)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "day")
        #expect(answer.detail.contains(words), "\(answer.detail)")
        #expect(try await app.send(.delete, "/api/brushing/people/mila/days/\(day)").status == 422)
        #expect(try await frozen() == [])
    }

    @Test("A day within a year is taken, the leap day too where there is one", arguments: ["2025-11-20", "2027-11-22"])
    func taken(day: String) async throws {
        #expect(try await freeze(day).status == 200)
    }

    @Test("The leap day of 2028 is a day")
    func leapDay() async throws {
        app.advance(milliseconds: try BrushingTestApp.vienna("2028-02-28", 12) - app.now)
        #expect(
            days(try await freeze(from: "2028-02-28", to: "2028-03-01")) == ["2028-02-28", "2028-02-29", "2028-03-01"])
    }

    @Test(
        "What is no span of days is refused in words, and freezes none",
        arguments: [
            ("2026-11-22", "2026-11-21", "ill", "to", "before the first"),
            ("2026-11-21", "2027-01-20", "ill", "to", "At most 60"),
            ("2026-11-31", "2026-12-01", "ill", "from", "calendar"),
            ("2026-11-21", "soon", "ill", "to", "2026-12-02"),
            ("2026-11-21", "2026-11-22", "tired", "reason", "skip, ill and holiday"),
            ("2026-11-21", "2026-11-22", "", "reason", "skip, ill and holiday"),
        ])
    func refusedSpan(from: String, to: String, reason: String, field: String, words: String) async throws {
        let answer = try await freeze(from: from, to: to, reason)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(answer.detail.contains(words), "\(answer.detail)")
        #expect(try await frozen() == [])
    }

    @Test("Sixty days at once are taken")
    func longest() async throws {
        #expect(days(try await freeze(from: "2026-11-21", to: "2027-01-19")).count == 60)
    }

    @Test("A day off keeps a streak: frozen afterwards, it mends what would have broken")
    func streak() async throws {
        func brush(_ date: String) async throws {
            for (id, hour) in [(UInt8(1), Int32(8)), (2, 20)] {
                let at = try BrushingTestApp.vienna(date, hour)
                let session = try BrushingTestApp.recorded("mila", at: at, id: id)
                #expect(try await app.deliver(session.encoded()).status == 201)
            }
        }
        try await brush("2026-11-17")
        try await brush("2026-11-18")
        try await brush("2026-11-20")
        let broken = try await app.send(.put, "/api/brushing/people/mila/settings", "{}")
        #expect(broken["progress", "streakDays"] as? Int == 1)
        #expect(try await freeze("2026-11-19")["progress", "streakDays"] as? Int == 3)
    }

    @Test("Frozen today, nothing is asked any more: a reminder that stands goes")
    func settles() async throws {
        let now = app.now
        try await app.hub.database.pool.write { db in
            var record = try app.hub.reminders.setDaily(
                companion: "brushing", name: "morning", person: "mila", isOn: true, minute: 420, db)
            record.isVisible = true
            record.firedAt = now
            try record.update(db)
        }
        func isVisible() async throws -> Bool? {
            try await app.hub.database.pool.read { db in
                try BrushingReminder.morning.record(of: "mila", db)?.isVisible
            }
        }
        _ = try await freeze("2026-11-22")
        #expect(try await isVisible() == true, "tomorrow is another day")
        _ = try await freeze("2026-11-21")
        #expect(try await isVisible() == false)
    }
}
