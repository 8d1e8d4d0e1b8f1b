import Foundation
import GRDB
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Push
@testable import Reminders

@Suite("Reminders that are answered")
struct ReminderAnswerTests {
    private func app() async throws -> ReminderTestApp {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        return app
    }

    private func client(_ app: ReminderTestApp) async throws -> (HTTPTestClient, String, String) {
        let client = try await HTTPTestClient(app.test, app: app.app)
        let id = Reminders.id(companion: "bells", name: "morning", person: app.mila.id)
        return (client, try await client.token(app.ines), "/api/reminders/\(id)")
    }

    @Test(
        "A snooze comes again after its minutes, once, and again if it is asked for again", arguments: Reminders.snoozes
    )
    func snooze(minutes: Int) async throws {
        let app = try await app()
        let (client, token, path) = try await client(app)
        let end = ReminderTestApp.text(app.hub.clock.now() + Int64(minutes) * 60_000)
        let before = ReminderTestApp.text(app.hub.clock.now() + Int64(minutes) * 60_000 - 1_000)
        let answer = try await client.send(.post, path + "/snooze", "{\"minutes\":\(minutes)}", token: token)
        #expect(answer.status == 200)
        #expect(try await app.visible() == [])
        #expect(try await app.look(at: before) == [])
        #expect(try await app.look(at: end) == ["Mila: Morning"])
        #expect(
            try await app.record("morning", app.mila)?.dueAt == (try ReminderTestApp.time("2026-11-21T06:00:00Z")))
        #expect(try await client.send(.post, path + "/snooze", token: token).status == 200)
        #expect(
            try await app.live(until: "2026-11-21T12:00:00Z") == [
                "\(ReminderTestApp.text(try ReminderTestApp.time(end) + 600_000)) Mila: Morning"
            ])
    }

    @Test("A household decides how long a snooze is where nobody says otherwise")
    func household() async throws {
        let app = try await app()
        let (client, token, path) = try await client(app)
        #expect(try await client.send(.get, "/api/reminders", token: token)["snoozeMinutes"] as? Int == 10)
        let odd = try await client.send(.put, "/api/reminders", "{\"snoozeMinutes\":7}", token: token)
        #expect(odd["field"] as? String == "snoozeMinutes")
        #expect(try await client.send(.put, "/api/reminders", "{\"snoozeMinutes\":20}", token: token).status == 204)
        #expect(try await client.send(.get, "/api/reminders", token: token)["snoozeMinutes"] as? Int == 20)
        #expect(try await client.send(.post, path + "/snooze", token: token).status == 200)
        #expect(try await app.live(until: "2026-11-21T12:00:00Z") == ["2026-11-21T06:20:00Z Mila: Morning"])
    }

    @Test("What is done ends a snooze and takes what is due from pages; other people and companions keep theirs")
    func settled() async throws {
        let app = try await app()
        let (client, token, path) = try await client(app)
        try await app.settle(companion: "bells", person: app.theo.id)
        try await app.settle(companion: "pots", person: app.mila.id)
        try await app.settle(companion: "bells", person: app.mila.id, names: ["evening"])
        #expect(try await app.visible() == ["Mila: Morning"])
        _ = try await client.send(.post, path + "/snooze", token: token)
        try await app.settle(companion: "bells", person: app.mila.id)
        #expect(try await app.visible() == [])
        #expect(try await app.live(until: "2026-11-21T20:00:00Z") == [])
    }

    @Test("A snooze that ends when it is done meanwhile is silent; so is one that is switched off")
    func snoozeSilenced() async throws {
        for isSwitchedOff in [false, true] {
            let app = try await app()
            let (client, token, path) = try await client(app)
            _ = try await client.send(.post, path + "/snooze", token: token)
            if isSwitchedOff {
                try await app.set("morning", app.mila, isOn: false)
                try await app.set("morning", app.mila, isOn: true)
            } else {
                app.bells.done.withLock { $0 = ["morning Mila"] }
            }
            #expect(try await app.live(until: "2026-11-21T20:00:00Z") == [])
        }
    }

    @Test("What is dismissed is gone, and tomorrow's comes")
    func dismissed() async throws {
        let app = try await app()
        let (client, token, path) = try await client(app)
        #expect(try await client.send(.post, path + "/dismiss", token: token).status == 204)
        #expect(try await app.visible() == [])
        #expect(try await app.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("A snooze that is delivered twice is one")
    func snoozeOnce() async throws {
        let app = try await app()
        let (client, token, path) = try await client(app)
        let key = ["Idempotency-Key": "snooze-1"]
        let first = try await client.send(.post, path + "/snooze", token: token, headers: key)
        app.test.advance(milliseconds: 60_000)
        let second = try await client.send(.post, path + "/snooze", token: token, headers: key)
        #expect(first.text == second.text)
        #expect(
            try await app.live(until: "2026-11-21T20:00:00Z") == ["2026-11-21T06:10:00Z Mila: Morning"])
    }

    @Test("One sent now comes although it is done, and the one of its time comes too")
    func tryNow() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let (client, token, _) = try await client(app)
        app.bells.done.withLock { $0 = ["morning Mila"] }
        let path = "/api/reminders/bells/morning/\(app.mila.id)"
        let tried = try await client.send(.post, path + "/try", token: token)
        #expect(tried.status == 200)
        #expect(tried["title"] as? String == "Mila: Morning")
        #expect(try await app.visible() == ["Mila: Morning"])
        // Trying does not switch it on.
        let list = try await client.send(.get, "/api/reminders", token: token)
        #expect((list["due"] as? [Any])?.count == 1)
        app.bells.done.withLock { $0 = [] }
        #expect(try await app.live(until: "2026-11-21T12:00:00Z") == [])
        _ = try await client.send(.put, path, "{\"isOn\":true}", token: token)
        #expect(try await client.send(.post, path + "/try", token: token).status == 200)
        #expect(try await app.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("One account cannot use up with trials what the house may send in an hour")
    func tryLimit() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let (client, token, _) = try await client(app)
        let path = "/api/reminders/bells/morning/\(app.mila.id)/try"
        for _ in 0..<Push.trialsAnHour {
            #expect(try await client.send(.post, path, token: token).status == 200)
        }
        let refused = try await client.send(.post, path, token: token)
        #expect(refused.status == 429)
        #expect(refused.text.contains("Wait"))
    }

    @Test("Trying it leaves what was put off as it is, and what was tried can be put off itself")
    func trySnoozed() async throws {
        let app = try await app()
        let (client, token, path) = try await client(app)
        let place = "/api/reminders/bells/morning/\(app.mila.id)"
        _ = try await client.send(.post, path + "/snooze", "{\"minutes\":20}", token: token)
        app.test.advance(milliseconds: 60_000)
        let tried = try await client.send(.post, place + "/try", token: token)
        #expect(tried["at"] as? Int64 == app.hub.clock.now())
        #expect(try await client.send(.post, path + "/dismiss", token: token).status == 204)
        #expect(try await app.live(until: "2026-11-21T10:00:00Z") == ["2026-11-21T06:20:00Z Mila: Morning"])
        #expect(
            try await app.record("morning", app.mila)?.dueAt == (try ReminderTestApp.time("2026-11-21T06:00:00Z")))
        // Before its time the next day: the one of its time comes too.
        try await app.look(at: "2026-11-22T05:30:00Z")
        #expect(try await client.send(.post, place + "/try", token: token).status == 200)
        _ = try await client.send(.post, path + "/snooze", "{\"minutes\":10}", token: token)
        #expect(
            try await app.live(until: "2026-11-22T10:00:00Z") == [
                "2026-11-22T05:40:00Z Mila: Morning", "2026-11-22T06:00:00Z Mila: Morning",
            ])
    }

    @Test("A notification of hours ago, or of a reminder that is off, puts nothing off, and says so")
    func oldNotification() async throws {
        let app = try await app()
        let (client, token, path) = try await client(app)
        app.test.advance(milliseconds: Reminders.missedMilliseconds + 1)
        let late = try await client.send(.post, path + "/snooze", token: token)
        #expect(late.status == 409)
        #expect((late["detail"] as? String)?.contains("hours ago") == true)
        #expect(try await app.live(until: "2026-11-22T07:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
        try await app.set("morning", app.mila, isOn: false)
        let off = try await client.send(.post, path + "/snooze", token: token)
        #expect(off.status == 409)
        #expect((off["detail"] as? String)?.contains("switched off") == true)
        #expect(try await app.live(until: "2026-11-23T20:00:00Z") == [])
    }

    @Test("Somebody may want to be reminded although it is done")
    func notSilenced() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let (client, token, _) = try await client(app)
        let path = "/api/reminders/bells/morning/\(app.mila.id)"
        let on = try await client.send(.put, path, "{\"isOn\":true}", token: token)
        #expect(on["silencedByDone"] as? Bool == true)
        let loud = try await client.send(.put, path, "{\"silencedByDone\":false}", token: token)
        #expect(loud["silencedByDone"] as? Bool == false)
        #expect(loud["isOn"] as? Bool == true)
        let list = try await client.send(.get, "/api/reminders", token: token)["reminders"] as? [[String: Any]]
        #expect(list?.filter { $0["silencedByDone"] as? Bool == false }.count == 1)
        app.bells.done.withLock { $0 = ["morning Mila"] }
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        _ = try await client.send(.put, path, "{\"silencedByDone\":true}", token: token)
        #expect(try await app.live(until: "2026-11-23T05:00:00Z") == [])
    }

    @Test("Once is once: an appointment's reminders come, change with it and go with it")
    func onceOnly() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let day = try #require(CivilDate("2026-11-23")).day
        func set(_ name: String, _ on: Int32, _ minute: Int32) async throws {
            try await app.hub.database.pool.write { db in
                try app.reminders.setOnce(
                    companion: "bells", name: name, person: app.mila.id, day: on, minute: minute,
                    of: .init(name: "dentist", title: "Dentist", day: max(on, day), minute: 600), db)
            }
        }
        try await set("eve", day - 1, 18 * 60)
        try await set("soon", day, 8 * 60)
        #expect(try await app.live(until: "2026-11-22T20:00:00Z") == ["2026-11-22T17:00:00Z Mila: eve"])
        try await set("soon", day, 9 * 60)
        #expect(
            try await app.live(until: "2026-12-24T20:00:00Z") == ["2026-11-23T08:00:00Z Mila: soon"])
        try await set("soon", day + 60, 9 * 60)
        try await set("eve", day + 60, 8 * 60)
        try await app.hub.database.pool.write { db in
            try app.reminders.removeOnce(companion: "bells", name: "eve", person: app.mila.id, db)
        }
        #expect(try await app.record("eve", app.mila) == nil)
        try await app.hub.database.pool.write { db in
            try app.reminders.removeOnce(companion: "bells", event: "dentist", person: app.mila.id, db)
        }
        #expect(try await app.live(until: "2027-03-01T00:00:00Z") == [])
    }

    @Test("Pages are told of what comes and of what goes, with nothing of its words")
    func told() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let member = try await app.services.accounts.signIn(app.ines, agent: "test").member
        try await app.set("morning", app.mila)
        let (_, frames) = app.hub.live.listen(member, resume: nil, now: 0)
        try await app.look(at: "2026-11-21T06:00:00Z")
        try await app.settle(companion: "bells", person: app.mila.id)
        var texts: [String] = []
        for await frame in frames {
            if case .text(let text) = frame, text.contains("\"reminder\"") { texts.append(text) }
            if texts.count == 2 { break }
        }
        let id = Reminders.id(companion: "bells", name: "morning", person: app.mila.id)
        for text in texts {
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            #expect(object?["item"] as? String == id)
            #expect(object?["person"] as? String == app.mila.id)
            #expect(object?.count == 4)
        }
    }

    @Test("A child decides about itself and sees nothing of others; nobody of elsewhere decides at all")
    func policy() async throws {
        let app = try await app()
        let (client, adult, path) = try await client(app)
        let (token, member) = try await app.services.accounts.signIn(app.ines, agent: "tablet")
        _ = try await app.services.accounts.setProfile(app.theo.id, of: member, password: nil, address: "::1")
        let list = try await client.send(.get, "/api/reminders", token: token)
        let people = (list["reminders"] as? [[String: Any]])?.compactMap { $0["person"] as? String }
        #expect(people.map(Set.init) == [app.theo.id])
        // It may brush with its sister.
        #expect((list["due"] as? [[String: Any]])?.compactMap { $0["person"] as? String } == [app.mila.id])
        let all = try await client.send(.get, "/api/reminders", token: adult)
        #expect((all["reminders"] as? [Any])?.count == 15)
        let mila = "/api/reminders/bells/morning/\(app.mila.id)"
        let theo = "/api/reminders/bells/morning/\(app.theo.id)"
        #expect(try await client.send(.put, mila, "{\"isOn\":false}", token: token).status == 403)
        #expect(try await client.send(.post, mila + "/try", token: token).status == 403)
        #expect(try await client.send(.post, path + "/snooze", token: token).status == 200)
        #expect(try await client.send(.post, path + "/dismiss", token: token).status == 204)
        #expect(try await client.send(.put, theo, "{\"isOn\":true,\"minute\":400}", token: token).status == 200)
        #expect(try await client.send(.get, "/api/reminders").status == 401)
        let tom = try await app.services.accounts.addAdult(
            name: "Tom", email: "tom@example.org", password: "correct horse", household: nil, timeZone: nil)
        try await app.set("morning", tom)
        #expect(try await app.look(at: "2026-11-22T06:00:00Z") == ["Mila: Morning", "Theo: Morning", "Tom: Morning"])
        let toms = "/api/reminders/" + Reminders.id(companion: "bells", name: "morning", person: tom.id)
        let due = try await client.send(.get, "/api/reminders", token: token)["due"] as? [[String: Any]]
        #expect(due?.count == 2)
        for answer in ["/snooze", "/dismiss"] {
            #expect(try await client.send(.post, toms + answer, token: token).status == 403)
        }
        #expect(try await app.visible().contains("Tom: Morning"))
    }

    @Test(
        "What cannot be is refused in words, with the field",
        arguments: [
            ("{\"minute\":1440}", "minute"), ("{\"minute\":-1}", "minute"), ("{\"weekdays\":[]}", "weekdays"),
            ("{\"weekdays\":[0]}", "weekdays"), ("{\"weekdays\":[8]}", "weekdays"), ("{\"isOn\":\"yes\"}", "isOn"),
        ])
    func refused(body: String, field: String) async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let (client, token, _) = try await client(app)
        let path = "/api/reminders/bells/morning/\(app.mila.id)"
        let answer = try await client.send(.put, path, body, token: token)
        #expect((400..<500).contains(answer.status))
        #expect(answer["field"] as? String == field)
        #expect(try await app.record("morning", app.mila) == nil)
    }

    @Test("What is not there is not found, and what has not come is not put off")
    func notThere() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let (client, token, path) = try await client(app)
        for missing in ["bells/noon/\(app.mila.id)", "gongs/morning/\(app.mila.id)", "bells/morning/nobody"] {
            #expect(try await client.send(.put, "/api/reminders/\(missing)", "{}", token: token).status == 404)
        }
        #expect(try await client.send(.post, path + "/snooze", token: token).status == 404)
        try await app.set("morning", app.mila)
        #expect(try await client.send(.post, path + "/snooze", token: token).status == 409)
        let odd = try await client.send(.post, path + "/snooze", "{\"minutes\":7}", token: token)
        #expect(odd.status == 422)
        #expect(odd["field"] as? String == "minutes")
    }

    @Test("The list says when each comes next, by the person's own clock")
    func list() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let (client, token, _) = try await client(app)
        _ = try await app.services.accounts.change(
            person: app.theo.id, .init(timeZone: "Asia/Kolkata"), household: app.ines.household)
        for person in [app.mila, app.theo] {
            let path = "/api/reminders/bells/evening/\(person.id)"
            let set = try await client.send(.put, path, "{\"isOn\":true,\"weekdays\":[1,3]}", token: token)
            #expect(set["weekdays"] as? [Int] == [1, 3])
            #expect(set["minute"] as? Int == 1_170)
            // Monday, 23 November, 19:30.
            let next = person.id == app.mila.id ? "2026-11-23T18:30:00Z" : "2026-11-23T14:00:00Z"
            #expect(set["next"] as? Int64 == (try ReminderTestApp.time(next)))
        }
    }
}
