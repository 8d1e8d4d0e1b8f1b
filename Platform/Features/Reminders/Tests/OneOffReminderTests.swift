import Foundation
import GRDB
import Storage
import Testing

@testable import HubKit
@testable import HubServer
@testable import Reminders

@Suite("Reminders that come once")
struct OneOffReminderTests {
    private let app: ReminderTestApp
    /// 22 November, a day after the hub was set up.
    private let day: Int32

    init() async throws {
        app = try await ReminderTestApp(at: "2026-11-21T12:00:00Z")
        day = try #require(CivilDate("2026-11-22")).day
    }

    private func set(
        _ name: String, _ day: Int32, _ minute: Int32, of event: ReminderEvent? = nil, following daily: String? = nil
    ) async throws {
        try await app.hub.database.pool.write { [app] db in
            try app.reminders.setOnce(
                companion: "bells", name: name, person: app.mila.id, day: day, minute: minute, of: event,
                following: daily, db)
        }
    }

    @Test("One that was missed stands beside a daily one of the same minute")
    func beside() async throws {
        try await app.set("morning", app.mila)
        try await set("head", day, 7 * 60)
        #expect(try await app.look(at: "2026-11-22T06:05:00Z") == ["Mila: Morning", "Mila: head"])
        #expect(try await app.look(at: "2026-11-22T06:06:00Z") == [])
    }

    @Test("It waits for a hub that was off for days, and comes once")
    func waits() async throws {
        try await set("head", day, 7 * 60)
        #expect(try await app.look(at: "2026-11-29T13:00:00Z") == ["Mila: head"])
        #expect(try await app.live(until: "2026-12-05T00:00:00Z") == [])
    }

    @Test("It waits for a companion that cannot say it for hours")
    func muddled() async throws {
        try await set("head", day, 7 * 60)
        app.bells.isMuddled.withLock { $0 = true }
        for hour in ["06", "09", "12"] { #expect(try await app.look(at: "2026-11-22T\(hour):00:00Z") == []) }
        app.bells.isMuddled.withLock { $0 = false }
        #expect(try await app.look() == ["Mila: head"])
    }

    @Test("Of several for an event that were missed the newest comes, and none once it has begun")
    func event() async throws {
        let event = ReminderEvent(name: "dentist", title: "Dentist", day: day, minute: 16 * 60)
        for isLate in [false, true] {
            let app = try await ReminderTestApp(at: "2026-11-21T12:00:00Z")
            try await app.hub.database.pool.write { [day] db in
                for (name, day, minute) in [("eve", day - 1, Int32(18 * 60)), ("soon", day, 14 * 60)] {
                    try app.reminders.setOnce(
                        companion: "bells", name: name, person: app.mila.id, day: day, minute: minute, of: event, db)
                }
            }
            let said = try await app.look(at: isLate ? "2026-11-22T15:00:00Z" : "2026-11-22T14:30:00Z")
            #expect(said == (isLate ? [] : ["Mila: soon"]))
            #expect(try await app.live(until: "2026-11-25T00:00:00Z") == [])
        }
    }

    @Test("One that follows a daily one moves with its minute; one whose time would have passed comes the day after")
    func follows() async throws {
        try await set("head", day, 7 * 60, following: "morning")
        try await app.set("morning", app.theo, isOn: false, at: 5 * 60)
        try await app.set("morning", app.mila, isOn: false, at: 8 * 60)
        #expect(try await app.record("head", app.mila)?.minute == 8 * 60)
        #expect(try await app.look(at: "2026-11-22T06:30:00Z") == [])
        try await app.set("morning", app.mila, isOn: false, at: 6 * 60)
        #expect(try await app.live(until: "2026-11-24T00:00:00Z") == ["2026-11-23T05:00:00Z Mila: head"])
        // It has come: it does not come again.
        try await app.set("morning", app.mila, isOn: false, at: 9 * 60)
        #expect(try await app.live(until: "2026-11-26T00:00:00Z") == [])
    }
}
