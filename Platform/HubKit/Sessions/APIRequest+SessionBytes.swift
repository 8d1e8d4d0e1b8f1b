import NIOCore

extension APIRequest {
    /// The body of a request that delivers a recorded session.
    ///
    /// - Parameters:
    ///   - most: the size of the largest session, in bytes.
    ///   - events: the number of events that such a session has, for the error message.
    /// - Throws: a 413 problem for a larger body.
    public func sessionBytes(upTo most: Int, events: Int) async throws -> [UInt8] {
        Array(
            buffer: try await bytes(
                upTo: most,
                otherwise: Problem(
                    .contentTooLarge, "Too large",
                    "This is more than \(most) bytes, and no session of at most \(events) events is. Nothing was stored.",
                    field: "events")))
    }
}
