import Foundation
import HubInstruments
import Storage

@testable import BrushingHub
@testable import HubKit
@testable import HubServer
@testable import PlantsHub
@testable import Reminders

/// Fourteen days of a family by a clock that a test moves: what they do, what their sensors measure, and what the hub
/// reminds them of.
final class Fortnight {
    /// Monday, 2 November 2026.
    static let firstDay = CivilDate(year: 2026, month: 11, dayOfMonth: 2)?.day ?? 0
    static let days: Int32 = 14

    private let test: TestHub
    private let app: HubApplication
    private let client: HTTPTestClient
    private let calendar: LocalCalendar
    private let people: [PersonRecord]
    private let token: String
    private var plants: [String: (id: String, sensor: String)] = [:]
    /// What is still to happen, the earliest first.
    private var ahead: [(at: Int64, work: () async throws -> Void)] = []
    private var moisture = ["Fern": 41.0, "Basil": 52.0]

    struct NoHouse: Error {}

    init() async throws {
        guard let zone = TimeZone(identifier: "Europe/Vienna") else { throw NoHouse() }
        calendar = LocalCalendar(timeZone: zone)
        let companions: [any Companion.Type] = [Plants.self, Brushing.self]
        test = try TestHub(
            now: calendar.instant(day: Self.firstDay, minute: 5 * 60), migrations: companions.flatMap { $0.migrations }
        ) { $0.accountLimits.unusedSignInDays = 36_500 }
        let household = HouseholdRecord(id: "linden", name: "Linden", timeZone: zone.identifier, createdAt: 1)
        people = ["Ines", "Tom", "Mila", "Theo"].enumerated().map { index, name in
            PersonRecord(
                id: name.lowercased(), household: household.id, name: name, role: index < 2 ? .adult : .child,
                email: index < 2 ? "\(name.lowercased())@example.org" : nil, createdAt: Int64(index + 1))
        }
        try await test.hub.database.pool.write { [people] db in
            try household.insert(db)
            for person in people { try person.insert(db) }
        }
        app = try await HubApplication(services: test.services, companions: companions)
        client = try await HTTPTestClient(test, app: app)
        token = try await client.token(people[0])
    }

    // MARK: What they want

    private func put(_ path: String, _ body: String) async throws {
        let answer = try await client.send(.put, "/api/\(path)", body, token: token)
        guard answer.status == 200 else { throw NoHouse() }
    }

