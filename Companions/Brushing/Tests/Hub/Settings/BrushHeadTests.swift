import Foundation
import HubKit
import Storage
import Testing

@testable import BrushingHub

@Suite("The brush head")
struct BrushHeadTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    private func replaced(_ body: String = "{}", key: String? = nil) async throws -> BrushingTestApp.Answer {
        try await app.send(
            .post, "/api/brushing/people/mila/brush-head/replaced", body,
            headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    }

    private func weeks(_ weeks: String) async throws -> BrushingTestApp.Answer {
        try await app.send(.put, "/api/brushing/people/mila/brush-head", "{\"weeks\":\(weeks)}")
    }

    /// The day and the minute of the reminder.
    private func reminder() async throws -> [String]? {
        try await app.hub.database.pool.read { db in
            try ReminderRecord.fetchOne(db, key: "brushing.brush-head.mila")
        }.flatMap { record in
            record.day.map { ["\(CivilDate(day: $0))", LocalCalendar.timeOfDay(minute: record.minute)] }
        }
    }

    @Test("Replaced today, the next one is suggested twelve weeks later, and reminded of that morning")
    func today() async throws {
        let answer = try await replaced()
        #expect(answer["brushHead", "replacedDay"] as? String == "2026-11-21")
        #expect(answer["brushHead", "suggestedDay"] as? String == "2027-02-13")
        #expect(answer["brushHead", "isDue"] as? Bool == false)
        #expect(try await reminder() == ["2027-02-13", "7:00"])
    }

    @Test("Another interval moves the date and its reminder; it comes when the morning’s does")
    func interval() async throws {
        #expect(try await weeks("8")["brushHead", "suggestedDay"] == nil, "nobody knows when it was new")
        #expect(try await reminder() == nil)
        try await app.hub.database.pool.write { db in
            _ = try app.hub.reminders.setDaily(
                companion: "brushing", name: "morning", person: "mila", minute: 6 * 60 + 15, db)
        }
        _ = try await replaced()
        #expect(try await reminder() == ["2027-01-16", "6:15"])
        #expect(try await weeks("26")["brushHead", "suggestedDay"] as? String == "2027-05-22")
        #expect(try await reminder() == ["2027-05-22", "6:15"])
    }

    @Test("Its reminder goes along with the morning’s")
    func follows() async throws {
        _ = try await replaced()
        let path = "/api/reminders/brushing/morning/mila"
        #expect(try await app.send(.put, path, "{\"minute\":450}").status == 200)
        #expect(try await reminder() == ["2027-02-13", "7:30"])
        #expect(try await app.send(.put, "/api/reminders/brushing/evening/mila", "{\"minute\":1080}").status == 200)
        #expect(try await reminder() == ["2027-02-13", "7:30"])
    }

    @Test("One that has done its time is due, and reminded of the next morning")
    func due() async throws {
        let answer = try await replaced("{\"day\":\"2026-08-29\"}")
        #expect(answer["brushHead", "suggestedDay"] as? String == "2026-11-21")
        #expect(answer["brushHead", "isDue"] as? Bool == true)
        #expect(try await reminder() == ["2026-11-22", "7:00"])
        let overview = try await app.send(.get, "/api/brushing")
        #expect((overview["headline", "lead"] as? String)?.contains("Mila’s brush head has done its time.") == true)
        // Asked again for what is so already, nothing is moved.
        app.advance(milliseconds: BrushingTestApp.day)
        _ = try await weeks("12")
        #expect(try await reminder() == ["2026-11-22", "7:00"])
        #expect(try await replaced()["brushHead", "isDue"] as? Bool == false)
        #expect(try await reminder() == ["2027-02-14", "7:00"])
    }

