import GRDB
import HubKit
import Storage

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
            let subject = try Subject.decided(id, by: member, hub, now: now, db)
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
