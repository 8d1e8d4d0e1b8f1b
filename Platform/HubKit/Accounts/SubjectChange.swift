import GRDB
import Storage

extension APIRequest {
    /// Changes the settings of a companion for the person in the path, once for each Idempotency-Key, and notifies open
    /// pages.
    ///
    /// - Parameters:
    ///   - type: the companion.
    ///   - effect: a function that runs in a write transaction and makes all checks that decide about the response. It
    ///     returns the response, and a value for `follow`.
    ///   - follow: a function that runs after the commit, and not when a stored response is repeated.
    /// - Throws: a 404 problem if the household has nobody with that id, a 403 problem if the caller may not.
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
