import MQTT
import NIOCore

/// The connections that have used their turn and have more to do: each gets another one in its order, and the network
/// is looked at in between, so that nobody else waits for more than a few of them.
struct WaitingTurns<Host: MessageHost> {
    /// An event loop does all tasks that are due before it looks at the network, and so the next turns must not be due
    /// yet when these are over: on a slow machine that takes a while to see.
    static var pause: TimeAmount { .milliseconds(1) }

    private var connections = CircularBuffer<Connection<Host>>(initialCapacity: 1)
    /// Whether a task for the next turns stands.
    var isScheduled = false

    var isEmpty: Bool { connections.isEmpty }

    mutating func append(_ connection: Connection<Host>) { connections.append(connection) }

    /// Those who are next.
    mutating func next(_ count: Int) -> [Connection<Host>] {
        let next = Array(connections.prefix(count))
        connections.removeFirst(next.count)
        return next
    }
}
