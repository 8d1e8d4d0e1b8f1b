import Admission
import HubKit
import NIOCore
import TLS

/// The first handler of a connection, for its whole life: it counts the connection, decides whether it may be closed in
/// favour of a new one, and closes it after too long without a request. `RequestHandler` reports the state of its
/// requests.
///
/// HTTP/2 has an idle time of its own in Hummingbird, which says goodbye and then waits for an answer for ever.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The party that a request waits for.
    enum RequestPhase: Equatable {
        /// No request.
        case none
        /// The client: the head has arrived, and not the whole body.
        case arriving
        /// The hub, which prepares the response.
        case working
        /// The client, which does not read the response.
        case delivering
    }

    private enum Standing { case idle, waiting, working }

    /// The address of the other end, for limits by address.
    private(set) var peer: IPAddress?
    /// Whether the limit of one address applies.
    private(set) var isPeerBounded = true

    private let connections: OpenConnections
    private let limits: ConnectionLimits
    private let isBounded: (IPAddress?) -> Bool
    private var context: ChannelHandlerContext?
    private var ticket: OpenConnections.Ticket?
    private var timer: Scheduled<Void>?
    private var arriving = 0
    private var working = 0
    private var delivering = 0
    private var standing = Standing.idle
    /// The pace of all arriving bodies, while no response is being prepared.
    private var pace = TransferPace(now: .uptimeNanoseconds(0))
    private var restedAt = NIODeadline.uptimeNanoseconds(0)
    private var isStopping = false

    /// Creates the handler.
    ///
    /// - Parameter isBounded: whether the limit of one address applies to an address.
    init(connections: OpenConnections, limits: ConnectionLimits, isBounded: @escaping (IPAddress?) -> Bool) {
        self.connections = connections
        self.limits = limits
        self.isBounded = isBounded
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { enter(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        enter(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, ticket != nil {
            isStopping = true
            if standing == .idle { waitForRequest() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Reports that a request has changed its phase; on the event loop.
    func requestMoved(from old: RequestPhase, to new: RequestPhase) {
        count(old, by: -1)
        count(new, by: 1)
        let before = standing
        standing = working > 0 ? .working : arriving + delivering > 0 ? .waiting : .idle
        guard standing != before, let ticket, let context else { return }
        timer?.cancel()
        switch standing {
        case .working: connections.work(ticket)
        case .waiting:
            pace = TransferPace(now: context.eventLoop.now)
            rest(ticket, context)
        case .idle:
            rest(ticket, context)
            waitForRequest()
        }
    }

    /// Reports that bytes of a request's body have arrived; on the event loop. A body that keeps the least rate counts
    /// as fresh; a slower one keeps its place among those to close, by the time at which it fell behind.
    func bodyArrived(bytes: Int) {
        guard standing == .waiting, let ticket, let context else { return }
        let now = context.eventLoop.now
        let isPaid = pace.take(bytes: bytes, rate: limits.leastBodyRate * max(arriving, 1), now: now)
        if isPaid, now - restedAt >= .seconds(1) { rest(ticket, context) }
    }

    private func count(_ phase: RequestPhase, by step: Int) {
        switch phase {
        case .none: break
        case .arriving: arriving += step
        case .working: working += step
        case .delivering: delivering += step
        }
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard ticket == nil else { return }
        peer = context.channel.remoteAddress.flatMap { IPAddress($0) }
        isPeerBounded = isBounded(peer)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        restedAt = eventLoop.now
        ticket = connections.enter(peer, isBounded: isPeerBounded) {
            eventLoop.execute { bound.value.close() }
        }
        waitForRequest()
    }

    private func leave() {
        timer?.cancel()
        if let ticket { connections.leave(ticket) }
        ticket = nil
    }

    private func rest(_ ticket: OpenConnections.Ticket, _ context: ChannelHandlerContext) {
        restedAt = context.eventLoop.now
        connections.rest(ticket)
    }

    private func waitForRequest() {
        guard let context else { return }
        timer?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let time = isStopping ? limits.farewell : limits.idle + limits.farewell
        timer = context.eventLoop.scheduleTask(in: time) { bound.value.close() }
    }

    /// Closes without a goodbye, for which there was time.
    private func close() {
        guard ticket != nil else { return }
        leave()
        context?.close(promise: nil)
    }
}
