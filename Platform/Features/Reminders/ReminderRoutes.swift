import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The routes of daily reminders.
struct ReminderRoutes: Sendable {
    let context: ReminderContext

    func add(to routes: Routes) {
        routes.get(
            "/api/reminders", .member,
            "What can be reminded of daily, for each person whom the caller may decide for, and what is due now."
        ) { request in
            let member = try request.member
            let overview = try await ReminderOverview(context: context, member: member, in: request.localized)
            return try .json(overview.response)
        }
        routes.put(
            "/api/reminders", .adult,
            "Says how long a reminder is put off where nobody says otherwise: 5, 10, 20, 30 or 60 minutes.",
            takes: ChoiceBody.self
        ) { request, body in
            let minutes = body.snoozeMinutes
            try await request.hub.reminders.setSnooze(minutes: minutes, household: request.member.household)
            return .nothing
        }
        routes.put(
            "/api/reminders/{id}/rules", .member,
            """
            Says when the person `id` wants to be left alone, in minutes of their local day, and how many notices a day at \
            most there are of what can wait: 1 to 5, or 0 to hear of each as it comes. What is left out stays.
            """,
            takes: RulesBody.self
        ) { request, body in
            let (person, calendar) = try await ReminderPlace.person(request.path("id"), request)
            let hub = request.hub
            let rules = try await hub.database.pool.write { db in
                hub.live.publish(.reminder(id: "rules", person: person.id), household: person.household, after: db)
                return try hub.reminders.setRules(
                    of: person.id, isQuiet: body.isQuiet, from: body.quietFrom, until: body.quietUntil,
                    noticesPerDay: body.noticesPerDay, db)
            }
            return try .json(ReminderRulesResponse(rules, calendar, now: hub.clock.now()))
        }
        routes.get(
            "/api/reminders/{id}/events", .member,
            "What became of the reminders of the person `id` in the last two weeks: what was said, and what was kept silent."
        ) { request in
            let (person, _) = try await ReminderPlace.person(request.path("id"), request)
            let hub = request.hub
            let since = hub.clock.now() - Reminders.eventMilliseconds
            let records = try await hub.database.pool.read { db in
                try ReminderEventRecord.fetchAll(
                    db,
                    cached:
                        "SELECT * FROM reminder_event WHERE person = ? AND at >= ? ORDER BY at DESC, id DESC LIMIT ?",
                    arguments: [person.id, since, Reminders.mostEvents])
            }
            let localized = request.localized
            return try .json(
                ReminderEventsResponse(
                    events: records.map { record in
                        let words = record.words(in: request.language)
                        let kind = context.reminderKind(record.companion, record.name)?.title
                        return ReminderEventsResponse.Event(
                            companion: record.companion, name: record.name,
                            title: words?.title ?? localized.string(kind ?? LocalizedText("a reminder")), at: record.at,
                            outcome: record.outcome, text: words?.body)
                    }))
        }
        routes.put(
            "/api/reminders/{id}/{name}/{person}", .member,
            """
            Switches a daily reminder on or off, or gives it a local time (a minute of the day) and days of the week \
            (Monday is 1), or has it come even where what it reminds of is done already. What is left out stays. The `id` \
            is the companion’s slug.
            """,
            takes: ReminderBody.self
        ) { request, body in
            let place = try await ReminderPlace(request, context: context)
            let record = try await place.set(body)
            return try .json(place.response(record))
        }
        routes.post(
            "/api/reminders/{id}/{name}/{person}/try", .member,
            "Sends a daily reminder of the companion `id` now, even where what it reminds of is done already."
        ) { request in
            let place = try await ReminderPlace(request, context: context)
            try context.push.takeTrial(account: request.member.person.id)
            let record = try await place.set(ReminderBody())
            let notifier = ReminderNotifier(context: context)
            let said = try await notifier.say(record, to: place.person, calendar: place.calendar)
            return try .json(DueResponse(said, in: request.language))
        }
    }
}

/// A daily reminder of one person, as the path names it.
private struct ReminderPlace: Sendable {
    let hub: HubContext
    let companion: String
    let kind: ReminderKind
    let person: PersonRecord
    let calendar: LocalCalendar
    private let quiet: QuietHours?
    private let localized: Localizer

    init(_ request: APIRequest, context: ReminderContext) async throws {
        hub = request.hub
        localized = request.localized
        // The router wants one name for what stands at one place.
        companion = try request.path("id")
        guard let kind = context.reminderKind(companion, try request.path("name")) else {
            throw Problem.notFound("There is no reminder here. It may have been removed.")
        }
        self.kind = kind
        (person, calendar) = try await Self.person(try request.path("person"), request)
        quiet = QuietHours(try await hub.database.pool.read { [id = person.id] db in try ReminderRules.of(id, db) })
    }

    /// The person in the path, for whom the caller may decide, with their calendar.
    static func person(_ id: String, _ request: APIRequest) async throws -> (PersonRecord, LocalCalendar) {
        let member = try request.member
        let found = try await request.hub.database.pool.read { db in
            (try PersonRecord.fetchOne(db, key: id), try HouseholdRecord.fetchOne(db, key: member.household))
        }
        guard let person = found.0, let household = found.1, person.household == household.id else {
            throw Problem.notFound("There is no person here. It may have been removed.")
        }
        try check(member, person, request.hub)
        return (person, LocalCalendar(timeZone: person.zone(household)))
    }

    static func check(_ member: Member, _ person: PersonRecord, _ hub: HubContext) throws {
        try hub.policy.checkSettings(
            member, of: person, now: hub.clock.now(),
            otherwise: Problem(
                .forbidden, "For grown-ups", "You decide about your own reminders; an adult decides for everybody."))
    }

    /// Sets the reminder, creating it if need be.
    func set(_ body: ReminderBody) async throws -> ReminderRecord {
        let id = Reminders.id(companion: companion, name: kind.name, person: person.id)
        return try await hub.database.pool.write { db in
            let minute = try body.minute ?? ReminderRecord.fetchOne(db, key: id)?.minute ?? kind.minute
            return try hub.reminders.setDaily(
                companion: companion, name: kind.name, person: person.id, isOn: body.isOn, minute: minute,
                weekdays: body.weekdays.map(Set.init), silencedByDone: body.silencedByDone, db)
        }
    }

    func response(_ record: ReminderRecord?) -> ReminderResponse {
        ReminderResponse(
            record, companion: companion, kind: kind, person: person.id, quiet: quiet, calendar: calendar,
            now: hub.clock.now(), in: localized)
    }
}

private struct ReminderBody: Decodable {
    var minute: Int32?
    var isOn: Bool?
    var weekdays: [Int]?
    var silencedByDone: Bool?
}

private struct RulesBody: Decodable {
    var isQuiet: Bool?
    var quietFrom: Int32?
    var quietUntil: Int32?
    var noticesPerDay: Int?
}

private struct ChoiceBody: Decodable { var snoozeMinutes: Int }
