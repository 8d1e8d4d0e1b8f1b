import Foundation
import GRDB
import HubInstruments
import NIOCore
import Storage
import Synchronization

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Reminders

/// A household of three whose one companion reminds, with a clock that the test moves.
final class ReminderTestApp: Sendable {
    let test: TestHub
    let app: HubApplication
    let ines, mila, theo: PersonRecord
    let bells: Bells
    let pots: Pots

    var hub: HubContext { app.hub }
    var services: ServerContext { app.services }
    var reminders: Reminders { hub.reminders }

    /// Notes that what a companion's reminders ask of a person is done.
    func settle(companion: String, person: String, names: Set<String>? = nil) async throws {
        try await hub.database.pool.write { db in
            try hub.reminders.settle(companion: companion, person: person, names: names, db)
        }
    }

    /// - Parameters:
    ///   - start: such as `2026-11-21T05:00:00Z`.
    ///   - zone: the household's.
    init(at start: String, zone: String = "Europe/Vienna") async throws {
        test = try TestHub()
        test.advance(milliseconds: try Self.time(start) - test.hub.clock.now())
        ines = try await test.services.accounts.addAdult(
            name: "Ines", email: "ines@example.org", password: "correct horse", household: "Linden", timeZone: zone)
        mila = try await test.services.accounts.addChild(
            household: ines.household, name: "Mila", birthYear: nil, face: nil)
        theo = try await test.services.accounts.addChild(
            household: ines.household, name: "Theo", birthYear: nil, face: nil)
        app = try await HubApplication(services: test.services, companions: [Bells.self, Pots.self])
        bells = try Self.companion(app)
        pots = try Self.companion(app)
    }

    /// The same hub, started again on its file.
    init(after before: ReminderTestApp) async throws {
        test = before.test
        (ines, mila, theo) = (before.ines, before.mila, before.theo)
        try before.hub.database.close()
        let hub = HubContext(
            database: try HubDatabase(path: before.hub.database.path), settings: before.hub.settings,
            clock: before.hub.clock, log: before.hub.log)
        app = try await HubApplication(services: ServerContext(hub: hub), companions: [Bells.self, Pots.self])
        bells = try Self.companion(app)
        pots = try Self.companion(app)
    }

    struct NoCompanion: Error {}

    private static func companion<Wanted: Companion>(_ app: HubApplication) throws -> Wanted {
        guard let companion = app.companions.lazy.compactMap({ $0 as? Wanted }).first else { throw NoCompanion() }
        return companion
    }

    static func time(_ text: String) throws -> Int64 {
        Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1000)
    }

    static func text(_ time: Int64) -> String { Date(milliseconds: time).ISO8601Format() }

    /// Switches a daily reminder on or changes it.
    @discardableResult
    func set(
        _ name: String, _ person: PersonRecord, isOn: Bool = true, at minute: Int32? = nil, on days: Set<Int>? = nil,
        of companion: any Companion.Type = Bells.self
    )
        async throws -> ReminderRecord
    {
        let kind = companion.reminderKinds.first { $0.name == name }
        return try await hub.database.pool.write { db in
            try self.reminders.setDaily(
                companion: companion.slug, name: name, person: person.id, isOn: isOn,
                minute: minute ?? kind?.minute ?? 0,
                weekdays: days, db)
        }
    }

    func record(_ name: String, _ person: PersonRecord) async throws -> ReminderRecord? {
        try await hub.database.pool.read { db in
            try ReminderRecord.fetchOne(
                db, key: Reminders.id(companion: Bells.slug, name: name, person: person.id))
        }
    }

    /// Moves the clock, forwards or back, and looks once.
    ///
    /// - Returns: what was said then, such as `Mila: Morning`.
    @discardableResult
    func look(at time: String) async throws -> [String] {
        test.advance(milliseconds: try Self.time(time) - hub.clock.now())
        return try await look()
    }

    @discardableResult
    func look() async throws -> [String] {
        let before = Set(try await said().map(\.1))
        _ = try await ReminderNotifier(context: app.reminderContext).look()
        return try await said().filter { !before.contains($0.1) }.map(\.0).sorted()
    }

    private func said() async throws -> [(String, String)] {
        try await hub.database.pool.read { db in
            try ReminderRecord.fetchAll(db, sql: "SELECT * FROM reminder WHERE fired_at IS NOT NULL ORDER BY id")
        }.map { ($0.title ?? "", "\($0.id) \($0.firedAt ?? 0)") }
    }

    /// What stands on open pages.
    func visible() async throws -> [String] {
        try await hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT title FROM reminder WHERE is_visible ORDER BY id")
        }
    }

    /// Lives through a time as the service does, from one moment that it names to the next.
    ///
    /// - Returns: what was said, as `2026-11-21T06:00:00Z Mila: Morning`.
    func live(until end: String) async throws -> [String] {
        let end = try Self.time(end)
        var said: [String] = []
        while hub.clock.now() < end {
            let before = Set(try await self.said().map(\.1))
            let next = try await ReminderNotifier(context: app.reminderContext).look()
            let now = Self.text(hub.clock.now())
            said += try await self.said().filter { !before.contains($0.1) }.map { "\(now) \($0.0)" }.sorted()
            test.advance(milliseconds: min(next ?? end, end) - hub.clock.now())
        }
        return said
    }
}

