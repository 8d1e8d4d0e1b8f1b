import Admission
import Synchronization

/// The open connections of one or several listeners by address, on any event loops.
public final class OpenConnections: Sendable {
    /// A number that identifies a connection among all that there have been.
    public typealias Ticket = ConnectionLimiter<IPAddress?>.Ticket

    private struct State {
        var limiter: ConnectionLimiter<IPAddress?>
        var closes: [Ticket: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// Creates limits for connections.
    ///
    /// - Parameters:
    ///   - maximum: the number of connections in total, at least 1.
    ///   - maximumPerPeer: the number of connections of one address, at least 1.
    public init(maximum: Int, maximumPerPeer: Int) {
        state = Mutex(State(limiter: ConnectionLimiter(maximum: maximum, maximumPerPeer: maximumPerPeer)))
    }

    /// The number of open connections.
    public var count: Int { state.withLock { $0.limiter.count } }

    /// Adds a connection, idle at first, and closes another one in its favour, or itself, if there are too many.
    ///
    /// - Parameters:
    ///   - peer: the address.
    ///   - isBounded: whether the limit of one address applies.
    ///   - close: closes this connection; it may be called from any thread.
    public func enter(_ peer: IPAddress?, isBounded: Bool = true, close: @escaping @Sendable () -> Void) -> Ticket {
        let (ticket, closeOne) = state.withLock { state in
            let (ticket, shed) = state.limiter.enter(peer, isBounded: isBounded)
            state.closes[ticket] = close
            return (ticket, shed.flatMap { state.closes.removeValue(forKey: $0) })
        }
        closeOne?()
        return ticket
    }

    /// Marks a connection as working until `rest`, so that it is not closed in favour of another.
    public func work(_ ticket: Ticket) { state.withLock { $0.limiter.work(ticket) } }

    /// Marks a connection as idle.
    public func rest(_ ticket: Ticket) { state.withLock { $0.limiter.rest(ticket) } }

    /// Removes a connection that has closed.
    public func leave(_ ticket: Ticket) {
        state.withLock { state in
            state.limiter.leave(ticket)
            state.closes[ticket] = nil
        }
    }
}
