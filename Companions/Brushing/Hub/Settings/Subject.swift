import Foundation
import GRDB
import HubKit
import Storage

/// Whom a request is about, and what their clock shows.
struct Subject: Sendable {
    let person: PersonRecord
    let household: HouseholdRecord
    let calendar: LocalCalendar
    /// UTC milliseconds.
    let now: Int64
    /// By the person's clock: days since 1 January 1970, and minutes of that day.
    let today, minute: Int32

    init(_ person: PersonRecord, of household: HouseholdRecord, now: Int64) {
        self.person = person
        self.household = household
        self.now = now
        calendar = LocalCalendar(timeZone: person.zone(household))
        (today, minute) = calendar.moment(of: now)
    }

    /// - Throws: a 404 problem for somebody who is not of the household.
    static func find(_ id: String, household: String, now: Int64, _ db: Database) throws -> Subject {
        guard let person = try PersonRecord.fetchOne(db, key: id), person.household == household,
            let home = try HouseholdRecord.fetchOne(db, key: household)
        else { throw Problem.notFound("person") }
        return Subject(person, of: home, now: now)
    }

    /// Whether a moment by the person's clock lies ahead.
    func isAhead(day: Int32, minute: Int32) -> Bool { (day, minute) > (today, self.minute) }
}

extension Brushing {
    /// Changes something about the person in the path, once for each Idempotency-Key, and answers with that person as
    /// the desk has them.
    ///
    /// - Parameters:
    ///   - isNew: whether something comes to be, 201.
    ///   - effect: everything that decides about the answer, in the transaction of the change.
    /// - Throws: a 404 problem for somebody unknown, a 403 problem for whoever may not decide about them.
    func change(
        _ visit: Visit, isNew: Bool = false,
        _ effect: @escaping @Sendable (Subject, Database) throws -> Void
    ) async throws -> Reply {
        let member = try visit.member
        let id = try visit.path("person")
        let hub = hub
        let now = hub.clock.now()
        return try await visit.once { db in
            let subject = try Subject.find(id, household: member.household, now: now, db)
            guard hub.policy.allowsSettings(member, of: subject.person) else {
                let others = subject.person.role == .child ? " So can \(subject.person.name)." : ""
                throw Problem(.forbidden, "For grown-ups", "An adult of the household can do this.\(others)")
            }
            try effect(subject, db)
            let situation = try PersonSituation(subject, db)
            let reply = DeskPerson(situation, for: member, hub: hub)
            return ((isNew ? try Reply.created(reply) : try .json(reply)).naming(id), situation.isFrozen)
        } then: { isFrozen in
            hub.live.tell(.changed(companion: Self.slug, what: "settings", id: id), household: member.household)
            // Who need not brush today is not to be asked any more.
            if isFrozen { await hub.reminders.settled(companion: Self.slug, person: id) }
        }
    }
}