/// A companion whose reminders can wait, and say what they find.
final class Pots: Companion {
    static let slug = "pots"
    static let title = "Pots"
    static let migrations: [Migration] = []
    static let reminderKinds = [
        ReminderKind(name: "water", title: "Water", minute: 9 * 60, canWait: true),
        ReminderKind(name: "repot", title: "Repot", minute: 10 * 60, canWait: true),
        ReminderKind(name: "battery", title: "Battery", minute: 18 * 60, canWait: true, repeatDays: 3),
    ]

    /// What there is to say, by the name of the reminder.
    let news = Mutex<[String: String]>([:])

    init(hub: HubContext) async throws {}

    func addRoutes(to routes: Routes) {}

    func reminderText(_ due: DueReminder) async throws -> ReminderText? {
        let title = Self.reminderKinds.first { $0.name == due.name }?.title.english ?? due.name
        return news.withLock { $0[due.name] }.map {
            ReminderText(title: title, body: $0, path: "/pots", about: due.name == "battery" ? $0 : nil)
        }
    }
}

/// A companion that reminds in the morning and in the evening, and keeps silent where something is done.
final class Bells: Companion {
    static let slug = "bells"
    static let title = "Bells"
    static let migrations: [Migration] = []
    static let reminderKinds = [
        ReminderKind(name: "morning", title: "Morning", minute: 7 * 60),
        ReminderKind(name: "evening", title: "Evening", minute: 19 * 60 + 30),
    ]

    struct Muddle: Error {}

    /// What is done, as `morning Mila`.
    let done = Mutex<Set<String>>([])
    let isMuddled = Mutex(false)

    init(hub: HubContext) async throws {}

    func addRoutes(to routes: Routes) {}

    func reminderText(_ due: DueReminder) async throws -> ReminderText? {
        if isMuddled.withLock({ $0 }) { throw Muddle() }
        let isDone = done.withLock { $0.contains("\(due.name) \(due.person.name)") }
        guard due.needsText || !due.isSilencedByDone || !isDone else { return nil }
        let title = Self.reminderKinds.first { $0.name == due.name }?.title.english ?? due.name
        return ReminderText(
            title: "\(due.person.name): \(title)", body: due.language == .english ? "It is time." : "Es ist Zeit.",
            path: "/bells?person=\(due.person.id)")
    }

    func isSilenced(_ due: DueReminder) async throws -> Bool {
        // What is done is done today: the next day it is asked again.
        done.withLock { $0.contains("\(due.name) \(due.person.name) \(CivilDate(day: due.day))") }
            && due.isSilencedByDone
    }
}