    @Test("“Today” is that of the person’s own clock, right through a leap day and a change to summer time")
    func days() async throws {
        _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\"Pacific/Kiritimati\"}")
        #expect(try await replaced()["brushHead", "replacedDay"] as? String == "2026-11-22")
        _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\"Pacific/Pago_Pago\"}")
        let early = try await replaced()
        #expect(early["brushHead", "replacedDay"] as? String == "2026-11-21")
        #expect(early["timeZone"] as? String == "Pacific/Pago_Pago")
        _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":null}")
        app.advance(milliseconds: try BrushingTestApp.vienna("2028-02-01", 9) - app.now)
        let due = try await weeks("4")
        #expect(due.status == 200, "\(due.text)")
        #expect(due["brushHead", "isDue"] as? Bool == true)
        #expect(try await replaced()["brushHead", "suggestedDay"] as? String == "2028-02-29")
        app.advance(milliseconds: try BrushingTestApp.vienna("2028-02-29", 23, 59) - app.now)
        let answer = try await replaced()
        #expect(answer["brushHead", "replacedDay"] as? String == "2028-02-29")
        #expect(answer["brushHead", "suggestedDay"] as? String == "2028-03-28", "clocks go forward on the 26th")
    }

    @Test(
        "What cannot be is refused in words",
        arguments: [
            ("2026-11-22", "still to come"), ("2027-01-01", "still to come"), ("2024-11-18", "two years ago"),
            ("2026-02-29", "calendar"), ("yesterday", "2026-12-02"),
        ])
    func refusedDay(day: String, words: String) async throws {
        let answer = try await replaced("{\"day\":\"\(day)\"}")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "day")
        #expect(answer.detail.contains(words), "\(answer.detail)")
        #expect(try await reminder() == nil)
    }

    @Test("A brush head is used for one to 26 weeks", arguments: ["27", "0", "-4", "1000000000"])
    func refusedWeeks(count: String) async throws {
        let answer = try await weeks(count)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "weeks")
        #expect(answer.detail.contains("1 to 26"))
    }

    @Test("It is used for a week at least")
    func oneWeek() async throws {
        _ = try await replaced()
        #expect(try await weeks("1")["brushHead", "suggestedDay"] as? String == "2026-11-28")
        #expect(try await reminder() == ["2026-11-28", "7:00"])
    }

    @Test("Who says never is not reminded, and is again when they say how long")
    func never() async throws {
        _ = try await replaced("{\"day\":\"2026-08-01\"}")
        let answer = try await weeks("null")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["brushHead", "weeks"] == nil)
        #expect(answer["brushHead", "replacedDay"] as? String == "2026-08-01")
        #expect(answer["brushHead", "suggestedDay"] == nil)
        #expect(answer["brushHead", "isDue"] as? Bool == false)
        #expect(try await reminder() == nil)
        #expect(try await replaced()["brushHead", "suggestedDay"] == nil)
        #expect(try await reminder() == nil)
        #expect(try await weeks("12")["brushHead", "suggestedDay"] as? String == "2027-02-13")
        #expect(try await reminder() == ["2027-02-13", "7:00"])
    }

    @Test("It was replaced on any day, and the next one is counted from that")
    func anyDay() async throws {
        for day in ["2026-11-21", "2026-10-01", "2024-12-31"] {
            #expect(try await replaced("{\"day\":\"\(day)\"}")["brushHead", "replacedDay"] as? String == day)
        }
        #expect(try await replaced("{\"day\":\"2026-11-01\"}")["brushHead", "suggestedDay"] as? String == "2027-01-24")
    }

    @Test("What is missing or of another type is named")
    func missing() async throws {
        let answer = try await app.send(.put, "/api/brushing/people/mila/brush-head", "{}")
        #expect(answer.status == 400)
        #expect(answer["field"] as? String == "weeks")
        #expect(try await weeks("\"8\"").status == 400)
    }

    @Test("A phone that says it late says the day, and says it once")
    func late() async throws {
        _ = try await replaced("{\"day\":\"2026-11-20\"}", key: "head-1")
        _ = try await replaced()
        #expect(
            try await replaced("{\"day\":\"2026-11-20\"}", key: "head-1")["brushHead", "replacedDay"] as? String
                == "2026-11-20")
        #expect(try await weeks("12")["brushHead", "replacedDay"] as? String == "2026-11-21")
    }
}
