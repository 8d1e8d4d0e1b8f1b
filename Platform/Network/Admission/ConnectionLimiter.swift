/// The rules for which connections may be open at once, and which one is closed when there are too many. For
/// connections of several event loops see `OpenConnections` in TLS.
///
/// A connection is idle while it waits for its client: it has no request, or its client is behind with sending the
/// request or reading the answer. When there are too many, the one that has been idle longest is closed: of the new
/// client's own address if that has reached its limit, else of the address with the most connections. So a thousand
/// silent connections push out each other, and never a client from elsewhere. A connection that the hub is working for
/// is never closed; if there is no idle one, the new one is refused.
public struct ConnectionLimiter<Peer: Hashable> {
    /// A number that identifies a connection among all that there have been.
    public typealias Ticket = UInt64

    private struct Held {
        var count = 0
        /// The idle connections, the one that has been idle longest first.
        var idle: [Idle] = []
    }

    private struct Idle {
        var ticket: Ticket
        var since: UInt64
    }

    private let maximum: Int
    private let maximumPerPeer: Int
    /// The number of the last event; a ticket is the number of its connection's arrival.
    private var last: UInt64 = 0
    private var peers: [Ticket: Peer] = [:]
    private var held: [Peer: Held] = [:]

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - maximum: the number of connections in total, at least 1.
    ///   - maximumPerPeer: the number of connections of one address, at least 1.
    public init(maximum: Int, maximumPerPeer: Int) {
        self.maximum = max(maximum, 1)
        self.maximumPerPeer = max(maximumPerPeer, 1)
    }

    /// The number of open connections.
    public var count: Int { peers.count }

    /// Adds a connection, idle at first.
    ///
    /// - Parameter isBounded: whether the limit of one address applies.
    /// - Returns: its ticket, to be given to `leave`; and the ticket of the connection to close in its favour, which
    ///   has been removed already. That is its own if it was refused.
    public mutating func enter(_ peer: Peer, isBounded: Bool = true) -> (ticket: Ticket, shed: Ticket?) {
        last += 1
        let ticket = last
        let own = held[peer] ?? Held()
        var shed: Ticket?
        if isBounded, own.count >= maximumPerPeer {
            shed = own.idle.first?.ticket ?? ticket
        } else if peers.count >= maximum {
            shed = idlest(orderedBy: own.count) ?? ticket
        }
        if shed == ticket { return (ticket, ticket) }
        if let shed { leave(shed) }
        peers[ticket] = peer
        held[peer, default: Held()].count += 1
        held[peer]?.idle.append(Idle(ticket: ticket, since: ticket))
        return (ticket, shed)
    }

    /// The idle connection of the address with the most connections among those that have an idle one; of several such
    /// addresses, the one that has been idle longest. Nil if all of them have fewer than the new client's own address.
    private func idlest(orderedBy own: Int) -> Ticket? {
        var most: (count: Int, idle: Idle)?
        for peer in held.values where peer.count >= own {
            guard let idle = peer.idle.first else { continue }
            if let most, (most.count, idle.since) > (peer.count, most.idle.since) { continue }
            most = (peer.count, idle)
        }
        return most?.idle.ticket
    }

    /// Marks a connection as working, until `rest` is called.
    public mutating func work(_ ticket: Ticket) {
        guard let peer = peers[ticket] else { return }
        held[peer]?.idle.removeAll { $0.ticket == ticket }
    }

    /// Marks a connection as idle.
    public mutating func rest(_ ticket: Ticket) {
        guard let peer = peers[ticket] else { return }
        last += 1
        held[peer]?.idle.removeAll { $0.ticket == ticket }
        held[peer]?.idle.append(Idle(ticket: ticket, since: last))
    }

    /// Removes a connection, if it is still there.
    public mutating func leave(_ ticket: Ticket) {
        guard let peer = peers.removeValue(forKey: ticket), var own = held[peer] else { return }
        own.count -= 1
        own.idle.removeAll { $0.ticket == ticket }
        held[peer] = own.count == 0 ? nil : own
    }
}
