import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// What each person is reminded of, and what is due.
struct ReminderRoutes: Sendable {
    let app: HubApp
    private var services: HubServices { app.services }

    func add(to routes: Routes) {
        let app = app
        routes.get(
            "/api/reminders", .member,
            "What can be reminded of daily, for each person whom the caller may decide for, and what is due now."
        ) { request in
            let member = try request.member
            let overview = try await ReminderOverview(app: app, member: member, in: request.language)
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
            "/api/reminders/{id}/{name}/{person}", .member,
            """
            Switches a daily reminder on or off, or gives it a local time (a minute of the day) and days of the week \
            (Monday is 1), or has it come even where what it reminds of is done already. What is left out stays. The `id` \
            is the companion’s slug.
            """,
            takes: ReminderBody.self
        ) { request, body in
            let place = try await ReminderPlace(request, app: app)
            let record = try await place.set(body)
            return try .json(place.response(record))
        }
        routes.post(
            "/api/reminders/{id}/{name}/{person}/try", .member,
            "Sends a daily reminder of the companion `id` now, even where what it reminds of is done already."
        ) { request in
            let place = try await ReminderPlace(request, app: app)
            try services.push.takeTrial(account: request.member.person.id)
            let record = try await place.set(ReminderBody())
            let said = try await ReminderNotifier(app: app).say(record, to: place.person, calendar: place.calendar)
            return try .json(DueResponse(said, in: request.language))
        }
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
                return (try .json(SnoozeResponse(id: id, snoozedUntil: until)).naming(record.person), record)
            } then: { record in
                hub.reminders.tell([record])
                hub.reminders.changes.continuation.yield()
            }
        }
        routes.post("/api/reminders/{id}/dismiss", .member, "Takes what is due from all pages.") { request in
            let hub = request.hub
            let id = try request.path("id")
            let member = try request.member
            let record = try await hub.database.pool.write { db in
                var (record, _) = try Self.record(id, member, hub, db)
                let until = record.snoozedUntil
                try record.settle(db)
                // Who has tried it keeps what was put off before.
                if record.isTrial { record.snoozedUntil = until }
                try record.update(db)
                return record
            }
            hub.reminders.tell([record])
            hub.reminders.changes.continuation.yield()
            return .nothing
        }
    }

    /// A reminder that the caller may answer, and the calendar of its person.
    private static func record(_ id: String, _ member: Member, _ hub: Hub, _ db: Database) throws -> (
        ReminderRecord, LocalCalendar
    ) {
        guard let record = try ReminderRecord.fetchOne(db, key: id),
            let person = try PersonRecord.fetchOne(db, key: record.person), person.household == member.household,
            let household = try HouseholdRecord.fetchOne(db, key: member.household)
        else { throw Problem.notFound("reminder") }
        guard hub.policy.allowsAnswer(record, member, of: person, now: hub.clock.now()) else {
            throw Problem(
                .forbidden, "For grown-ups", "\(person.name) or an adult of the household can answer this reminder.")
        }
        return (record, LocalCalendar(timeZone: person.zone(household)))
    }

    /// - Throws: a 409 problem where nothing is there to be put off, such as from a notification of last evening.
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

/// A daily reminder of one person, as a path names it.
private struct ReminderPlace: Sendable {
    let hub: Hub
    let companion: String
    let kind: ReminderKind
    let person: PersonRecord
    let calendar: LocalCalendar

    init(_ request: APIRequest, app: HubApp) async throws {
        hub = request.hub
        // The router wants one name for what stands at one place.
        companion = try request.path("id")
        let member = try request.member
        guard let kind = app.reminderKind(companion, try request.path("name")) else {
            throw Problem.notFound("reminder")
        }
        let id = try request.path("person")
        let found = try await hub.database.pool.read { db in
            (try PersonRecord.fetchOne(db, key: id), try HouseholdRecord.fetchOne(db, key: member.household))
        }
        guard let person = found.0, let household = found.1, person.household == household.id else {
            throw Problem.notFound("person")
        }
        try Self.check(member, person, hub)
        self.kind = kind
        self.person = person
        calendar = LocalCalendar(timeZone: person.zone(household))
    }

    static func check(_ member: Member, _ person: PersonRecord, _ hub: Hub) throws {
        try hub.policy.checkSettings(
            member, of: person, now: hub.clock.now(),
            words: "You decide about your own reminders; an adult decides for everybody.")
    }

    /// Makes the reminder where there is none yet.
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
            record, companion: companion, kind: kind, person: person.id, calendar: calendar, now: hub.clock.now())
    }
}

/// All reminders that a member may see.
private struct ReminderOverview {
    let response: RemindersResponse

