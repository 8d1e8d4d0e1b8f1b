import Admission
import MQTT
import NIOCore

/// The number of network connections of one listener, in total and by address, and which of them were accepted.
///
/// A connection that was not accepted yet is closed in favour of a new one, see `ConnectionLimiter`; an accepted client
/// stays, and one too many is refused. Each is counted until its network connection is closed.
struct BrokerConnectionLimiter {
    typealias Ticket = ConnectionLimiter<String>.Ticket

    private let limits: Limits
    private var halfOpen: ConnectionLimiter<String>
    private var clients = 0
    private var clientsByAddress: [String: Int] = [:]
    private var clientsByPrincipal: [Principal: Int] = [:]

    init(limits: Limits) {
        self.limits = limits
        halfOpen = ConnectionLimiter(
            maximum: limits.halfOpenConnections, maximumPerPeer: limits.halfOpenConnectionsPerAddress)
    }

    /// Adds a network connection. Returns the one to close in its favour, which may be itself.
    mutating func arrive(_ address: String, isShared: Bool) -> (ticket: Ticket, shed: Ticket?) {
        halfOpen.enter(address, isBounded: !isShared)
    }

    /// Marks a connection as being authenticated, so that it is not to blame for waiting.
    mutating func examine(_ ticket: Ticket) { halfOpen.work(ticket) }

    /// Marks a connection as refused; it only has to receive the CONNACK.
    mutating func refuse(_ ticket: Ticket) { halfOpen.rest(ticket) }

    /// Whether one more client may be let in, of those of its address.
    func hasRoom(_ address: String, isShared: Bool) -> Bool {
        clients < limits.connections
            && (isShared || clientsByAddress[address, default: 0] < limits.connectionsPerAddress)
    }

    /// Whether one more client with a principal's token may be let in beside the others with it.
    func hasRoom(of principal: Principal) -> Bool {
        !principal.isOne || clientsByPrincipal[principal, default: 0] < limits.connectionsPerPrincipal
    }

    /// Marks a connection as an accepted client.
    mutating func accept(_ ticket: Ticket, _ address: String, _ principal: Principal?) {
        halfOpen.leave(ticket)
        clients += 1
        clientsByAddress[address, default: 0] += 1
        if let principal, principal.isOne { clientsByPrincipal[principal, default: 0] += 1 }
    }

    /// Removes the network connection of a client that was not accepted.
    mutating func depart(_ ticket: Ticket) { halfOpen.leave(ticket) }

    /// Removes the network connection of an accepted client.
    mutating func departClient(_ address: String, _ principal: Principal?) {
        clients -= 1
        let left = clientsByAddress[address, default: 1] - 1
        clientsByAddress[address] = left == 0 ? nil : left
        guard let principal, principal.isOne else { return }
        let own = clientsByPrincipal[principal, default: 1] - 1
        clientsByPrincipal[principal] = own == 0 ? nil : own
    }
}

extension Principal {
    /// Whether the principal is one device or program with its own token.
    fileprivate var isOne: Bool {
        switch self {
        case .device, .integration: true
        case .legacy, .open, .hub: false
        }
    }
}
