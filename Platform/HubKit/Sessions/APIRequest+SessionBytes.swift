import NIOCore

extension APIRequest {
    /// The bytes of a session that is delivered.
    ///
    /// - Parameters:
    ///   - most: bytes of any session there can be.
    ///   - events: that such a session has at most.
    /// - Throws: a 413 problem for more than any session has.
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
