import Foundation
import GRDB
import HubInstruments
import Storage
import Testing

@testable import HubKit

@Suite("Reminders that are answered")
struct ReminderAnswerTests {
    private func house() async throws -> ReminderHouse {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        return house
    }

    private func visitor(_ house: ReminderHouse) async throws -> (Visitor, String, String) {
        let visitor = try await Visitor(house.test, house: house.house)
        let id = Reminders.id(companion: "bells", name: "morning", person: house.mila.id)
        return (visitor, try await visitor.token(house.ines), "/api/reminders/\(id)")
    }

    @Test(
        "A snooze comes again after its minutes, once, and again if it is asked for again", arguments: Reminders.snoozes
    )
    func snooze(minutes: Int) async throws {
        let house = try await house()
        let (visitor, token, path) = try await visitor(house)
        let end = ReminderHouse.text(house.hub.clock.now() + Int64(minutes) * 60_000)
        let before = ReminderHouse.text(house.hub.clock.now() + Int64(minutes) * 60_000 - 1_000)
        let answer = try await visitor.send(.post, path + "/snooze", "{\"minutes\":\(minutes)}", token: token)
        #expect(answer.status == 200)
        #expect(try await house.visible() == [])
        #expect(try await house.look(at: before) == [])
        #expect(try await house.look(at: end) == ["Mila: Morning"])
        #expect(
            try await house.record("morning", house.mila)?.dueAt == (try ReminderHouse.time("2026-11-21T06:00:00Z")))
        #expect(try await visitor.send(.post, path + "/snooze", token: token).status == 200)
        #expect(
            try await house.live(until: "2026-11-21T12:00:00Z") == [
                "\(ReminderHouse.text(try ReminderHouse.time(end) + 600_000)) Mila: Morning"
            ])
    }

    @Test("A household decides how long a snooze is where nobody says otherwise")
    func household() async throws {
        let house = try await house()
        let (visitor, token, path) = try await visitor(house)
        #expect(try await visitor.send(.get, "/api/reminders", token: token)["snoozeMinutes"] as? Int == 10)
        let odd = try await visitor.send(.put, "/api/reminders", "{\"snoozeMinutes\":7}", token: token)
        #expect(odd["field"] as? String == "snoozeMinutes")
        #expect(try await visitor.send(.put, "/api/reminders", "{\"snoozeMinutes\":20}", token: token).status == 204)
        #expect(try await visitor.send(.get, "/api/reminders", token: token)["snoozeMinutes"] as? Int == 20)
        #expect(try await visitor.send(.post, path + "/snooze", token: token).status == 200)
        #expect(try await house.live(until: "2026-11-21T12:00:00Z") == ["2026-11-21T06:20:00Z Mila: Morning"])
    }

    @Test("What is done ends a snooze and takes what is due from pages; other people and companions keep theirs")
    func settled() async throws {
        let house = try await house()
        let (visitor, token, path) = try await visitor(house)
        await house.reminders.settled(companion: "bells", person: house.theo.id)
        await house.reminders.settled(companion: "drums", person: house.mila.id)
        await house.reminders.settled(companion: "bells", person: house.mila.id, names: ["evening"])
        #expect(try await house.visible() == ["Mila: Morning"])
        _ = try await visitor.send(.post, path + "/snooze", token: token)
        await house.reminders.settled(companion: "bells", person: house.mila.id)
        #expect(try await house.visible() == [])
        #expect(try await house.live(until: "2026-11-21T20:00:00Z") == [])
    }

    @Test("A snooze that ends when it is done meanwhile is silent; so is one that is switched off")
    func snoozeSilenced() async throws {
        for isSwitchedOff in [false, true] {
            let house = try await house()
            let (visitor, token, path) = try await visitor(house)
            _ = try await visitor.send(.post, path + "/snooze", token: token)
            if isSwitchedOff {
                try await house.set("morning", house.mila, isOn: false)
                try await house.set("morning", house.mila, isOn: true)
            } else {
                house.bells.done.withLock { $0 = ["morning Mila"] }
            }
            #expect(try await house.live(until: "2026-11-21T20:00:00Z") == [])
        }
    }

    @Test("What is dismissed is gone, and tomorrow's comes")
    func dismissed() async throws {
        let house = try await house()
        let (visitor, token, path) = try await visitor(house)
        #expect(try await visitor.send(.post, path + "/dismiss", token: token).status == 204)
        #expect(try await house.visible() == [])
        #expect(try await house.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("A snooze that is delivered twice is one")
    func snoozeOnce() async throws {
        let house = try await house()
        let (visitor, token, path) = try await visitor(house)
        let key = ["Idempotency-Key": "snooze-1"]
        let first = try await visitor.send(.post, path + "/snooze", token: token, headers: key)
        house.test.advance(milliseconds: 60_000)
        let second = try await visitor.send(.post, path + "/snooze", token: token, headers: key)
        #expect(first.text == second.text)
        #expect(
            try await house.live(until: "2026-11-21T20:00:00Z") == ["2026-11-21T06:10:00Z Mila: Morning"])
    }

    @Test("One sent now comes although it is done, and the one of its time comes too")
    func tryNow() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let (visitor, token, _) = try await visitor(house)
        house.bells.done.withLock { $0 = ["morning Mila"] }
        let path = "/api/reminders/bells/morning/\(house.mila.id)"
        let tried = try await visitor.send(.post, path + "/try", token: token)
        #expect(tried.status == 200)
        #expect(tried["title"] as? String == "Mila: Morning")
        #expect(try await house.visible() == ["Mila: Morning"])
        // Trying does not switch it on.
        let list = try await visitor.send(.get, "/api/reminders", token: token)
        #expect((list["due"] as? [Any])?.count == 1)
        house.bells.done.withLock { $0 = [] }
        #expect(try await house.live(until: "2026-11-21T12:00:00Z") == [])
        _ = try await visitor.send(.put, path, "{\"isOn\":true}", token: token)
        #expect(try await visitor.send(.post, path + "/try", token: token).status == 200)
        #expect(try await house.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("One account cannot use up with trials what the house may send in an hour")
    func tryLimit() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let (visitor, token, _) = try await visitor(house)
        let path = "/api/reminders/bells/morning/\(house.mila.id)/try"
        for _ in 0..<Push.trialsAnHour {
            #expect(try await visitor.send(.post, path, token: token).status == 200)
        }
        let refused = try await visitor.send(.post, path, token: token)
        #expect(refused.status == 429)
        #expect(refused.text.contains("Wait"))
    }

    @Test("Trying it leaves what was put off as it is, and what was tried can be put off itself")
    func trySnoozed() async throws {
        let house = try await house()
        let (visitor, token, path) = try await visitor(house)
        let place = "/api/reminders/bells/morning/\(house.mila.id)"
        _ = try await visitor.send(.post, path + "/snooze", "{\"minutes\":20}", token: token)
        house.test.advance(milliseconds: 60_000)
        let tried = try await visitor.send(.post, place + "/try", token: token)
        #expect(tried["at"] as? Int64 == house.hub.clock.now())
        #expect(try await visitor.send(.post, path + "/dismiss", token: token).status == 204)
        #expect(try await house.live(until: "2026-11-21T10:00:00Z") == ["2026-11-21T06:20:00Z Mila: Morning"])
        #expect(
            try await house.record("morning", house.mila)?.dueAt == (try ReminderHouse.time("2026-11-21T06:00:00Z")))
        // Before its time the next day: the one of its time comes too.
        try await house.look(at: "2026-11-22T05:30:00Z")
        #expect(try await visitor.send(.post, place + "/try", token: token).status == 200)
        _ = try await visitor.send(.post, path + "/snooze", "{\"minutes\":10}", token: token)
        #expect(
            try await house.live(until: "2026-11-22T10:00:00Z") == [
                "2026-11-22T05:40:00Z Mila: Morning", "2026-11-22T06:00:00Z Mila: Morning",
            ])
    }

    @Test("A notification of hours ago, or of a reminder that is off, puts nothing off, and says so")
    func oldNotification() async throws {
        let house = try await house()
        let (visitor, token, path) = try await visitor(house)
        house.test.advance(milliseconds: Reminders.missedMilliseconds + 1)
        let late = try await visitor.send(.post, path + "/snooze", token: token)
        #expect(late.status == 409)
        #expect((late["detail"] as? String)?.contains("hours ago") == true)
        #expect(try await house.live(until: "2026-11-22T07:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
        try await house.set("morning", house.mila, isOn: false)
        let off = try await visitor.send(.post, path + "/snooze", token: token)
        #expect(off.status == 409)
        #expect((off["detail"] as? String)?.contains("switched off") == true)
        #expect(try await house.live(until: "2026-11-23T20:00:00Z") == [])
    }

    @Test("Somebody may want to be reminded although it is done")
    func notSilenced() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let (visitor, token, _) = try await visitor(house)
        let path = "/api/reminders/bells/morning/\(house.mila.id)"
        let on = try await visitor.send(.put, path, "{\"isOn\":true}", token: token)
        #expect(on["silencedByDone"] as? Bool == true)
        let loud = try await visitor.send(.put, path, "{\"silencedByDone\":false}", token: token)
        #expect(loud["silencedByDone"] as? Bool == false)
        #expect(loud["isOn"] as? Bool == true)
        let list = try await visitor.send(.get, "/api/reminders", token: token)["reminders"] as? [[String: Any]]
        #expect(list?.filter { $0["silencedByDone"] as? Bool == false }.count == 1)
        house.bells.done.withLock { $0 = ["morning Mila"] }
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        _ = try await visitor.send(.put, path, "{\"silencedByDone\":true}", token: token)
        #expect(try await house.live(until: "2026-11-23T05:00:00Z") == [])
    }

    @Test("Once is once: an appointment's reminders come, change with it and go with it")
    func onceOnly() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let day = try #require(CivilDate("2026-11-23")).day
        func set(_ name: String, _ on: Int32, _ minute: Int32) async throws {
            try await house.hub.database.pool.write { db in
                try house.reminders.setOnce(
                    companion: "bells", name: name, person: house.mila.id, day: on, minute: minute,
                    of: .init(name: "dentist", title: "Dentist", day: max(on, day), minute: 600), db)
            }
        }
        try await set("eve", day - 1, 18 * 60)
        try await set("soon", day, 8 * 60)
        #expect(try await house.live(until: "2026-11-22T20:00:00Z") == ["2026-11-22T17:00:00Z Mila: eve"])
        try await set("soon", day, 9 * 60)
        #expect(
            try await house.live(until: "2026-12-24T20:00:00Z") == ["2026-11-23T08:00:00Z Mila: soon"])
        try await set("soon", day + 60, 9 * 60)
        try await set("eve", day + 60, 8 * 60)
        try await house.hub.database.pool.write { db in
            try house.reminders.removeOnce(companion: "bells", name: "eve", person: house.mila.id, db)
        }
        #expect(try await house.record("eve", house.mila) == nil)
        try await house.hub.database.pool.write { db in
            try house.reminders.removeOnce(companion: "bells", event: "dentist", person: house.mila.id, db)
        }
        #expect(try await house.live(until: "2027-03-01T00:00:00Z") == [])
    }

    @Test("Pages are told of what comes and of what goes, with nothing of its words")
    func told() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let member = try await house.hub.accounts.signIn(house.ines, agent: "test").member
        try await house.set("morning", house.mila)
        let (_, frames) = house.hub.live.listen(member, resume: nil, now: 0)
        try await house.look(at: "2026-11-21T06:00:00Z")
        await house.reminders.settled(companion: "bells", person: house.mila.id)
        var texts: [String] = []
        for await frame in frames {
            if case .text(let text) = frame, text.contains("\"reminder\"") { texts.append(text) }
            if texts.count == 2 { break }
        }
        let id = Reminders.id(companion: "bells", name: "morning", person: house.mila.id)
        for text in texts {
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            #expect(object?["item"] as? String == id)
            #expect(object?["person"] as? String == house.mila.id)
            #expect(object?.count == 4)
        }
    }

    @Test("A child decides about itself and sees nothing of others; nobody of elsewhere decides at all")
    func policy() async throws {
        let house = try await house()
        let (visitor, adult, path) = try await visitor(house)
        let (token, member) = try await house.hub.accounts.signIn(house.ines, agent: "tablet")
        _ = try await house.hub.accounts.setProfile(house.theo.id, of: member, password: nil, address: "::1")
        let list = try await visitor.send(.get, "/api/reminders", token: token)
        let people = (list["reminders"] as? [[String: Any]])?.compactMap { $0["person"] as? String }
        #expect(people.map(Set.init) == [house.theo.id])
        // It may brush with its sister.
        #expect((list["due"] as? [[String: Any]])?.compactMap { $0["person"] as? String } == [house.mila.id])
        let all = try await visitor.send(.get, "/api/reminders", token: adult)
        #expect((all["reminders"] as? [Any])?.count == 6)
        let mila = "/api/reminders/bells/morning/\(house.mila.id)"
        let theo = "/api/reminders/bells/morning/\(house.theo.id)"
        #expect(try await visitor.send(.put, mila, "{\"isOn\":false}", token: token).status == 403)
        #expect(try await visitor.send(.post, mila + "/try", token: token).status == 403)
        #expect(try await visitor.send(.post, path + "/snooze", token: token).status == 200)
        #expect(try await visitor.send(.post, path + "/dismiss", token: token).status == 204)
        #expect(try await visitor.send(.put, theo, "{\"isOn\":true,\"minute\":400}", token: token).status == 200)
        #expect(try await visitor.send(.get, "/api/reminders").status == 401)
        let tom = try await house.hub.accounts.addAdult(
            name: "Tom", email: "tom@example.org", password: "correct horse", household: nil, timeZone: nil)
        try await house.set("morning", tom)
        #expect(try await house.look(at: "2026-11-22T06:00:00Z") == ["Mila: Morning", "Theo: Morning", "Tom: Morning"])
        let toms = "/api/reminders/" + Reminders.id(companion: "bells", name: "morning", person: tom.id)
        let due = try await visitor.send(.get, "/api/reminders", token: token)["due"] as? [[String: Any]]
        #expect(due?.count == 2)
        for answer in ["/snooze", "/dismiss"] {
            #expect(try await visitor.send(.post, toms + answer, token: token).status == 403)
        }
        #expect(try await house.visible().contains("Tom: Morning"))
    }

    @Test(
        "What cannot be is refused in words, with the field",
        arguments: [
            ("{\"minute\":1440}", "minute"), ("{\"minute\":-1}", "minute"), ("{\"weekdays\":[]}", "weekdays"),
            ("{\"weekdays\":[0]}", "weekdays"), ("{\"weekdays\":[8]}", "weekdays"), ("{\"isOn\":\"yes\"}", "isOn"),
        ])
    func refused(body: String, field: String) async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let (visitor, token, _) = try await visitor(house)
        let path = "/api/reminders/bells/morning/\(house.mila.id)"
        let answer = try await visitor.send(.put, path, body, token: token)
        #expect((400..<500).contains(answer.status))
        #expect(answer["field"] as? String == field)
        #expect(try await house.record("morning", house.mila) == nil)
    }

    @Test("What is not there is not found, and what has not come is not put off")
    func notThere() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let (visitor, token, path) = try await visitor(house)
        for missing in ["bells/noon/\(house.mila.id)", "drums/morning/\(house.mila.id)", "bells/morning/nobody"] {
            #expect(try await visitor.send(.put, "/api/reminders/\(missing)", "{}", token: token).status == 404)
        }
        #expect(try await visitor.send(.post, path + "/snooze", token: token).status == 404)
        try await house.set("morning", house.mila)
        #expect(try await visitor.send(.post, path + "/snooze", token: token).status == 409)
        let odd = try await visitor.send(.post, path + "/snooze", "{\"minutes\":7}", token: token)
        #expect(odd.status == 422)
        #expect(odd["field"] as? String == "minutes")
    }

    @Test("The list says when each comes next, by the person's own clock")
    func list() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        let (visitor, token, _) = try await visitor(house)
        _ = try await house.hub.accounts.change(
            person: house.theo.id, .init(timeZone: "Asia/Kolkata"), household: house.ines.household)
        for person in [house.mila, house.theo] {
            let path = "/api/reminders/bells/evening/\(person.id)"
            let set = try await visitor.send(.put, path, "{\"isOn\":true,\"weekdays\":[1,3]}", token: token)
            #expect(set["weekdays"] as? [Int] == [1, 3])
            #expect(set["minute"] as? Int == 1_170)
            // Monday, 23 November, 19:30.
            let next = person.id == house.mila.id ? "2026-11-23T18:30:00Z" : "2026-11-23T14:00:00Z"
            #expect(set["next"] as? Int64 == (try ReminderHouse.time(next)))
        }
    }
}
