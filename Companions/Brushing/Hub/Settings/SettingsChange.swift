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
        let hub = hub
        return try await visit.change(Self.self, isNew: isNew) { subject, db in
            try effect(subject, db)
            let situation = try PersonSituation(subject, db)
            return (
                DeskPerson(situation, for: member, hub: hub), situation.isFrozen ? subject.person.id : nil
            )
        } then: { frozen in
            // Who need not brush today is not to be asked any more.
            if let frozen { await hub.reminders.settled(companion: Self.slug, person: frozen) }
        }
    }
}
