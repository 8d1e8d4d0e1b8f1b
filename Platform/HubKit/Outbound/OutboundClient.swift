import Localization
import Synchronization

/// The client for the hosts on the internet that companions declare. Every call passes the hub's outbound policy, uses
/// verified TLS, and is counted for the owner.
public final class OutboundClient: Sendable {
    private let way = Mutex<(@Sendable (OutboundCall) async throws -> OutboundAnswer)?>(nil)

    /// Sends calls by a function from now on.
    package func open(_ way: @escaping @Sendable (OutboundCall) async throws -> OutboundAnswer) {
        self.way.withLock { $0 = way }
    }

    /// Sends a request to a host that is declared for its purpose, and waits for the response's head and as much of its
    /// body as the declaration allows. Redirects are not followed.
    ///
    /// - Throws: `OutboundError`, or `CancellationError`.
    public func send(_ call: OutboundCall) async throws -> OutboundAnswer {
        guard let way = way.withLock({ $0 }) else {
            throw OutboundError.refused(LocalizedText("a command calls nobody beyond the house"))
        }
        return try await way(call)
    }
}
