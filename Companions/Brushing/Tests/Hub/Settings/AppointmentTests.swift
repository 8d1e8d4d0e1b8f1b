import Foundation
import HubKit
import Storage
import Testing

@testable import BrushingHub

@Suite("Appointments")
struct AppointmentTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    private static func body(
        _ title: String = "Dentist", _ day: String = "2026-12-01", _ minute: String = "900", note: String? = nil
    ) -> String {
        let note = note.map { ",\"note\":\"\($0)\"" } ?? ""
        return "{\"title\":\"\(title)\",\"day\":\"\(day)\",\"minute\":\(minute)\(note)}"
    }

    private func add(_ body: String = body(), key: String? = nil) async throws -> BrushingTestApp.Answer {
        try await app.send(
            .post, "/api/brushing/people/mila/appointments", body, headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    }

    private func id(_ answer: BrushingTestApp.Answer) throws -> String {
        try #require(answer["appointments", "0", "id"] as? String)
    }

    /// When somebody is reminded, in order.
    private func reminders() async throws -> [String] {
        try await app.hub.database.pool.read { db in
            try ReminderRecord.fetchAll(db, sql: "SELECT * FROM reminder ORDER BY day, minute")
        }.map { "\(CivilDate(day: $0.day ?? 0)) \(LocalCalendar.timeOfDay(minute: $0.minute))" }
    }

    @Test("One is added, changed and removed, and its two reminders with it")
    func life() async throws {
        let added = try await add(Self.body(note: "Bring the card."))
        #expect(added.status == 201)
        #expect(added["appointments", "0", "title"] as? String == "Dentist")
        #expect(added["appointments", "0", "day"] as? String == "2026-12-01")
        #expect(added["appointments", "0", "minute"] as? Int == 900)
        #expect(added["appointments", "0", "note"] as? String == "Bring the card.")
        #expect(try await reminders() == ["2026-11-30 18:00", "2026-12-01 13:00"])
        let path = "/api/brushing/people/mila/appointments/\(try id(added))"
        for _ in 0..<2 {
            let changed = try await app.send(.put, path, Self.body(" Orthodontist ", "2027-01-01", "30"))
            #expect(changed.status == 200)
            #expect(changed["appointments", "0", "title"] as? String == "Orthodontist")
            #expect(changed["appointments", "0", "note"] == nil)
            #expect(try await reminders() == ["2026-12-31 18:00", "2026-12-31 22:30"])
        }
        for _ in 0..<2 {
            let removed = try await app.send(.delete, path)
            #expect(removed.status == 200)
            #expect((removed["appointments"] as? [Any])?.isEmpty == true)
            #expect(try await reminders() == [])
        }
        #expect(try await app.send(.put, path, Self.body()).status == 404)
    }

    @Test("Those ahead are shown, the next first, today’s until the day is over")
    func order() async throws {
        _ = try await add(Self.body("Third", "2026-12-01", "540"))
        _ = try await add(Self.body("Second", "2026-11-30", "1000"))
        _ = try await add(Self.body("Past", "2026-11-20", "540"))
        let answer = try await add(Self.body("First", "2026-11-21", "540"))
        let titles = (answer["appointments"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
        #expect(titles == ["First", "Second", "Third"])
    }

    @Test("Nobody is reminded in the past: of one in two hours and a bit once, of one in an hour not at all")
    func soon() async throws {
        _ = try await add(Self.body("Dentist", "2026-11-21", "\(16 * 60 + 30)"))
        #expect(try await reminders() == ["2026-11-21 14:30"])
        _ = try await add(Self.body("Dentist", "2026-11-21", "\(15 * 60)"))
        #expect(try await reminders() == ["2026-11-21 14:30"])
    }

    @Test(
        "Two hours are two hours when clocks change between",
        arguments: [
            // Forward at 2:00 on 28 March 2027: at 4:00 it is two hours after 1:00.
            ("2027-03-28", 240, ["2027-03-27 18:00", "2027-03-28 1:00"]),
            // Back at 3:00 on 31 October 2027: at 3:30 it is two hours after the first 2:30.
            ("2027-10-31", 210, ["2027-10-30 18:00", "2027-10-31 2:30"]),
            ("2028-02-29", 540, ["2028-02-28 18:00", "2028-02-29 7:00"]),
            ("2028-03-01", 60, ["2028-02-29 18:00", "2028-02-29 23:00"]),
        ])
    func clocks(day: String, minute: Int, expected: [String]) async throws {
        _ = try await add(Self.body("Dentist", day, "\(minute)"))
        #expect(try await reminders() == expected)
    }

    @Test(
        "What is no appointment is refused in words",
        arguments: [
            (body(""), "title", "such as Dentist"), (body("   "), "title", "such as Dentist"),
            (body(String(repeating: "a", count: 61)), "title", "60 characters"),
            (body("Den\\ntist"), "title", "such as Dentist"), (body("Den\\u0000tist"), "title", "such as Dentist"),
            (body("Dentist", "2027-02-29"), "day", "calendar"), (body("Dentist", "tomorrow"), "day", "2026-12-02"),
            (body("Dentist", "2026-10-20"), "day", "more than a month ago"),
            (body("Dentist", "2029-11-25"), "day", "more than three years"),
            (body("Dentist", "2026-12-01", "1440"), "minute", "0 to 1439"),
            (body("Dentist", "2026-12-01", "-1"), "minute", "0 to 1439"),
            (body(note: String(repeating: "a", count: 501)), "note", "500 characters"),
            (body(note: "a\\u0007b"), "note", "500 characters"),
        ])
    func refused(body: String, field: String, words: String) async throws {
        let answer = try await add(body)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(answer.detail.contains(words), "\(answer.detail)")
        #expect(try await app.count("brushing_appointment") == 0)
        let present = try id(try await add())
        #expect(
            try await app.send(.put, "/api/brushing/people/mila/appointments/\(present)", body).status == 422)
    }

    @Test("A note may have lines, an empty one is none, and a title may be anything that people write")
    func text() async throws {
        let answer = try await add(Self.body("Zahnärztin 🦷 (Dr. O’Hara)", note: "Bring:\\n- card\\n- toy"))
        #expect(answer["appointments", "0", "title"] as? String == "Zahnärztin 🦷 (Dr. O’Hara)")
        #expect(answer["appointments", "0", "note"] as? String == "Bring:\n- card\n- toy")
        let path = "/api/brushing/people/mila/appointments/\(try id(answer))"
        #expect(try await app.send(.put, path, Self.body(note: "  "))["appointments", "0", "note"] == nil)
    }

    @Test("One person has at most fifty, ahead or not", arguments: ["2026-12-01", "2026-11-01"])
    func many(day: String) async throws {
        for index in 0..<50 {
            #expect(try await add(Self.body("Visit \(index)", day, "\(index)")).status == 201)
        }
        let answer = try await add()
        #expect(answer.status == 409)
        #expect(answer.detail.contains("Remove one first"))
        // Those of more than a month ago are in nobody's way.
        app.advance(milliseconds: 42 * BrushingTestApp.day)
        #expect(try await add(Self.body("Dentist", "2027-02-01")).status == 201)
        #expect(try await app.count("brushing_appointment") == 1)
    }

    @Test("Sent again under one key, there is one; somebody else’s is not there")
    func once() async throws {
        let first = try await add(key: "visit-1")
        #expect(try await add(key: "visit-1").text == first.text)
        #expect(try await app.count("brushing_appointment") == 1)
        let path = "/api/brushing/people/theo/appointments/\(try id(first))"
        #expect(try await app.send(.put, path, Self.body()).status == 404)
        #expect(try await app.send(.delete, path).status == 404)
        #expect(try await app.count("brushing_appointment") == 1)
    }
}