    private func settle() async throws {
        // Mila is asked in the morning and in the evening, and so is Theo, who is in bed at half past seven.
        for child in ["mila", "theo"] {
            try await put("reminders/brushing/morning/\(child)", #"{"isOn":true}"#)
            try await put("reminders/brushing/evening/\(child)", #"{"isOn":true}"#)
        }
        try await put("reminders/theo/rules", #"{"isQuiet":true,"quietFrom":1140,"quietUntil":390}"#)
        // Ines wants one notice a day of the plants, and none at night.
        for kind in ["water", "silent", "battery"] {
            try await put("reminders/plants/\(kind)/ines", #"{"isOn":true}"#)
        }
        try await put("reminders/ines/rules", #"{"isQuiet":true,"quietFrom":1260,"quietUntil":420,"noticesPerDay":1}"#)
        // Tom wants each as it comes, and has chosen a time within his quiet hours.
        try await put("reminders/plants/water/tom", #"{"isOn":true,"minute":1350}"#)
        try await put("reminders/plants/battery/tom", #"{"isOn":true}"#)
        try await put("reminders/tom/rules", #"{"isQuiet":true,"quietFrom":1320,"quietUntil":480,"noticesPerDay":0}"#)
    }

    // MARK: What happens

    private func plan() async throws {
        guard let garden = app.companions.lazy.compactMap({ $0 as? Plants }).first else { throw NoHouse() }
        for name in ["Fern", "Basil"] {
            let sensor = try await test.services.devices.add(
                kind: Plants.sensorKind, name: "Soil of \(name)", household: "linden"
            ).device
            let plant = try await garden.add(
                PlantInput(
                    name: name, place: "", art: nil, limits: .init(low: 30, high: 75), sensors: [sensor.id]),
                household: "linden")
            plants[name] = (plant.id, sensor.id)
        }
        let end = calendar.instant(day: Self.firstDay + Self.days, minute: 0)
        // A reading an hour: the fern dries by three percent a day, the basil by two, and its sensor stops on the ninth day.
        for at in stride(from: test.hub.clock.now(), to: end, by: 3_600_000) {
            ahead.append((at, { try await self.measure(at) }))
        }
        for (name, day) in [("Fern", Int32(5)), ("Fern", 11)] {
            ahead.append(
                (calendar.instant(day: Self.firstDay + day, minute: 17 * 60 + 40), { self.moisture[name] = 66 }))
        }
        for (child, habits, seed) in [
            ("mila", SimulatedBrusher.Habits.diligent, UInt64(7)), ("theo", SimulatedBrusher.Habits.learning, 11),
        ] {
            let brusher = SimulatedBrusher(
                person: child, habits: habits, routine: RoutinePreset.two.routine, calendar: calendar, seed: seed)
            let deliveries = try brusher.deliveries(
                days: Self.firstDay...(Self.firstDay + Self.days - 1), frozen: [], now: end)
            for delivery in deliveries {
                let bytes = delivery.session.encoded()
                ahead.append((delivery.at, { try await self.deliver(bytes) }))
            }
        }
        ahead.sort { $0.at < $1.at }
    }

    private func deliver(_ bytes: [UInt8]) async throws {
        _ = try await client.send(.post, "/api/brushing/sessions", bytes: bytes, token: token)
    }

    private func measure(_ at: Int64) async throws {
        let day = calendar.moment(of: at).day - Self.firstDay
        for (name, plant) in plants.sorted(by: { $0.key < $1.key }) {
            guard name == "Fern" || day < 9 else { continue }
            moisture[name, default: 0] -= name == "Fern" ? 0.125 : 0.083
            try await store(moisture[name] ?? 0, "moisture", of: plant.sensor, at: at)
            // The fern's battery is low from the fourth day on.
            try await store(name == "Fern" && day >= 4 ? 11 : 80, "battery", of: plant.sensor, at: at)
        }
    }

    private func store(_ value: Double, _ quantity: String, of device: String, at: Int64) async throws {
        try await test.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            let id: Int64
            if let known = try db.series(device: device, quantity: quantity) {
                id = known.id
            } else {
                id = (try db.series().map(\.id).max() ?? 0) + 1
                try writer.add(
                    SeriesRecord(id: id, household: "linden", device: device, quantity: quantity, unit: "%"))
            }
            try writer.insert([Reading(series: id, at: at, value: value)])
            try writer.finish()
        }
    }

    // MARK: Fourteen days

    /// Lives through them.
    ///
    /// - Returns: what became of every reminder, the earliest first.
    func live() async throws -> [ReminderEventRecord] {
        try await settle()
        try await plan()
        let end = calendar.instant(day: Self.firstDay + Self.days, minute: 0)
        var things = ahead[...]
        var soonest: Int64 = 0
        while test.hub.clock.now() < end {
            while let next = things.first, next.at <= test.hub.clock.now() {
                things.removeFirst()
                try await next.work()
            }
            let now = test.hub.clock.now()
            if now >= soonest { soonest = try await ReminderNotifier(context: app.reminderContext).look() ?? end }
            test.advance(milliseconds: max(1, min(soonest, things.first?.at ?? end, end) - now))
        }
        return try await test.hub.database.pool.read { db in
            try ReminderEventRecord.fetchAll(db, sql: "SELECT * FROM reminder_event ORDER BY at, id")
        }
    }

    /// The same as a table for people.
    func table(_ events: [ReminderEventRecord]) -> String {
        var lines = ["| day | time | who | of what | what became of it |", "|---|---|---|---|---|"]
        var lastDay: Int32?
        for event in events {
            let moment = calendar.moment(of: event.at)
            let date = CivilDate(day: moment.day)
            let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][date.weekday - 1]
            let day = moment.day == lastDay ? "" : "\(weekday) \(date.dayOfMonth)"
            lastDay = moment.day
            let minute = moment.minute % 60
            let name = people.first { $0.id == event.person }?.name ?? event.person
            lines.append(
                "| \(day) | \(moment.minute / 60):\(minute < 10 ? "0" : "")\(minute) | \(name) | \(event.companion), \(event.name) | \(words(event)) |"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func words(_ event: ReminderEventRecord) -> String {
        let said = [event.title, event.body].compactMap { $0 }.joined(separator: ": ")
        return switch event.outcome {
        case .said: "**\(said)**"
        case .again: "**again: \(said)**"
        case .quiet: "on open pages only: \(said)"
        case .together: "said along with the one above or below"
        case .nothing: "silent: nothing to do"
        case .known: "silent: said some days ago, and nothing has changed"
        case .enough: "silent: the day had had its notice"
        case .late: "silent: too late"
        }
    }
}
