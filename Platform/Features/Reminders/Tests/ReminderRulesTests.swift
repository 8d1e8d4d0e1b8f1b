import Foundation
import GRDB
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Reminders

@Suite("Quiet hours, and how much somebody hears")
struct ReminderRulesTests {
    private func app(at start: String = "2026-11-21T05:00:00Z") async throws -> ReminderTestApp {
        try await ReminderTestApp(at: start)
    }

    private func rule(
        _ app: ReminderTestApp, _ person: PersonRecord, from: Int32 = 21 * 60, until: Int32 = 7 * 60,
        isQuiet: Bool = true, notices: Int = 1
    ) async throws {
        _ = try await app.hub.database.pool.write { db in
            try app.reminders.setRules(
                of: person.id, isQuiet: isQuiet, from: from, until: until, noticesPerDay: notices, db)
        }
    }

    private func events(_ app: ReminderTestApp) async throws -> [String] {
        try await app.hub.database.pool.read { db in
            try ReminderEventRecord.fetchAll(db, sql: "SELECT * FROM reminder_event ORDER BY id")
        }.map { "\(ReminderTestApp.text($0.at).dropFirst(8).prefix(8)) \($0.name) \($0.outcome.rawValue)" }
    }

    private func body(_ app: ReminderTestApp, _ name: String) async throws -> String? {
        try await app.hub.database.pool.read { db in
            try String.fetchOne(
                db, sql: "SELECT body FROM reminder WHERE companion = 'pots' AND name = ?", arguments: [name])
        }
    }

