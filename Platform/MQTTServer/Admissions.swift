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
    func hasRoom(_ address: String, isShared: Bool) -> Bool {
        clients < limits.connections
            && (isShared || clientsByAddress[address, default: 0] < limits.connectionsPerAddress)
    }

    /// It was let in.
    mutating func accept(_ ticket: Ticket, _ address: String) {
        halfOpen.leave(ticket)
        clients += 1
        clientsByAddress[address, default: 0] += 1
    }

    /// The network connection of one that was not let in is gone.
    mutating func depart(_ ticket: Ticket) { halfOpen.leave(ticket) }

    /// The network connection of a client is gone.
    mutating func departClient(_ address: String) {
        clients -= 1
        let left = clientsByAddress[address, default: 1] - 1
        clientsByAddress[address] = left == 0 ? nil : left
    }
}
