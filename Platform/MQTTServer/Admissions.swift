import Admission
import MQTT
import NIOCore

/// How many network connections one listener has, of which address, and which of them have been let in.
///
/// Who has not been let in yet gives way to whoever comes later, see `ConnectionGate`; a client that has stays, and one
/// too many is refused. Each is counted until its network connection is gone.
struct Admissions {
    typealias Ticket = ConnectionGate<String>.Ticket

    private let limits: Limits
    private var halfOpen: ConnectionGate<String>
    private var clients = 0
    private var clientsByAddress: [String: Int] = [:]
    private var clientsByPrincipal: [Principal: Int] = [:]

    init(limits: Limits) {
        self.limits = limits
        halfOpen = ConnectionGate(
            maximum: limits.halfOpenConnections, maximumPerPeer: limits.halfOpenConnectionsPerAddress)
    }

    /// A network connection has come. Returns the one to close for it, which may be itself.
    mutating func arrive(_ address: String, isShared: Bool) -> (ticket: Ticket, shed: Ticket?) {
        halfOpen.enter(address, isBounded: !isShared)
    }

    /// It is being found out who it is, for which it does not wait on its own account.
    mutating func examine(_ ticket: Ticket) { halfOpen.work(ticket) }

    /// It was refused, and only has to hear it.
    mutating func refuse(_ ticket: Ticket) { halfOpen.rest(ticket) }

    /// Whether one more client may be let in.
    func hasRoom(_ address: String, _ principal: Principal, isShared: Bool) -> Bool {
        clients < limits.connections
            && (isShared || clientsByAddress[address, default: 0] < limits.connectionsPerAddress)
            && (!principal.isOne || clientsByPrincipal[principal, default: 0] < limits.connectionsPerPrincipal)
    }

    /// It was let in.
    mutating func accept(_ ticket: Ticket, _ address: String, _ principal: Principal?) {
        halfOpen.leave(ticket)
        clients += 1
        clientsByAddress[address, default: 0] += 1
        if let principal, principal.isOne { clientsByPrincipal[principal, default: 0] += 1 }
    }

    /// The network connection of one that was not let in is gone.
    mutating func depart(_ ticket: Ticket) { halfOpen.leave(ticket) }

    /// The network connection of a client is gone.
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
    /// Whether it is one device or program, with a token of its own.
    fileprivate var isOne: Bool {
        switch self {
        case .device, .integration: true
        case .legacy, .open, .hub: false
        }
    }
}
