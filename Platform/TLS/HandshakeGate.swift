/// Which connections may be half-open at once: accepted, but not yet through the handshake. The rules alone; see
/// `TLSAcceptor` for the connections.
///
/// A new client is always let in, and where there are too many the one that has waited longest is sent away: of the
/// new client's own address where that has its fill, else of the address that holds the most. So a thousand
/// connections that say nothing push out each other, and never somebody who arrives from elsewhere and takes the
/// milliseconds of an honest handshake.
struct HandshakeGate<Peer: Hashable> {
    /// Tells one connection from all others that there have been.
    typealias Ticket = UInt64

    private let maximum: Int
    private let maximumPerPeer: Int
    private var next: Ticket = 0
    private var peers: [Ticket: Peer] = [:]
    // Oldest first.
    private var tickets: [Peer: [Ticket]] = [:]

    /// - Parameters:
    ///   - maximum: half-open connections in total; at least 1.
    ///   - maximumPerPeer: of them, those of one address; at least 1.
    init(maximum: Int, maximumPerPeer: Int) {
        self.maximum = max(maximum, 1)
        self.maximumPerPeer = max(maximumPerPeer, 1)
    }

    /// How many are half-open.
    var count: Int { peers.count }

    /// Lets a connection in.
    ///
    /// - Returns: its ticket, to give back with `leave`; and the ticket of the one to close for it, which has left
    ///   already.
    mutating func enter(_ peer: Peer) -> (ticket: Ticket, shed: Ticket?) {
        var shed: Ticket?
        if let own = tickets[peer], own.count >= maximumPerPeer {
            shed = own.first
        } else if peers.count >= maximum {
            // Where several hold as many, the one that has waited longest.
            shed =
                tickets.values.max { one, other in
                    (one.count, other.first ?? 0) < (other.count, one.first ?? 0)
                }?.first
        }
        if let shed { leave(shed) }
        next += 1
        peers[next] = peer
        tickets[peer, default: []].append(next)
        return (next, shed)
    }

    /// The connection has finished its handshake, or has ended. A ticket that has left already is no error.
    mutating func leave(_ ticket: Ticket) {
        guard let peer = peers.removeValue(forKey: ticket), var own = tickets[peer] else { return }
        own.removeAll { $0 == ticket }
        tickets[peer] = own.isEmpty ? nil : own
    }
}
