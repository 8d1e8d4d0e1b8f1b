import Synchronization

/// The way to hosts beyond the house that a companion declares. Every call goes through the hub's one policy, over TLS
/// that is verified, and is counted for the owner.
public final class OutboundGate: Sendable {
    private let way = Mutex<(@Sendable (OutboundCall) async throws -> OutboundAnswer)?>(nil)

    /// Calls go this way from now on.
    package func open(_ way: @escaping @Sendable (OutboundCall) async throws -> OutboundAnswer) {
        self.way.withLock { $0 = way }
    }

    /// Sends a request to a host that is declared for its purpose, and waits for the answer's head and as much of its
    /// body as the declaration reads. Redirects are answers like others.
    ///
    /// - Throws: `OutboundError`, or `CancellationError`.
    public func send(_ call: OutboundCall) async throws -> OutboundAnswer {
        guard let way = way.withLock({ $0 }) else {
            throw OutboundError.refused("a command calls nobody beyond the house")
        }
        return try await way(call)
    }
}
