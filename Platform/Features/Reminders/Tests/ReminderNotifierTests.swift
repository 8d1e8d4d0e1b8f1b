import Foundation
import GRDB
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Reminders

@Suite("Reminders that come")
struct ReminderNotifierTests {
    @Test("A reminder comes at its minute, once, and stands for two hours")
    func onTime() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look() == [])
        #expect(try await app.look(at: "2026-11-21T05:59:59Z") == [])
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        #expect(try await app.look() == [])
        #expect(try await app.look(at: "2026-11-21T06:00:30Z") == [])
        #expect(try await app.look(at: "2026-11-21T07:59:59Z") == [])
        #expect(try await app.visible() == ["Mila: Morning"])
        #expect(try await app.look(at: "2026-11-21T08:00:00Z") == [])
        #expect(try await app.visible() == [])
    }

    @Test("One that is off, or of a companion that the household does not use, is silent")
    func off() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila, isOn: false)
        try await app.set("morning", app.theo)
        try await app.services.accounts.useCompanions(
            ["others"], of: ["others", "bells"], household: app.ines.household)
        #expect(try await app.live(until: "2026-11-23T05:00:00Z") == [])
    }

    @Test("What is done already is not reminded of, and the next day it is again")
    func silenced() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        app.bells.done.withLock { $0 = ["morning Mila"] }
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == [])
        app.bells.done.withLock { $0 = [] }
        #expect(try await app.look(at: "2026-11-21T06:00:30Z") == [])
        #expect(try await app.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("What was missed for days comes as one reminder for each person, the newest")
    func missed() async throws {
        let app = try await ReminderTestApp(at: "2026-11-10T05:00:00Z")
        for person in [app.mila, app.theo] {
            try await app.set("morning", person)
            try await app.set("evening", person, at: 8 * 60)
        }
        // Ten days later, at 8:40: the evening's is of 8:00.
        #expect(try await app.look(at: "2026-11-21T07:40:00Z") == ["Mila: Evening", "Theo: Evening"])
        #expect(try await app.look(at: "2026-11-21T07:40:30Z") == [])
        #expect(try await app.look(at: "2026-11-21T11:00:00Z") == [])
    }

    @Test("What was missed is not said where the newest is done, or more than four hours old, or another is on time")
    func missedAndSilent() async throws {
        let late = try await ReminderTestApp(at: "2026-11-20T04:00:00Z")
        try await late.set("morning", late.mila)
        #expect(try await late.look(at: "2026-11-21T10:00:01Z") == [])
        let done = try await ReminderTestApp(at: "2026-11-20T04:00:00Z")
        try await done.set("morning", done.mila)
        done.bells.done.withLock { $0 = ["morning Mila"] }
        #expect(try await done.look(at: "2026-11-21T07:00:00Z") == [])
        let both = try await ReminderTestApp(at: "2026-11-20T04:00:00Z")
        try await both.set("morning", both.mila)
        try await both.set("evening", both.mila, at: 8 * 60)
        #expect(try await both.look(at: "2026-11-21T07:00:20Z") == ["Mila: Evening"])
        #expect(try await both.look(at: "2026-11-21T07:00:50Z") == [])
    }

    @Test("Where the newest that was missed is done, the one before it is still said")
    func missedBefore() async throws {
        let app = try await ReminderTestApp(at: "2026-11-20T04:00:00Z")
        try await app.set("morning", app.mila)
        try await app.set("evening", app.mila, at: 8 * 60)
        app.bells.done.withLock { $0 = ["evening Mila"] }
        #expect(try await app.look(at: "2026-11-21T08:00:00Z") == ["Mila: Morning"])
    }

    @Test("A clock that is set back does not remind twice")
    func setBack() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        #expect(try await app.look(at: "2026-11-21T05:10:00Z") == [])
        #expect(try await app.live(until: "2026-11-21T12:00:00Z") == [])
        #expect(try await app.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("A day of the week that is added while its time has passed comes next week; so does one switched on with it")
    func addedWeekday() async throws {
        // A Saturday.
        let app = try await ReminderTestApp(at: "2026-11-18T05:00:00Z")
        try await app.set("morning", app.mila, on: [1, 7])
        #expect(try await app.look(at: "2026-11-21T06:30:00Z") == [])
        try await app.set("morning", app.mila, on: [1, 6, 7])
        #expect(try await app.look() == [])
        try await app.set("morning", app.mila, isOn: false)
        try await app.set("morning", app.mila, on: [6])
        #expect(try await app.look() == [])
        #expect(try await app.live(until: "2026-11-29T00:00:00Z") == ["2026-11-28T06:00:00Z Mila: Morning"])
    }

    @Test("A clock that was a year ahead does not silence the year until then")
    func wrongClock() async throws {
        let app = try await ReminderTestApp(at: "2027-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look(at: "2027-11-21T06:00:00Z") == ["Mila: Morning"])
        #expect(try await app.look(at: "2026-11-21T07:00:00Z") == [])
        #expect(try await app.look(at: "2026-11-21T08:00:00Z") == [])
        #expect(try await app.visible() == [])
        #expect(try await app.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("A clock that was two hours ahead when it was switched on loses nothing")
    func switchedOnAhead() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T07:30:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look(at: "2026-11-21T05:30:00Z") == [])
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
    }

    @Test(
        "One switched on, or set to a time, that has passed today comes tomorrow; set to a time ahead, it comes today")
    func changed() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T06:10:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look() == [])
        try await app.set("morning", app.mila, at: 7 * 60 + 5)
        #expect(try await app.look() == [])
        try await app.set("morning", app.mila, at: 7 * 60 + 15)
        #expect(
            try await app.live(until: "2026-11-21T06:20:00Z") == ["2026-11-21T06:15:00Z Mila: Morning"])
        try await app.set("morning", app.mila, at: 7 * 60 + 30)
        #expect(
            try await app.live(until: "2026-11-22T12:00:00Z") == [
                "2026-11-21T06:30:00Z Mila: Morning", "2026-11-22T06:30:00Z Mila: Morning",
            ])
    }

    @Test("Days of the week are those of the person's calendar")
    func weekdays() async throws {
        let app = try await ReminderTestApp(at: "2026-11-20T00:00:00Z", zone: "Pacific/Auckland")
        // 21 November 2026 is a Saturday; 7:00 in Auckland is 18:00 of the day before.
        try await app.set("morning", app.mila, on: [6])
        #expect(
            try await app.live(until: "2026-12-01T00:00:00Z") == [
                "2026-11-20T18:00:00Z Mila: Morning", "2026-11-27T18:00:00Z Mila: Morning",
            ])
    }

    @Test("Two reminders of one person in one minute both come, each once")
    func sameMinute() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        try await app.set("evening", app.mila, at: 7 * 60)
        #expect(
            try await app.live(until: "2026-11-21T12:00:00Z") == [
                "2026-11-21T06:00:00Z Mila: Evening", "2026-11-21T06:00:00Z Mila: Morning",
            ])
    }

    @Test("Somebody who goes to New York is not reminded twice that day; in Tokyo the evening is not left out")
    func travel() async throws {
        let west = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await west.set("morning", west.mila)
        #expect(try await west.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        _ = try await west.services.accounts.change(
            person: west.mila.id, .init(timeZone: "America/New_York"), household: west.ines.household)
        #expect(try await west.live(until: "2026-11-22T13:00:00Z") == ["2026-11-22T12:00:00Z Mila: Morning"])
        let east = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await east.set("evening", east.mila)
        #expect(try await east.look(at: "2026-11-21T18:30:00Z") == ["Mila: Evening"])
        _ = try await east.services.accounts.change(
            person: east.mila.id, .init(timeZone: "Asia/Tokyo"), household: east.ines.household)
        #expect(try await east.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T10:30:00Z Mila: Evening"])
    }

    @Test("A move that passes over a reminder's time does not make it late")
    func movedPast() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T03:00:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look() == [])
        // There it is 12:00.
        _ = try await app.services.accounts.change(
            person: app.mila.id, .init(timeZone: "Asia/Tokyo"), household: app.ines.household)
        #expect(try await app.live(until: "2026-11-21T23:00:00Z") == ["2026-11-21T22:00:00Z Mila: Morning"])
    }

    @Test("A companion that cannot say what it reminds of is asked again")
    func muddled() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        app.bells.isMuddled.withLock { $0 = true }
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == [])
        app.bells.isMuddled.withLock { $0 = false }
        #expect(try await app.look(at: "2026-11-21T06:00:30Z") == ["Mila: Morning"])
    }

    @Test("A hub that was killed reminds of nothing twice, and keeps a snooze")
    func killed() async throws {
        let first = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await first.set("morning", first.mila)
        try await first.set("morning", first.theo)
        #expect(try await first.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning", "Theo: Morning"])
        try await first.hub.database.pool.write { db in
            try db.execute(
                sql: "UPDATE reminder SET is_visible = 0, snoozed_until = ? WHERE person = ?",
                arguments: [first.hub.clock.now() + 600_000, first.mila.id])
        }
        let second = try await ReminderTestApp(after: first)
        #expect(try await second.look() == [])
        #expect(try await second.visible() == ["Theo: Morning"])
        #expect(try await second.look(at: "2026-11-21T06:10:00Z") == ["Mila: Morning"])
        let third = try await ReminderTestApp(after: second)
        #expect(try await third.look(at: "2026-11-21T06:10:30Z") == [])
        #expect(try await third.live(until: "2026-11-22T05:00:00Z") == [])
    }

    @Test("A person who is removed takes their reminders along")
    func removed() async throws {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        try await app.services.accounts.remove(person: app.mila.id, household: app.ines.household)
        #expect(try await app.record("morning", app.mila) == nil)
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == [])
    }
}
