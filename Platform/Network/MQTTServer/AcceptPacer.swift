import MQTT
import NIOCore

/// The pace at which new connections are accepted: none while many have not signed in yet, unless one of them has waited long.
///
/// A crowd that comes back at once, as after a power cut, waits in the system's queue then, and nobody who is about to sign in
/// is closed for the next one. Connections that say nothing hold the others up for `Limits.acceptingPause` at most, and one
/// address alone cannot, since `Limits.halfOpenConnectionsPerAddress` is below `Limits.acceptingPausesAt`.
struct AcceptPacer {
    private let limits: Limits
    /// The arrivals that may not have signed in yet, oldest first; those that have are taken out when they are the oldest.
    private var arrivals = CircularBuffer<(ticket: UInt64, at: NIODeadline)>()
    /// The functions that let each listening socket accept again.
    private var resumes: [() -> Void] = []

    init(limits: Limits) { self.limits = limits }

    /// Notes a connection that has not signed in.
    mutating func arrived(_ ticket: UInt64, now: NIODeadline) { arrivals.append((ticket, now)) }

    /// Whether one more connection may be accepted now.
    ///
    /// - Parameters:
    ///   - count: the number of connections that have not signed in.
    ///   - isHalfOpen: whether the connection with a ticket is one of them.
    mutating func hasRoom(count: Int, now: NIODeadline, isHalfOpen: (UInt64) -> Bool) -> Bool {
        while let oldest = arrivals.first, !isHalfOpen(oldest.ticket) { arrivals.removeFirst() }
        guard count >= limits.acceptingPausesAt, let oldest = arrivals.first else { return true }
        return now - oldest.at >= limits.acceptingPause
    }

    /// Has `resume` called once there is room.
    mutating func wait(_ resume: @escaping () -> Void) { resumes.append(resume) }

    /// Whether a listening socket waits for room.
    var isPaused: Bool { !resumes.isEmpty }

    /// The functions that wait, which then do no longer.
    mutating func takeResumes() -> [() -> Void] {
        defer { resumes.removeAll() }
        return resumes
    }
}

/// The handler of a listening socket that accepts at the pace of its server.
final class AcceptPaceHandler<Delegate: BrokerDelegate>: ChannelOutboundHandler {
    typealias OutboundIn = Channel

    private let server: BrokerServer<Delegate>

    init(_ server: BrokerServer<Delegate>) { self.server = server }

    func read(context: ChannelHandlerContext) {
        server.whenRoomToAccept { context.read() }
    }
}
