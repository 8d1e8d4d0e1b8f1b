import BrushingEngine
import Foundation
import HubKit
import Storage
import Testing

@testable import BrushingHub

@Suite("What reminders of brushing say")
struct ReminderTextTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    private func words(
        _ name: String, _ date: String = "2026-11-21", _ hour: Int32 = 7, _ minute: Int32 = 0, needsText: Bool = false,
        isSilencedByDone: Bool = true
    ) async throws -> ReminderText? {
        let person = try await app.person("mila")
        let day = try #require(CivilDate(date)).day
        return try await app.brushing.reminderText(
            DueReminder(
                id: "brushing.\(name).mila", name: name, person: person,
                at: try BrushingTestApp.vienna(date, hour, minute),
                day: day, minute: hour * 60 + minute, needsText: needsText,
                isSilencedByDone: isSilencedByDone))
    }

    private func brush(_ date: String, _ hour: Int32, _ minute: Int32 = 0, seconds: Int64? = nil) async throws {
        let at = try BrushingTestApp.vienna(date, hour, minute)
        app.advance(milliseconds: max(0, at + 300_000 - app.now))
        let answer = try await app.deliver(try BrushingTestApp.recorded("mila", at: at, seconds: seconds).encoded())
        #expect(answer.status == 201)
    }

    @Test("Morning, midday and evening are proposed at 7:00, 13:00 and 19:30")
    func kinds() {
        #expect(Brushing.reminderKinds.map(\.name) == ["morning", "midday", "evening"])
        #expect(Brushing.reminderKinds.map(\.minute) == [420, 780, 1_170])
    }

    @Test("Of three a day each is silent where its own is done, and all where all three are")
    func three() async throws {
        _ = try await app.send(.put, "/api/brushing/people/mila/settings", "{\"perDay\":3}")
        try await brush("2026-11-21", 12, 40)
        #expect(try await words("morning") != nil, "that was midday’s")
        #expect(try await words("midday", "2026-11-21", 13) == nil)
        try await brush("2026-11-21", 16)
        #expect(try await words("evening", "2026-11-21", 19, 30) != nil, "that was midday’s too")
        try await brush("2026-11-21", 18)
        #expect(try await words("evening", "2026-11-21", 19, 30) == nil)
        #expect(try await words("morning") == nil)
        #expect(try await words("midday", "2026-11-22", 13) != nil)
    }

    @Test("Whoever has not brushed is told who, how long, and where")
    func daily() async throws {
        let words = try await words("morning")
        #expect(words?.title == "Mila, time to brush")
        #expect(words?.body == "It takes three and a half minutes.")
        #expect(words?.path == "/brushing?person=mila")
    }

    @Test("Brushed already, it is silent; the other half of the day is another matter")
    func done() async throws {
        try await brush("2026-11-21", 6, 30)
        #expect(try await words("morning") == nil)
        #expect(try await words("evening", "2026-11-21", 19, 30) != nil)
        #expect(try await words("morning", "2026-11-22") != nil)
        #expect(try await words("morning", needsText: true) != nil, "somebody tries it")
        try await brush("2026-11-21", 18)
        #expect(try await words("evening", "2026-11-21", 19, 30) == nil)
    }

    @Test("Somebody who wants to be reminded although they have brushed is, except on a day off")
    func notSilenced() async throws {
        try await brush("2026-11-21", 6, 30)
        #expect(try await words("morning", isSilencedByDone: false) != nil)
        _ = try await app.send(.put, "/api/brushing/people/mila/days/2026-11-22", "{\"reason\":\"holiday\"}")
        #expect(try await words("morning", "2026-11-22", isSilencedByDone: false) == nil)
    }

    @Test("One that was too short silences nothing")
    func short() async throws {
        try await brush("2026-11-21", 6, 30, seconds: 20)
        #expect(try await words("morning") != nil)
    }

    @Test("Twice in the morning is twice a day, and once is enough for whoever is asked once")
    func perDay() async throws {
        try await brush("2026-11-21", 6)
        _ = try await app.send(.put, "/api/brushing/people/mila/settings", "{\"perDay\":1}")
        #expect(try await words("evening", "2026-11-21", 19, 30) == nil)
        _ = try await app.send(.put, "/api/brushing/people/mila/settings", "{\"perDay\":2}")
        #expect(try await words("evening", "2026-11-21", 19, 30) != nil)
        try await brush("2026-11-21", 9)
        #expect(try await words("evening", "2026-11-21", 19, 30) == nil)
    }

    @Test("A reminder after midnight is for the evening before")
    func midnight() async throws {
        try await brush("2026-11-21", 23, 50)
        #expect(try await words("evening", "2026-11-22", 0, 15) == nil)
        #expect(try await words("evening", "2026-11-22", 23, 0) != nil)
        #expect(try await words("morning", "2026-11-22", 3, 30) != nil, "early birds")
    }

    @Test("A day off is silent")
    func frozen() async throws {
        _ = try await app.send(.put, "/api/brushing/people/mila/days/2026-11-22", "{\"reason\":\"holiday\"}")
        #expect(try await words("morning") != nil)
        #expect(try await words("morning", "2026-11-22") == nil)
        #expect(try await words("evening", "2026-11-22", 19, 30) == nil)
        #expect(try await words("evening", "2026-11-23", 0, 30) == nil)
        #expect(try await words("morning", "2026-11-23") != nil)
    }

    @Test("In summer time, and on the days when clocks change, the day is the person’s own")
    func clocks() async throws {
        app.advance(milliseconds: try BrushingTestApp.vienna("2027-03-27", 12) - app.now)
        try await brush("2027-03-28", 4, 30)
        #expect(try await words("morning", "2027-03-28") == nil)
        #expect(try await words("evening", "2027-03-28", 19, 30) != nil)
        try await brush("2027-10-31", 4, 0)
        #expect(try await words("morning", "2027-10-31") == nil)
        #expect(try await words("evening", "2027-10-30", 19, 30) != nil)
    }

    @Test("Days in a row are told; a small child is asked in its own words")
    func streak() async throws {
        for date in ["2026-11-21", "2026-11-22"] {
            try await brush(date, 8)
            try await brush(date, 20)
        }
        app.advance(milliseconds: try BrushingTestApp.vienna("2026-11-23", 7) - app.now)
        #expect(
            try await words("morning", "2026-11-23")?.body
                == "It takes three and a half minutes. Two days in a row so far.")
        _ = try await app.send(
            .put, "/api/brushing/people/mila/settings", "{\"isChildMode\":true,\"routine\":{\"preset\":\"one\"}}")
        #expect(
            try await words("morning", "2026-11-23")?.body
                == "Good morning! Your teeth are awake. Two days in a row so far.")
        // Tried in the afternoon, or set to it, it does not say good morning.
        app.advance(milliseconds: try BrushingTestApp.vienna("2026-11-23", 17, 25) - app.now)
        #expect(
            try await words("morning", "2026-11-23", 17, 25)?.body
                == "Hello! Your teeth are waiting for you. Two days in a row so far.")
        app.advance(milliseconds: 2 * 3_600_000)
        #expect(
            try await words("evening", "2026-11-23", 19)?.body
                == "Your teeth want to go to bed. Two days in a row so far.")
    }

    @Test("A brush head is told with its age, and no more once it was replaced")
    func brushHead() async throws {
        #expect(try await words("brush-head") == nil)
        let path = "/api/brushing/people/mila/brush-head/replaced"
        _ = try await app.send(.post, path, "{\"day\":\"2026-08-29\"}")
        let due = try await words("brush-head", "2026-11-22")
        #expect(due?.title == "A new brush head for Mila")
        #expect(due?.body == "The one in use is twelve weeks old. Say so when the new one is on.")
        #expect(due?.path == "/brushing/settings?person=mila")
        _ = try await app.send(.post, path, "{}")
        #expect(try await words("brush-head", "2026-11-22") == nil)
        #expect(try await words("brush-head", "2026-11-22", needsText: true) != nil, "a calendar lists it")
    }

    @Test("Told late, an appointment is told by the day that it is, and not once it has begun")
    func lateAppointment() async throws {
        let added = try await app.send(
            .post, "/api/brushing/people/mila/appointments",
            "{\"title\":\"Dentist\",\"day\":\"2026-12-01\",\"minute\":905}")
        let id = try #require(added["appointments", "0", "id"] as? String)
        app.advance(milliseconds: try BrushingTestApp.vienna("2026-12-01", 15, 4) - app.now)
        #expect(try await words("appointment:\(id):eve", "2026-11-30", 18)?.title == "Mila: Dentist today at 15:05")
        app.advance(milliseconds: 60_000)
        #expect(try await words("appointment:\(id):eve", "2026-11-30", 18) == nil)
    }

    @Test("An appointment is told the day before and on the day, and no more once it was removed")
    func appointment() async throws {
        let added = try await app.send(
            .post, "/api/brushing/people/mila/appointments",
            "{\"title\":\"Dentist\",\"day\":\"2026-12-01\",\"minute\":905}")
        let id = try #require(added["appointments", "0", "id"] as? String)
        let eve = try await words("appointment:\(id):eve", "2026-11-30", 18)
        #expect(eve?.title == "Mila: Dentist tomorrow at 15:05")
        #expect(eve?.body == "Tuesday, 1 December.")
        #expect(eve?.path == "/brushing/settings?person=mila")
        #expect(
            try await words("appointment:\(id):soon", "2026-12-01", 13, 5)?.title == "Mila: Dentist today at 15:05")
        _ = try await app.send(.delete, "/api/brushing/people/mila/appointments/\(id)")
        #expect(try await words("appointment:\(id):soon", "2026-12-01", 13, 5) == nil)
    }

    @Test("A reminder of another name says nothing", arguments: ["noon", "appointment:", "appointment:nobody:eve", ""])
    func unknown(name: String) async throws {
        #expect(try await words(name) == nil)
    }

    @Test("Somebody who has moved out is told nothing")
    func gone() async throws {
        let person = try await app.person("mila")
        _ = try await app.send(.delete, "/api/people/mila")
        await #expect(throws: Problem.self) {
            try await app.brushing.reminderText(
                DueReminder(id: "x", name: "morning", person: person, at: app.now, day: 20_778, minute: 420))
        }
    }
}
