import Foundation
import GRDB
import Storage
import Testing

@testable import HubKit

@Suite("Reminders that come")
struct ReminderTellerTests {
    @Test("A reminder comes at its minute, once, and stands for two hours")
    func onTime() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        #expect(try await house.look() == [])
        #expect(try await house.look(at: "2026-11-21T05:59:59Z") == [])
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        #expect(try await house.look() == [])
        #expect(try await house.look(at: "2026-11-21T06:00:30Z") == [])
        #expect(try await house.look(at: "2026-11-21T07:59:59Z") == [])
        #expect(try await house.visible() == ["Mila: Morning"])
        #expect(try await house.look(at: "2026-11-21T08:00:00Z") == [])
        #expect(try await house.visible() == [])
    }

    @Test("One that is off, or of a companion that the household does not use, is silent")
    func off() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila, isOn: false)
        try await house.set("morning", house.theo)
        try await house.hub.accounts.useCompanions(
            ["others"], of: ["others", "bells"], household: house.ines.household)
        #expect(try await house.live(until: "2026-11-23T05:00:00Z") == [])
    }

    @Test("What is done already is not reminded of, and the next day it is again")
    func silenced() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        house.bells.done.withLock { $0 = ["morning Mila"] }
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == [])
        house.bells.done.withLock { $0 = [] }
        #expect(try await house.look(at: "2026-11-21T06:00:30Z") == [])
        #expect(try await house.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("What was missed for days comes as one reminder for each person, the newest")
    func missed() async throws {
        let house = try await ReminderHouse(at: "2026-11-10T05:00:00Z")
        for person in [house.mila, house.theo] {
            try await house.set("morning", person)
            try await house.set("evening", person, at: 8 * 60)
        }
        // Ten days later, at 8:40: the evening's is of 8:00.
        #expect(try await house.look(at: "2026-11-21T07:40:00Z") == ["Mila: Evening", "Theo: Evening"])
        #expect(try await house.look(at: "2026-11-21T07:40:30Z") == [])
        #expect(try await house.look(at: "2026-11-21T11:00:00Z") == [])
    }

    @Test("What was missed is not said where the newest is done, or more than four hours old, or another is on time")
    func missedAndSilent() async throws {
        let late = try await ReminderHouse(at: "2026-11-20T04:00:00Z")
        try await late.set("morning", late.mila)
        #expect(try await late.look(at: "2026-11-21T10:00:01Z") == [])
        let done = try await ReminderHouse(at: "2026-11-20T04:00:00Z")
        try await done.set("morning", done.mila)
        done.bells.done.withLock { $0 = ["morning Mila"] }
        #expect(try await done.look(at: "2026-11-21T07:00:00Z") == [])
        let both = try await ReminderHouse(at: "2026-11-20T04:00:00Z")
        try await both.set("morning", both.mila)
        try await both.set("evening", both.mila, at: 8 * 60)
        #expect(try await both.look(at: "2026-11-21T07:00:20Z") == ["Mila: Evening"])
        #expect(try await both.look(at: "2026-11-21T07:00:50Z") == [])
    }

    @Test("Where the newest that was missed is done, the one before it is still said")
    func missedBefore() async throws {
        let house = try await ReminderHouse(at: "2026-11-20T04:00:00Z")
        try await house.set("morning", house.mila)
        try await house.set("evening", house.mila, at: 8 * 60)
        house.bells.done.withLock { $0 = ["evening Mila"] }
        #expect(try await house.look(at: "2026-11-21T08:00:00Z") == ["Mila: Morning"])
    }

    @Test("A clock that is set back does not remind twice")
    func setBack() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        #expect(try await house.look(at: "2026-11-21T05:10:00Z") == [])
        #expect(try await house.live(until: "2026-11-21T12:00:00Z") == [])
        #expect(try await house.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("A day of the week that is added while its time has passed comes next week; so does one switched on with it")
    func addedWeekday() async throws {
        // A Saturday.
        let house = try await ReminderHouse(at: "2026-11-18T05:00:00Z")
        try await house.set("morning", house.mila, on: [1, 7])
        #expect(try await house.look(at: "2026-11-21T06:30:00Z") == [])
        try await house.set("morning", house.mila, on: [1, 6, 7])
        #expect(try await house.look() == [])
        try await house.set("morning", house.mila, isOn: false)
        try await house.set("morning", house.mila, on: [6])
        #expect(try await house.look() == [])
        #expect(try await house.live(until: "2026-11-29T00:00:00Z") == ["2026-11-28T06:00:00Z Mila: Morning"])
    }

    @Test("A clock that was a year ahead does not silence the year until then")
    func wrongClock() async throws {
        let house = try await ReminderHouse(at: "2027-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        #expect(try await house.look(at: "2027-11-21T06:00:00Z") == ["Mila: Morning"])
        #expect(try await house.look(at: "2026-11-21T07:00:00Z") == [])
        #expect(try await house.look(at: "2026-11-21T08:00:00Z") == [])
        #expect(try await house.visible() == [])
        #expect(try await house.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("A clock that was two hours ahead when it was switched on loses nothing")
    func switchedOnAhead() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T07:30:00Z")
        try await house.set("morning", house.mila)
        #expect(try await house.look(at: "2026-11-21T05:30:00Z") == [])
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
    }

    @Test(
        "One switched on, or set to a time, that has passed today comes tomorrow; set to a time ahead, it comes today")
    func changed() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T06:10:00Z")
        try await house.set("morning", house.mila)
        #expect(try await house.look() == [])
        try await house.set("morning", house.mila, at: 7 * 60 + 5)
        #expect(try await house.look() == [])
        try await house.set("morning", house.mila, at: 7 * 60 + 15)
        #expect(
            try await house.live(until: "2026-11-21T06:20:00Z") == ["2026-11-21T06:15:00Z Mila: Morning"])
        try await house.set("morning", house.mila, at: 7 * 60 + 30)
        #expect(
            try await house.live(until: "2026-11-22T12:00:00Z") == [
                "2026-11-21T06:30:00Z Mila: Morning", "2026-11-22T06:30:00Z Mila: Morning",
            ])
    }

    @Test("Days of the week are those of the person's calendar")
    func weekdays() async throws {
        let house = try await ReminderHouse(at: "2026-11-20T00:00:00Z", zone: "Pacific/Auckland")
        // 21 November 2026 is a Saturday; 7:00 in Auckland is 18:00 of the day before.
        try await house.set("morning", house.mila, on: [6])
        #expect(
            try await house.live(until: "2026-12-01T00:00:00Z") == [
                "2026-11-20T18:00:00Z Mila: Morning", "2026-11-27T18:00:00Z Mila: Morning",
            ])
    }

    @Test("Two reminders of one person in one minute both come, each once")
    func sameMinute() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        try await house.set("evening", house.mila, at: 7 * 60)
        #expect(
            try await house.live(until: "2026-11-21T12:00:00Z") == [
                "2026-11-21T06:00:00Z Mila: Evening", "2026-11-21T06:00:00Z Mila: Morning",
            ])
    }

    @Test("Somebody who goes to New York is not reminded twice that day; in Tokyo the evening is not left out")
    func travel() async throws {
        let west = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await west.set("morning", west.mila)
        #expect(try await west.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        _ = try await west.hub.accounts.change(
            person: west.mila.id, .init(timeZone: "America/New_York"), household: west.ines.household)
        #expect(try await west.live(until: "2026-11-22T13:00:00Z") == ["2026-11-22T12:00:00Z Mila: Morning"])
        let east = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await east.set("evening", east.mila)
        #expect(try await east.look(at: "2026-11-21T18:30:00Z") == ["Mila: Evening"])
        _ = try await east.hub.accounts.change(
            person: east.mila.id, .init(timeZone: "Asia/Tokyo"), household: east.ines.household)
        #expect(try await east.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T10:30:00Z Mila: Evening"])
    }

    @Test("A move that passes over a reminder's time does not make it late")
    func movedPast() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T03:00:00Z")
        try await house.set("morning", house.mila)
        #expect(try await house.look() == [])
        // There it is 12:00.
        _ = try await house.hub.accounts.change(
            person: house.mila.id, .init(timeZone: "Asia/Tokyo"), household: house.ines.household)
        #expect(try await house.live(until: "2026-11-21T23:00:00Z") == ["2026-11-21T22:00:00Z Mila: Morning"])
    }

    @Test("A companion that cannot say what it reminds of is asked again")
    func muddled() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        house.bells.isMuddled.withLock { $0 = true }
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == [])
        house.bells.isMuddled.withLock { $0 = false }
        #expect(try await house.look(at: "2026-11-21T06:00:30Z") == ["Mila: Morning"])
    }

    @Test("A hub that was killed reminds of nothing twice, and keeps a snooze")
    func killed() async throws {
        let first = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await first.set("morning", first.mila)
        try await first.set("morning", first.theo)
        #expect(try await first.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning", "Theo: Morning"])
        try await first.hub.database.pool.write { db in
            try db.execute(
                sql: "UPDATE reminder SET is_visible = 0, snoozed_until = ? WHERE person = ?",
                arguments: [first.hub.clock.now() + 600_000, first.mila.id])
        }
        let second = try await ReminderHouse(after: first)
        #expect(try await second.look() == [])
        #expect(try await second.visible() == ["Theo: Morning"])
        #expect(try await second.look(at: "2026-11-21T06:10:00Z") == ["Mila: Morning"])
        let third = try await ReminderHouse(after: second)
        #expect(try await third.look(at: "2026-11-21T06:10:30Z") == [])
        #expect(try await third.live(until: "2026-11-22T05:00:00Z") == [])
    }

    @Test("A person who is removed takes their reminders along")
    func removed() async throws {
        let house = try await ReminderHouse(at: "2026-11-21T05:00:00Z")
        try await house.set("morning", house.mila)
        try await house.hub.accounts.remove(person: house.mila.id, household: house.ines.household)
        #expect(try await house.record("morning", house.mila) == nil)
        #expect(try await house.look(at: "2026-11-21T06:00:00Z") == [])
    }
}
