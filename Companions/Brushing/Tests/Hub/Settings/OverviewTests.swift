import BrushingEngine
import Foundation
import HubKit
import Storage
import Testing

@testable import BrushingHub

@Suite("The overview")
struct OverviewTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    private func brush(_ person: String, _ hour: Int32, _ minute: Int32 = 0) async throws {
        let at = try BrushingTestApp.vienna("2026-11-21", hour, minute)
        // At the same moment, another's is another session.
        let session = try BrushingTestApp.recorded(person, at: at, id: person == "mila" ? 1 : 2)
        #expect(try await app.deliver(session.encoded()).status == 201)
    }

    @Test("Pages are told what the hub takes")
    func limits() async throws {
        let limits = try #require(try await overview()["limits"] as? [String: Any])
        #expect(limits["appointmentTitle"] as? Int == 60)
        #expect(limits["appointmentNote"] as? Int == 500)
        #expect(limits["headWeeks"] as? [String: Int] == ["least": 1, "most": 26])
        let presets = try #require(try await overview()["presets"] as? [[String: Any]])
        #expect(presets.map { $0["name"] as? String } == ["original", "one", "two", "three"])
        #expect(presets.map { $0["plannedSeconds"] as? Int } == [210, 60, 120, 180])
    }

    private func overview() async throws -> BrushingTestApp.Answer { try await app.send(.get, "/api/brushing") }

    @Test("At first nobody has brushed; then the morning’s are named, and when they are due again")
    func headline() async throws {
        #expect(try await overview()["headline", "text"] as? String == "Mila and Theo have not brushed today yet.")
        try await brush("mila", 7, 10)
        #expect(try await overview()["headline", "text"] as? String == "Mila brushed this morning. Theo has not yet.")
        try await brush("theo", 7, 20)
        #expect(try await overview()["headline", "text"] as? String == "Mila and Theo brushed this morning.")
        #expect(try await overview()["headline", "lead"] as? String == "Next this evening.")
        try await app.hub.database.pool.write { db in
            _ = try app.hub.reminders.setDaily(
                companion: "brushing", name: "evening", person: "theo", isOn: true, minute: 19 * 60 + 30, db)
        }
        #expect(try await overview()["headline", "lead"] as? String == "Next at 19:30, for Theo.")
        // 15:00: what is brushed from now on is the evening's, and nobody is late with it.
        app.advance(milliseconds: 3_600_000)
        #expect(try await overview()["headline", "text"] as? String == "Mila and Theo brushed this morning.")
        #expect(try await overview()["headline", "lead"] as? String == "Next at 19:30, for Theo.")
        // 18:00: it is evening.
        app.advance(milliseconds: 3 * 3_600_000)
        #expect(
            try await overview()["headline", "text"] as? String == "Mila and Theo have not brushed this evening yet.")
        #expect(try await overview()["headline", "lead"] as? String == "A reminder comes at 19:30.")
        // Half past midnight is the evening still, and nobody says so.
        app.advance(milliseconds: 6 * 3_600_000 + 1_800_000)
        #expect(try await overview()["headline", "text"] as? String == "Mila and Theo have not brushed before bed yet.")
        #expect(try await overview()["headline", "lead"] as? String == "It takes three and a half minutes.")
        app.advance(milliseconds: 4 * 3_600_000)
        #expect(
            try await overview()["headline", "text"] as? String == "Mila and Theo have not brushed this morning yet.")
    }

    @Test("It is said in the language that is asked for, and in English for one that is not there")
    func languages() async throws {
        func headline(_ wanted: String) async throws -> String? {
            try await app.send(.get, "/api/brushing", headers: ["Accept-Language": wanted])["headline", "text"]
                as? String
        }
        #expect(try await headline("de-AT, en;q=0.5") == "Mila und Theo haben heute noch nicht geputzt.")
        #expect(try await headline("fr, de;q=0.1") == "Mila und Theo haben heute noch nicht geputzt.")
        #expect(try await headline("fr") == "Mila and Theo have not brushed today yet.")
    }

    @Test("Of a household made minutes ago nobody says that they have not brushed, whatever the hour")
    func justMade() async throws {
        for hours in [0, 3, 5, 12, 17] as [Int64] {
            app.advance(milliseconds: hours * 3_600_000)
            let now = app.now - 120_000
            try await app.hub.database.pool.write { db in
                try db.execute(sql: "UPDATE person SET created_at = ?", arguments: [now])
            }
            #expect(try await overview()["headline", "text"] as? String == "Nobody has brushed here yet.")
            #expect(try await overview()["headline", "weight"] as? Int == 0)
        }
    }

    @Test("A reminder that keeps silent when it is done is not announced to whoever is done")
    func silentReminder() async throws {
        app.advance(milliseconds: 3 * 3_600_000)  // 17:00
        for person in ["mila", "theo"] {
            try await brush(person, 7)
            try await app.hub.database.pool.write { db in
                _ = try app.hub.reminders.setDaily(
                    companion: "brushing", name: "evening", person: person, isOn: true, minute: 19 * 60 + 30, db)
            }
        }
        #expect(try await overview()["headline", "lead"] as? String == "Next at 19:30.")
        try await brush("theo", 16)
        #expect(try await overview()["headline", "lead"] as? String == "Next at 19:30, for Mila.")
        try await app.hub.database.pool.write { db in
            _ = try app.hub.reminders.setDaily(
                companion: "brushing", name: "evening", person: "theo", isOn: true, minute: 19 * 60 + 30,
                silencedByDone: false, db)
        }
        #expect(try await overview()["headline", "lead"] as? String == "Next at 19:30.")
    }

    @Test("A reminder that comes on other days of the week, or is off, is not told")
    func otherDays() async throws {
        try await brush("mila", 7)
        try await brush("theo", 7)
        func set(_ person: String, isOn: Bool, _ days: Set<Int>) async throws {
            try await app.hub.database.pool.write { db in
                _ = try app.hub.reminders.setDaily(
                    companion: "brushing", name: "evening", person: person, isOn: isOn, minute: 1_170, weekdays: days,
                    db)
            }
        }
        try await set("mila", isOn: true, [1, 2, 3, 4, 5])
        try await set("theo", isOn: false, [6])
        #expect(try await overview()["headline", "lead"] as? String == "Next this evening.")
        try await set("theo", isOn: true, [6])
        #expect(try await overview()["headline", "lead"] as? String == "Next at 19:30, for Theo.")
    }

    @Test("Each has their week, their progress in the engine’s bytes, and their last session")
    func people() async throws {
        try await brush("mila", 7, 10)
        let answer = try await overview()
        #expect(
            (answer["people"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == [
                "ines", "tom", "mila", "theo",
            ])
        #expect(answer["people", "2", "name"] as? String == "Mila")
        #expect(answer["people", "2", "role"] as? String == "child")
        #expect(answer["people", "2", "timeZone"] as? String == "Europe/Vienna")
        #expect(answer["people", "2", "progress", "sessions"] as? Int == 1)
        #expect(answer["people", "2", "progress", "totalSeconds"] as? Int == 210)
        let state = try #require(
            (answer["people", "2", "progress", "state"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(BrushingProgress(bytes: Array(state))?.sessions == 1)
        #expect(answer["people", "2", "lastSession", "slot"] as? String == "morning")
        #expect(answer["people", "2", "today", "0", "minute"] as? Int == 430)
        #expect((answer["people", "3", "today"] as? [Any])?.isEmpty == true)
        #expect(answer["people", "3", "lastSession"] == nil)
        #expect(answer["people", "2", "awards", "0", "name"] as? String == "first")
        #expect((answer["people", "2", "week"] as? [Any])?.count == 7)
        #expect(answer["people", "2", "week", "0", "day"] as? String == "2026-11-16")
        #expect(answer["people", "2", "week", "5", "morning"] as? Bool == true)
        #expect(answer["people", "2", "week", "6", "isToCome"] as? Bool == true)
    }

    @Test("It says for whom this page may deliver, and about whom it may decide")
    func rights() async throws {
        func rights(_ name: String) async throws -> [Bool] {
            (try await overview()["people"] as? [[String: Any]] ?? []).compactMap { $0[name] as? Bool }
        }
        #expect(try await rights("mayDeliver") == [true, true, true, true])
        #expect(try await rights("mayDecide") == [true, true, true, true])
        try await app.use("ines", profile: "mila")
        #expect(try await rights("mayDeliver") == [true, false, true, true])
        #expect(try await rights("mayDecide") == [false, false, true, false])
        try await app.use("ines", profile: "mila", isShared: true)
        #expect(try await rights("mayDeliver") == [true, true, true, true])
    }

    @Test("Appointments are shown to whoever may decide about the person, and to nobody else")
    func appointments() async throws {
        for (person, title) in [("ines", "Gynaecologist"), ("theo", "Dentist"), ("mila", "Orthodontist")] {
            let body = "{\"title\":\"\(title)\",\"day\":\"2026-11-22\",\"minute\":600,\"note\":\"Private\"}"
            #expect(
                try await app.send(.post, "/api/brushing/people/\(person)/appointments", body).status == 201)
            app.advance(milliseconds: 1)
        }
        func titles(_ overview: BrushingTestApp.Answer) -> [String] {
            (overview["people"] as? [[String: Any]] ?? [])
                .flatMap { $0["appointments"] as? [[String: Any]] ?? [] }.compactMap { $0["title"] as? String }
        }
        try await brush("mila", 7)
        try await brush("ines", 7)
        #expect(titles(try await overview()) == ["Gynaecologist", "Orthodontist", "Dentist"])
        #expect(try await overview().text.contains("Ines has an appointment tomorrow at 10:00: Gynaecologist."))
        try await app.use("ines", profile: "mila")
        let atChild = try await overview()
        #expect(titles(atChild) == ["Orthodontist"])
        #expect(!atChild.text.contains("Gynaecologist") && !atChild.text.contains("Dentist"))
        #expect((atChild["headline", "lead"] as? String)?.contains("Mila has an appointment") == true)
    }

    @Test("The sample household has reminders, a brush head to be replaced, the dentist ahead and an ill week behind")
    func demo() async throws {
        try await app.hub.database.pool.write { db in
            try DemoSettings(brushing: app.brushing).seed(app.household, db)
        }
        let answer = try await overview()
        #expect(answer["people", "2", "brushHead", "suggestedDay"] as? String == "2026-11-25")
        #expect(answer["people", "3", "brushHead", "isDue"] as? Bool == false)
        #expect(answer["people", "3", "appointments", "0", "day"] as? String == "2026-11-24")
        #expect(answer["people", "3", "isChildMode"] as? Bool == true)
        #expect(answer["people", "3", "routine", "preset"] as? String == "two")
        #expect(answer["people", "0", "brushHead", "replacedDay"] == nil, "adults do as they like")
        let (frozen, reminders) = try await app.hub.database.pool.read { db in
            (try Settings.frozenDays(person: "theo", db), try ReminderRecord.fetchCount(db))
        }
        #expect(frozen.count == 7)
        #expect(frozen.first == CivilDate("2026-11-21").map { $0.day - 60 })
        #expect(reminders == 2 * 2 + 2 + 2, "daily ones, brush heads, and two of the dentist")
    }
}
