import Admission
import HubKit
import HummingbirdCore
import Logging
import NIOCore
import TLS

/// A child channel whose connections are counted, and closed when idle: see `ConnectionLimits`.
struct CountedChannel<Inner: ServerChildChannel>: ServerChildChannel {
    typealias Value = Inner.Value

    private let inner: Inner
    private let connections: OpenConnections
    private let limits: ConnectionLimits
    private let isShared: @Sendable (IPAddress?) -> Bool

    /// Wraps a child channel.
    ///
    /// - Parameters:
    ///   - connections: the connections of this listener, and of those with which it shares the limits.
    ///   - isShared: whether an address brings many clients, so that only the total limit applies.
    init(
        _ inner: Inner, connections: OpenConnections, limits: ConnectionLimits,
        isShared: @escaping @Sendable (IPAddress?) -> Bool
    ) {
        self.inner = inner
        self.connections = connections
        self.limits = limits
        self.isShared = isShared
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            let isShared = isShared
            try channel.pipeline.syncOperations.addHandler(
                ConnectionHandler(connections: connections, limits: limits) { !isShared($0) }, position: .first)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return inner.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}
