import GRDB
import HubKit
import Storage

extension Brushing {
    /// Changes something about the person in the path, once for each Idempotency-Key, and answers with that person as
    /// the desk has them.
    ///
    /// - Parameter effect: everything that decides about the answer, in the transaction of the change.
    /// - Throws: a 404 problem for somebody unknown, a 403 problem for whoever may not decide about them.
    func change(_ visit: Visit, _ effect: @escaping @Sendable (Subject, Database) throws -> Void) async throws
        -> Reply<JSON<DeskPerson>>
    { try await change(visit, answer: { try .json($0) }, effect) }

    /// As `change`, where something comes to be.
    func create(_ visit: Visit, _ effect: @escaping @Sendable (Subject, Database) throws -> Void) async throws
        -> Reply<Created<DeskPerson>>
    { try await change(visit, answer: { try .created($0) }, effect) }

    private func change<Form: ReplyForm>(
        _ visit: Visit, answer: @escaping @Sendable (DeskPerson) throws -> Reply<Form>,
        _ effect: @escaping @Sendable (Subject, Database) throws -> Void
    ) async throws -> Reply<Form> {
        let member = try visit.member
        let hub = hub
        return try await visit.change(Self.self) { subject, db in
            try effect(subject, db)
            let situation = try PersonSituation(subject, db)
            return (
                try answer(DeskPerson(situation, for: member, hub: hub)), situation.isFrozen ? subject.person.id : nil
            )
        } then: { frozen in
            // Who need not brush today is not to be asked any more.
            if let frozen { await hub.reminders.settled(companion: Self.slug, person: frozen) }
        }
    }
}
