import Admission
import Synchronization

/// The connections of one or several listeners by the address they come from, on whatever event loops they live.
public final class OpenConnections: Sendable {
    /// Tells one connection from all others that there have been.
    public typealias Ticket = ConnectionGate<IPAddress?>.Ticket

    private struct State {
        var gate: ConnectionGate<IPAddress?>
        var closes: [Ticket: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - maximum: connections in total; at least 1.
    ///   - maximumPerPeer: of them, those of one address; at least 1.
    public init(maximum: Int, maximumPerPeer: Int) {
        state = Mutex(State(gate: ConnectionGate(maximum: maximum, maximumPerPeer: maximumPerPeer)))
    }

    /// How many are there.
    public var count: Int { state.withLock { $0.gate.count } }

    /// Lets a connection in, idle, and closes another one for it, or itself, if there are too many.
    ///
    /// - Parameters:
    ///   - isBounded: whether the limit of one address holds for this one.
    ///   - close: closes this one; may be called from any thread.
    public func enter(_ peer: IPAddress?, isBounded: Bool = true, close: @escaping @Sendable () -> Void) -> Ticket {
        let (ticket, closeOne) = state.withLock { state in
            let (ticket, shed) = state.gate.enter(peer, isBounded: isBounded)
            state.closes[ticket] = close
            return (ticket, shed.flatMap { state.closes.removeValue(forKey: $0) })
        }
        closeOne?()
        return ticket
    }

    /// The connection is at work until `rest`, and not closed for another.
    public func work(_ ticket: Ticket) { state.withLock { $0.gate.work(ticket) } }

    /// The connection is idle from now on.
    public func rest(_ ticket: Ticket) { state.withLock { $0.gate.rest(ticket) } }

    /// The connection is done.
    public func leave(_ ticket: Ticket) {
        state.withLock { state in
            state.gate.leave(ticket)
            state.closes[ticket] = nil
        }
    }
}
