import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// An overview of all reminders that a member may see.
struct ReminderOverview {
    let response: RemindersResponse

    init(context: ReminderContext, member: Member, in localized: Localizer) async throws {
        let hub = context.hub
        let now = hub.clock.now()
        let (everybody, unused) = try await hub.database.pool.read { db in
            (
                try PersonRecord.all(of: member.household, db),
                try HouseholdRecord.unusedCompanions(of: member.household, db)
            )
        }
        let people = everybody.filter { hub.policy.allowsSettings(member, of: $0, now: now) }
        let byPerson = Dictionary(uniqueKeysWithValues: everybody.map { ($0.id, $0) })
        let (household, records, snooze, rules) = try await hub.database.pool.read { db in
            (
                try HouseholdRecord.fetchOne(db, key: member.household),
                try ReminderRecord.fetchAll(
                    db, cached: "SELECT * FROM reminder WHERE household = ? ORDER BY fired_at, id",
                    arguments: [member.household]),
                try hub.reminders.snoozeMinutes(household: member.household, db),
                try people.map { try ReminderRules.of($0.id, db) }
            )
        }
        guard let household else { throw Problem.signInFirst }
        let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
        let used = context.companions.filter { !unused.contains(type(of: $0).slug) }
        let quiet = Dictionary(uniqueKeysWithValues: rules.map { ($0.person, QuietHours($0)) })
        var reminders: [ReminderResponse] = []
        for companion in used {
            let slug = type(of: companion).slug
            for person in people {
                let calendar = LocalCalendar(timeZone: person.zone(household))
                for kind in type(of: companion).reminderKinds {
                    let record = byID[Reminders.id(companion: slug, name: kind.name, person: person.id)]
                    var response = ReminderResponse(
                        record, companion: slug, kind: kind, person: person.id, quiet: quiet[person.id] ?? nil,
                        calendar: calendar, now: now, in: localized)
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
            var response = DueResponse(record, in: localized.language)
            // That it is time is for everybody to see; how somebody does, such as days in a row, is their own.
            if !hub.policy.allowsViewing(member, of: person, now: now) { response.body = "" }
            return response
        }
        response = RemindersResponse(
            reminders: reminders, due: due, snoozeMinutes: snooze,
            rules: zip(rules, people).map { rules, person in
                ReminderRulesResponse(rules, LocalCalendar(timeZone: person.zone(household)), now: now)
            })
    }
}

extension Companion {
    /// The next time at which a daily reminder says something, without times that are silenced already by a finished
    /// task or a day off.
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
    /// Whether `member` may see a due reminder of `person` and answer it: a daily one, if they may do the task
    /// together; a single one, such as for an appointment, if they may see the person's data.
    func allowsAnswer(_ record: ReminderRecord, _ member: Member, of person: PersonRecord, now: Int64)
        -> Bool
    {
        record.day == nil && allowsSession(member, of: person) || allowsViewing(member, of: person, now: now)
    }
}
