import GRDB

extension APIRequest {
    /// Answers with what is calculated from what is stored: reads it, lets go of the database, and calculates, on a thread
    /// of ``Calculations`` and when it is the caller's turn.
    ///
    /// - Throws: a 429 problem where too much waits; what `read` and `response` throw.
    public func calculated<Source, Form: ResponseForm>(
        from read: @escaping @Sendable (Database) throws -> Source,
        _ response: @escaping @Sendable (Source) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let hub = hub
        return try await hub.calculations.run(for: try member.person.id) {
            try response(try hub.database.pool.read(read))
        }
    }
}
