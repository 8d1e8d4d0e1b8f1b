import GRDB
import Storage

extension APIRequest {
    /// Changes how a companion serves the person in the path, once for each Idempotency-Key. Open pages are notified.
    ///
    /// - Parameters:
    ///   - type: the companion.
    ///   - effect: everything that decides about the answer, in the transaction of the change; returns the answer, and what
    ///     `follow` is to know of it.
    ///   - follow: runs after the effect was committed, not where the answer is given again.
    /// - Throws: a 404 problem for somebody unknown, a 403 problem for whoever may not decide about them.
    public func change<Form: ResponseForm, Result: Sendable>(
        _ type: (some Companion).Type,
        _ effect: @escaping @Sendable (Subject, Database) throws -> (answer: APIResponse<Form>, result: Result),
        then follow: (Result) async -> Void
    ) async throws -> APIResponse<Form> {
        let member = try member
        let id = try path("person")
        let hub = hub
        let now = hub.clock.now()
        return try await idempotently { db in
            let subject = try Subject.decided(id, by: member, hub, now: now, db)
            let (answer, result) = try effect(subject, db)
            return (answer.naming(id), result)
        } then: { result in
            hub.live.tell(.changed(companion: type.slug, what: "settings", id: id), household: member.household)
            await follow(result)
        }
    }
}
