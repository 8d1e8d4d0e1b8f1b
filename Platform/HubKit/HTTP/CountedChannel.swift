import HummingbirdCore
import Logging
import NIOCore
import TLS

/// A child channel whose connections are counted, and closed when they are idle: see `ConnectionLimits`.
struct CountedChannel<Inner: ServerChildChannel>: ServerChildChannel {
    typealias Value = Inner.Value

    private let inner: Inner
    private let connections: OpenConnections
    private let limits: ConnectionLimits
    private let trustedProxies: [IPRange]

    /// - Parameter connections: of this listener, and of those with which it shares the limits.
    init(_ inner: Inner, connections: OpenConnections, limits: ConnectionLimits, trustedProxies: [IPRange]) {
        self.inner = inner
        self.connections = connections
        self.limits = limits
        self.trustedProxies = trustedProxies
    }

    private static var loopback: [IPRange] { ["127.0.0.0/8", "::1"].compactMap { IPRange($0) } }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            let unbounded = Self.loopback + trustedProxies
            try channel.pipeline.syncOperations.addHandler(
                ConnectionHandler(connections: connections, limits: limits) { peer in
                    !unbounded.contains { range in peer.map { range.contains($0) } ?? false }
                }, position: .first)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return inner.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}