    @Test("What can wait comes when quiet hours end, on the next day where they go through midnight")
    func waits() async throws {
        let app = try await app()
        try await app.set("water", app.ines, at: 22 * 60, of: Pots.self)
        try await rule(app, app.ines)
        app.pots.news.withLock { $0 = ["water": "The fern wants water."] }
        // Vienna is an hour ahead: 7:00 there is 6:00 here.
        #expect(
            try await app.live(until: "2026-11-23T08:00:00Z") == [
                "2026-11-22T06:00:00Z Water", "2026-11-23T06:00:00Z Water",
            ])
    }

    @Test("What is of its hour is said on open pages alone in quiet hours, and never to a phone")
    func hour() async throws {
        let app = try await app()
        try await app.set("evening", app.mila)
        try await rule(app, app.mila, from: 19 * 60, until: 7 * 60)
        _ = try await app.services.accounts.signIn(app.ines, agent: "phone")
        try await app.hub.database.pool.write { db in
            let phone = try #require(try String.fetchOne(db, sql: "SELECT id FROM sign_in"))
            try PushSubscriptionRecord(
                id: "p", household: app.ines.household, signIn: phone, endpoint: "https://push.example.org/1",
                p256dh: Data(), auth: Data(), createdAt: 0
            ).insert(db)
            try db.execute(sql: "INSERT INTO push_person VALUES ('p', ?)", arguments: [app.mila.id])
        }
        #expect(try await app.look(at: "2026-11-21T18:30:00Z") == ["Mila: Evening"])
        #expect(try await app.visible() == ["Mila: Evening"])
        #expect(
            try await app.hub.database.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM push_message")
            } == 0)
        #expect(try await events(app) == ["21T18:30 evening quiet"])
    }

    @Test("The one notice of a day says what would come later, and that comes no more")
    func together() async throws {
        let app = try await app()
        for kind in Pots.reminderKinds { try await app.set(kind.name, app.ines, of: Pots.self) }
        app.pots.news.withLock { $0 = ["water": "The fern wants water.", "battery": "A battery is low."] }
        #expect(try await app.live(until: "2026-11-21T23:00:00Z") == ["2026-11-21T08:00:00Z Two things for today"])
        #expect(try await body(app, "water") == "The fern wants water. A battery is low.")
        // At 10:00 there was nothing to say of a pot.
        #expect(
            try await events(app)
                == ["21T08:00 battery together", "21T08:00 water said", "21T09:00 repot nothing"].sorted())
    }

    @Test("What turns up after the day's notice waits for the next day's, and is in that")
    func tomorrow() async throws {
        let app = try await app()
        for kind in Pots.reminderKinds { try await app.set(kind.name, app.ines, of: Pots.self) }
        app.pots.news.withLock { $0 = ["water": "The fern wants water."] }
        #expect(try await app.live(until: "2026-11-21T12:00:00Z") == ["2026-11-21T08:00:00Z Water"])
        app.pots.news.withLock { $0["battery"] = "A battery is low." }
        #expect(try await app.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T08:00:00Z Two things for today"])
        #expect(try await events(app).contains("21T17:00 battery enough"))
    }

    @Test("Who asks for more hears more, and who asks for each as it comes hears each", arguments: [(2, 2), (0, 3)])
    func more(notices: Int, heard: Int) async throws {
        let app = try await app()
        for kind in Pots.reminderKinds { try await app.set(kind.name, app.ines, of: Pots.self) }
        try await rule(app, app.ines, isQuiet: false, notices: notices)
        app.pots.news.withLock { $0 = ["water": "Water.", "repot": "A pot.", "battery": "A battery."] }
        let said = try await app.live(until: "2026-11-21T23:00:00Z")
        #expect(said.count == heard)
        #expect(said.last?.hasSuffix(notices == 2 ? "Two things for today" : "Battery") == true)
    }

    @Test("What has not changed is said again after some days, and at once where it has")
    func known() async throws {
        let app = try await app()
        try await app.set("battery", app.ines, of: Pots.self)
        app.pots.news.withLock { $0 = ["battery": "The fern’s battery is low."] }
        #expect(
            try await app.live(until: "2026-11-25T12:00:00Z")
                == ["2026-11-21T17:00:00Z Battery", "2026-11-24T17:00:00Z Battery"])
        app.pots.news.withLock { $0["battery"] = "Two batteries are low." }
        #expect(try await app.live(until: "2026-11-26T12:00:00Z") == ["2026-11-25T17:00:00Z Battery"])
        #expect(try await events(app).count { $0.hasSuffix("known") } == 2)
    }

    @Test("Several at one minute are one notice, whatever somebody asked for")
    func once() async throws {
        let app = try await app()
        for kind in Pots.reminderKinds { try await app.set(kind.name, app.ines, at: 9 * 60, of: Pots.self) }
        try await rule(app, app.ines, isQuiet: false, notices: 0)
        app.pots.news.withLock { $0 = ["water": "Water.", "repot": "A pot.", "battery": "A battery."] }
        #expect(try await app.live(until: "2026-11-21T23:00:00Z") == ["2026-11-21T08:00:00Z Three things for today"])
    }

    @Test("A reminder that nobody asked to be quiet about is as it ever was")
    func usual() async throws {
        let app = try await app()
        try await app.set("evening", app.mila, at: 23 * 60)
        #expect(try await app.live(until: "2026-11-22T03:00:00Z") == ["2026-11-21T22:00:00Z Mila: Evening"])
        #expect(try await events(app) == ["21T22:00 evening said"])
    }

    @Test(
        "Quiet hours are found on days on which clocks change",
        arguments: [
            ("2026-03-28T23:30:00Z", "2026-03-29T05:00:00Z"), ("2026-10-24T22:30:00Z", "2026-10-25T06:00:00Z"),
        ])
    func clocks(at: String, end: String) throws {
        let quiet = try #require(QuietHours(ReminderRules(person: "p", isQuiet: true)))
        let calendar = LocalCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Vienna")))
        #expect(quiet.end(at: try ReminderTestApp.time(at), calendar) == (try ReminderTestApp.time(end)))
    }

    @Test(
        "Quiet hours within a day end on that day", arguments: [(719, false), (720, true), (839, true), (840, false)])
    func day(minute: Int32, isQuiet: Bool) throws {
        let quiet = try #require(
            QuietHours(ReminderRules(person: "p", isQuiet: true, quietFrom: 12 * 60, quietUntil: 14 * 60)))
        #expect(quiet.contains(minute: minute) == isQuiet)
    }

    @Test("An appointment that begins in quiet hours is said at its time, another waits for their end")
    func appointments() async throws {
        for (event, said) in [
            (6 * 60 + 30, "2026-11-22T04:00:00Z Mila: early"), (9 * 60, "2026-11-22T06:00:00Z Mila: early"),
        ] {
            let app = try await app()
            try await rule(app, app.mila)
            let day = try #require(CivilDate("2026-11-22")).day
            try await app.hub.database.pool.write { db in
                try app.reminders.setOnce(
                    companion: Bells.slug, name: "early", person: app.mila.id, day: day, minute: 5 * 60,
                    of: ReminderEvent(name: "dentist", title: "Dentist", day: day, minute: Int32(event)), db)
            }
            #expect(try await app.live(until: "2026-11-22T12:00:00Z") == [said])
        }
    }

    // MARK: Bad input

    private func refusal(
        isQuiet: Bool? = nil, from: Int32? = nil, until: Int32? = nil, notices: Int? = nil
    ) async throws -> String? {
        let app = try await app()
        do {
            _ = try await app.hub.database.pool.write { db in
                try app.reminders.setRules(
                    of: app.mila.id, isQuiet: isQuiet, from: from, until: until, noticesPerDay: notices, db)
            }
            return nil
        } catch let problem as Problem {
            return problem.detail.english
        }
    }

    @Test("A time of day that no clock shows is refused", arguments: [-1, 1_440, Int32.max])
    func minute(_ minute: Int32) async throws {
        #expect(
            try await refusal(from: minute) == "A time of day is a minute between 0 and 1439, such as 1260 for 21:00.")
        #expect(
            try await refusal(until: minute) == "A time of day is a minute between 0 and 1439, such as 1260 for 21:00.")
    }

    @Test("Quiet hours that end when they begin are refused")
    func none() async throws {
        #expect(
            try await refusal(isQuiet: true, from: 60, until: 60) == "Quiet hours end at another time than they begin.")
    }

    @Test("Six notices a day, and fewer than none, are refused", arguments: [6, -1])
    func notices(_ notices: Int) async throws {
        #expect(
            try await refusal(notices: notices)
                == "Choose one to five notices a day, or 0 to hear of each as it comes.")
    }
}
