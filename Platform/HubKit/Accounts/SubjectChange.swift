import GRDB
import Storage

extension APIRequest {
    /// Changes the settings of a companion for the person in the path, once for each Idempotency-Key, and notifies open
    /// pages.
    ///
    /// - Parameters:
    ///   - type: the companion.
    ///   - effect: a function that runs in a write transaction and makes all checks that decide about the response.
    /// - Throws: a 404 problem if the household has nobody with that id, a 403 problem if the caller may not.
    public func change<Form: ResponseForm>(
        _ type: (some Companion).Type,
        _ effect: @escaping @Sendable (Subject, Database) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let member = try member
        let id = try path("person")
        let hub = hub
        let now = hub.clock.now()
        return try await idempotently { db in
            let subject = try Subject.decided(id, by: member, hub, now: now, db)
            let response = try effect(subject, db).naming(id)
            hub.live.publish(changed: "settings", id: id, of: type, household: member.household, after: db)
            return response
        }
    }
}
