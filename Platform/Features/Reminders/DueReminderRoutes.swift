import Foundation
import GRDB
import HubKit
import Storage

/// The routes to snooze or dismiss a due reminder.
struct DueReminderRoutes: Sendable {
    func add(to routes: Routes) {
        routes.post(
            "/api/reminders/{id}/snooze", .member,
            "Puts off what is due by 5, 10, 20, 30 or 60 minutes; as the household has decided where nothing is said. Takes an Idempotency-Key.",
            takes: SnoozeBody.self
        ) { request, body in
            let asked = try body.minutes.map {
                try Reminders.checked(snooze: $0, field: "minutes")
            }
            let hub = request.hub
            let id = try request.path("id")
            let member = try request.member
            let now = hub.clock.now()
            return try await request.idempotently { db in
                var (record, calendar) = try Self.record(id, member, hub, db)
                try Self.checkSnooze(record, now: now)
                let minutes = try asked ?? hub.reminders.snoozeMinutes(household: member.household, db)
                let until = now + Int64(minutes) * 60_000
                try PushWithdrawal.withdraw(topic: record.id, about: record.person, db)
                record.snooze(until: until, calendar: calendar)
                try record.update(db)
                hub.reminders.publish(record, after: db)
                return try .json(SnoozeResponse(id: id, snoozedUntil: until)).naming(record.person)
            }
        }
        routes.post("/api/reminders/{id}/dismiss", .member, "Takes what is due from all pages.") { request in
            let hub = request.hub
            let id = try request.path("id")
            let member = try request.member
            try await hub.database.pool.write { db in
                var (record, _) = try Self.record(id, member, hub, db)
                let until = record.snoozedUntil
                try record.settle(db)
                // Who has tried it keeps what was put off before.
                if record.isTrial { record.snoozedUntil = until }
                try record.update(db)
                hub.reminders.publish(record, after: db)
            }
            return .nothing
        }
    }

    /// The reminder, which the caller may answer, and the calendar of its person.
    private static func record(_ id: String, _ member: Member, _ hub: HubContext, _ db: Database) throws -> (
        ReminderRecord, LocalCalendar
    ) {
        guard let record = try ReminderRecord.fetchOne(db, key: id),
            let person = try PersonRecord.fetchOne(db, key: record.person), person.household == member.household,
            let household = try HouseholdRecord.fetchOne(db, key: member.household)
        else { throw Problem.notFound("There is no reminder here. It may have been removed.") }
        guard hub.policy.allowsAnswer(record, member, of: person, now: hub.clock.now()) else {
            throw Problem(
                .forbidden, "For grown-ups", "\(person.name) or an adult of the household can answer this reminder.")
        }
        return (record, LocalCalendar(timeZone: person.zone(household)))
    }

    /// Checks that a reminder can be snoozed.
    ///
    /// - Throws: a 409 problem if it cannot, such as from a notification of the evening before.
    private static func checkSnooze(_ record: ReminderRecord, now: Int64) throws {
        guard let fired = record.firedAt else {
            throw Problem(.conflict, "Nothing to put off", "This reminder has not come yet.")
        }
        guard record.isOn else {
            throw Problem(.conflict, "Nothing to put off", "This reminder has been switched off.")
        }
        guard now - fired <= Reminders.missedMilliseconds else {
            throw Problem(
                .conflict, "Nothing to put off", "This reminder came some hours ago. It comes again when it is time.")
        }
    }
}

private struct SnoozeBody: Decodable { var minutes: Int? }

private struct SnoozeResponse: Codable {
    var id: String
    var snoozedUntil: Int64
}
