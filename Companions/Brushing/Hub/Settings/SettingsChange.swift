import GRDB
import HubKit
import Storage

extension Brushing {
    /// Changes something about the person in the path, once for each Idempotency-Key, and answers with that person as
    /// the overview has them.
    ///
    /// - Parameter effect: everything that decides about the answer, in the transaction of the change.
    /// - Throws: a 404 problem for somebody unknown, a 403 problem for whoever may not decide about them.
    func change(_ request: APIRequest, _ effect: @escaping @Sendable (Subject, Database) throws -> Void) async throws
        -> APIResponse<JSON<OverviewPerson>>
    { try await change(request, answer: { try .json($0) }, effect) }

    /// Changes something as `change` does, and answers that something was created.
    func create(_ request: APIRequest, _ effect: @escaping @Sendable (Subject, Database) throws -> Void) async throws
        -> APIResponse<Created<OverviewPerson>>
    { try await change(request, answer: { try .created($0) }, effect) }

    private func change<Form: ResponseForm>(
        _ request: APIRequest, answer: @escaping @Sendable (OverviewPerson) throws -> APIResponse<Form>,
        _ effect: @escaping @Sendable (Subject, Database) throws -> Void
    ) async throws -> APIResponse<Form> {
        let member = try request.member
        let hub = hub
        return try await request.change(Self.self) { subject, db in
            try effect(subject, db)
            let situation = try PersonSituation(subject, db)
            // Who need not brush today is not to be asked any more.
            if situation.isFrozen {
                try hub.reminders.settle(companion: Self.slug, person: subject.person.id, db)
            }
            return try answer(OverviewPerson(situation, for: member, in: request.language, hub: hub))
        }
    }
}
