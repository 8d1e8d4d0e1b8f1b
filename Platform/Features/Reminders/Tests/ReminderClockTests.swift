import Foundation
import GRDB
import Storage
import Testing

@testable import HubKit
@testable import HubServer
@testable import Reminders

@Suite("Reminders by a clock that is wrong")
struct ReminderClockTests {
    /// Mila's morning was said at 7:00 and dismissed.
    private func app() async throws -> ReminderTestApp {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look(at: "2026-11-21T06:00:00Z") == ["Mila: Morning"])
        try await app.settle(companion: "bells", person: app.mila.id)
        return app
    }

    @Test(
        "A computer that starts days back, until it knows the time, reminds of nothing twice",
        arguments: [
            ["2026-11-18T05:00:00Z"], ["2026-11-18T05:59:50Z", "2026-11-18T06:00:05Z"], ["2026-11-20T22:00:00Z"],
            ["2016-01-01T00:00:00Z", "2016-01-01T00:59:00Z"],
        ])
    func startedBack(moments: [String]) async throws {
        let app = try await app()
        for moment in moments { #expect(try await app.look(at: moment) == []) }
        #expect(try await app.look(at: "2026-11-21T06:40:00Z") == [])
        #expect(try await app.live(until: "2026-11-22T12:00:00Z") == ["2026-11-22T06:00:00Z Mila: Morning"])
    }

    @Test("Nor does it bring what was switched on or snoozed at another time")
    func startedBackOtherwise() async throws {
        let late = try await ReminderTestApp(at: "2026-11-21T06:10:00Z")
        try await late.set("morning", late.mila)
        #expect(try await late.look() == [])
        #expect(try await late.look(at: "2026-11-18T05:00:00Z") == [])
        #expect(try await late.look(at: "2026-11-21T06:20:00Z") == [])
        let snoozed = try await app()
        let until = try ReminderTestApp.time("2026-11-21T07:00:00Z")
        try await snoozed.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE reminder SET snoozed_until = ?", arguments: [until])
        }
        #expect(try await snoozed.look(at: "2026-11-18T06:00:00Z") == [])
        #expect(try await snoozed.look(at: "2026-11-21T06:59:00Z") == [])
        #expect(try await snoozed.look(at: "2026-11-21T07:00:00Z") == ["Mila: Morning"])
    }

    @Test("A clock that was a day ahead silences neither today nor tomorrow once it has stood for an hour")
    func dayAhead() async throws {
        let app = try await ReminderTestApp(at: "2026-11-20T20:00:00Z")
        try await app.set("morning", app.mila)
        try await app.set("evening", app.mila)
        for moment in ["2026-11-21T06:00:03Z", "2026-11-21T18:30:03Z", "2026-11-22T06:00:03Z"] {
            #expect(try await app.look(at: moment).count == 1)
        }
        #expect(try await app.look(at: "2026-11-21T11:00:00Z") == [])
        #expect(
            try await app.live(until: "2026-11-22T20:00:00Z") == [
                "2026-11-21T18:30:00Z Mila: Evening", "2026-11-22T06:00:00Z Mila: Morning",
                "2026-11-22T18:30:00Z Mila: Evening",
            ])
    }

    @Test("What comes in the hour in which a clock has to stand comes at its end")
    func late() async throws {
        let app = try await ReminderTestApp(at: "2026-11-22T05:00:00Z")
        try await app.set("morning", app.mila)
        #expect(try await app.look(at: "2026-11-22T06:00:00Z") == ["Mila: Morning"])
        #expect(try await app.look(at: "2026-11-21T05:30:00Z") == [])
        #expect(try await app.live(until: "2026-11-21T12:00:00Z") == ["2026-11-21T06:30:00Z Mila: Morning"])
    }
}
