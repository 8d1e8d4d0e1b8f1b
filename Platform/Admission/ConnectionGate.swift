/// Which connections may be there at once, and which one goes where they are too many. The rules alone; see
/// `OpenConnections` in TLS for those of several event loops.
///
/// Idle is one that waits for its client: it has no request, or its client is behind with sending it or with taking the
/// answer. Where there are too many, the one that has been idle longest is sent away: of the new client's own address
/// where that has its fill, else of the address that holds the most. So a thousand connections that say nothing push
/// out each other, and never somebody who arrives from elsewhere. One that the hub works for is never sent away; where
/// nothing else is left, the new one is.
public struct ConnectionGate<Peer: Hashable> {
    /// Tells one connection from all others that there have been.
    public typealias Ticket = UInt64

    private struct Held {
        var count = 0
        /// Idle longest first.
        var idle: [Idle] = []
    }

    private struct Idle {
        var ticket: Ticket
        var since: UInt64
    }

    private let maximum: Int
    private let maximumPerPeer: Int
    /// Of events: a ticket is the number of its connection's arrival.
    private var last: UInt64 = 0
    private var peers: [Ticket: Peer] = [:]
    private var held: [Peer: Held] = [:]

    /// - Parameters:
    ///   - maximum: connections in total; at least 1.
    ///   - maximumPerPeer: of them, those of one address; at least 1.
    public init(maximum: Int, maximumPerPeer: Int) {
        self.maximum = max(maximum, 1)
        self.maximumPerPeer = max(maximumPerPeer, 1)
    }

    /// How many are there.
    public var count: Int { peers.count }

    /// Lets a connection in, idle.
    ///
    /// - Parameter isBounded: whether the limit of one address holds for this one.
    /// - Returns: its ticket, to give back with `leave`; and the ticket of the one to close for it, which has left
    ///   already. That is its own where it was not let in.
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

    /// Of the address that holds the most of those with an idle one; where several hold as many, the one that has been
    /// idle longest. None of an address that holds fewer than the new client's own.
    private func idlest(orderedBy own: Int) -> Ticket? {
        var most: (count: Int, idle: Idle)?
        for peer in held.values where peer.count >= own {
            guard let idle = peer.idle.first else { continue }
            if let most, (most.count, idle.since) > (peer.count, most.idle.since) { continue }
            most = (peer.count, idle)
        }
        return most?.idle.ticket
    }

    /// The connection is at work until `rest`.
    public mutating func work(_ ticket: Ticket) {
        guard let peer = peers[ticket] else { return }
        held[peer]?.idle.removeAll { $0.ticket == ticket }
    }

    /// The connection is idle from now on.
    public mutating func rest(_ ticket: Ticket) {
        guard let peer = peers[ticket] else { return }
        last += 1
        held[peer]?.idle.removeAll { $0.ticket == ticket }
        held[peer]?.idle.append(Idle(ticket: ticket, since: last))
    }

    /// The connection is done. A ticket that has left already is no error.
    public mutating func leave(_ ticket: Ticket) {
        guard let peer = peers.removeValue(forKey: ticket), var own = held[peer] else { return }
        own.count -= 1
        own.idle.removeAll { $0.ticket == ticket }
        held[peer] = own.count == 0 ? nil : own
    }
}
