import MQTT
import NIOCore

/// The connections that have used their turn and have more to do. Each gets another turn in order, and the network is
/// polled in between, so that no other client waits for more than a few of them.
struct WaitingTurns<Delegate: BrokerDelegate> {
    /// The pause before the next turns. An event loop runs all tasks that are due before it polls the network, so the
    /// next turns must not be due yet when these are over.
    static var pause: TimeAmount { .milliseconds(1) }

    private var connections = CircularBuffer<Connection<Delegate>>(initialCapacity: 1)
    /// Whether a task for the next turns is scheduled.
    var isScheduled = false

    var isEmpty: Bool { connections.isEmpty }

    mutating func append(_ connection: Connection<Delegate>) { connections.append(connection) }

    /// Removes the next connections.
    mutating func next(_ count: Int) -> [Connection<Delegate>] {
        let next = Array(connections.prefix(count))
        connections.removeFirst(next.count)
        return next
    }
}