    init(app: HubApp, member: Member, in language: Language) async throws {
        let (hub, services) = (app.hub, app.services)
        let now = hub.clock.now()
        let unused = try await services.accounts.unusedCompanions(household: member.household)
        let everybody = try await services.accounts.people(household: member.household)
        let people = everybody.filter { hub.policy.allowsSettings(member, of: $0, now: now) }
        let byPerson = Dictionary(uniqueKeysWithValues: everybody.map { ($0.id, $0) })
        let (household, records, snooze) = try await hub.database.pool.read { db in
            (
                try HouseholdRecord.fetchOne(db, key: member.household),
                try ReminderRecord.fetchAll(
                    db, sql: "SELECT * FROM reminder WHERE household = ? ORDER BY fired_at, id",
                    arguments: [member.household]),
                try hub.reminders.snoozeMinutes(household: member.household, db)
            )
        }
        guard let household else { throw Problem.signInFirst }
        let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
        let used = app.companions.filter { !unused.contains(type(of: $0).slug) }
        var reminders: [ReminderResponse] = []
        for companion in used {
            let slug = type(of: companion).slug
            for person in people {
                let calendar = LocalCalendar(timeZone: person.zone(household))
                for kind in type(of: companion).reminderKinds {
                    let record = byID[Reminders.id(companion: slug, name: kind.name, person: person.id)]
                    var response = ReminderResponse(
                        record, companion: slug, kind: kind, person: person.id, calendar: calendar, now: now)
                    if let record {
                        response.next = try await companion.nextSpoken(record, kind, response.next, person, calendar)
                    }
                    reminders.append(response)
                }
            }
        }
        let due = records.compactMap { record -> DueResponse? in
            guard record.isVisible, let person = byPerson[record.person],
                hub.policy.allowsAnswer(record, member, of: person, now: now),
                ReminderState(record, LocalCalendar(timeZone: person.zone(household)), now: now).record.isVisible
            else { return nil }
            var response = DueResponse(record, in: language)
            // That it is time is for everybody to see; how somebody does, such as days in a row, is their own.
            if !hub.policy.allowsReading(member, of: person, now: now) { response.body = "" }
            return response
        }
        response = RemindersResponse(reminders: reminders, due: due, snoozeMinutes: snooze)
    }
}

extension Companion {
    /// When a daily reminder next says something: not at a time that is silenced already, by what is done or a day off.
    fileprivate func nextSpoken(
        _ record: ReminderRecord, _ kind: ReminderKind, _ next: Int64?, _ person: PersonRecord,
        _ calendar: LocalCalendar
    ) async throws -> Int64? {
        let schedule = ReminderSchedule(record, calendar)
        var candidate = next
        // A holiday of two weeks is looked beyond; after a longer one the calendar of days off has the say.
        for _ in 0..<16 {
            guard let at = candidate else { return nil }
            let day = calendar.moment(of: at).day
            let due = DueReminder(
                id: record.id, name: record.name, person: person, at: at, day: day, minute: record.minute,
                isSilencedByDone: record.silencedByDone ?? kind.isSilencedByDone)
            guard try await isSilenced(due) else { return at }
            candidate = schedule.next(after: at, last: day)?.at
        }
        return candidate
    }
}

extension Policy {
    /// Whether `member` may see a reminder that is due for `person`, and put it off or take it away: what comes daily,
    /// whoever may do it with them; what comes once, such as for an appointment, whoever may see what is their own.
    fileprivate func allowsAnswer(_ record: ReminderRecord, _ member: Member, of person: PersonRecord, now: Int64)
        -> Bool
    {
        record.day == nil && allowsSession(member, of: person) || allowsReading(member, of: person, now: now)
    }
}

private struct ReminderBody: Decodable {
    var minute: Int32?
    var isOn: Bool?
    var weekdays: [Int]?
    var silencedByDone: Bool?
}

private struct ChoiceBody: Decodable { var snoozeMinutes: Int }

private struct SnoozeBody: Decodable { var minutes: Int? }

private struct SnoozeResponse: Codable {
    var id: String
    var snoozedUntil: Int64
}

private struct RemindersResponse: Codable {
    var reminders: [ReminderResponse]
    var due: [DueResponse]
    var snoozeMinutes: Int
}

private struct ReminderResponse: Codable {
    var id, companion, name, title, person: String
    var minute: Int32
    var weekdays: [Int]
    var isOn: Bool
    var next, snoozedUntil: Int64?
    var silencedByDone: Bool

    /// - Parameter record: nil where nobody has decided about it yet.
    init(
        _ record: ReminderRecord?, companion: String, kind: ReminderKind, person: String, calendar: LocalCalendar,
        now: Int64
    ) {
        let state = record.map { ReminderState($0, calendar, now: now) }
        id = Reminders.id(companion: companion, name: kind.name, person: person)
        self.companion = companion
        name = kind.name
        title = kind.title
        self.person = person
        minute = record?.minute ?? kind.minute
        weekdays = (1...7).filter { (record?.weekdays ?? ReminderSchedule.everyDay) & 1 << ($0 - 1) != 0 }
        isOn = record?.isOn ?? false
        next = state?.nextOccurrence
        snoozedUntil = state?.record.snoozedUntil
        silencedByDone = record?.silencedByDone ?? kind.isSilencedByDone
    }
}

private struct DueResponse: Codable {
    var id, person, title, body, path: String
    var at, firedAt: Int64

    init(_ record: ReminderRecord, in language: Language) {
        let words = record.words(in: language)
        id = record.id
        person = record.person
        title = words.title
        body = words.body
        path = record.path ?? "/"
        at = record.saidOf
        firedAt = record.firedAt ?? 0
    }
}
