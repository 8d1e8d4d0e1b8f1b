import NIOCore
import TLS

/// The first handler of a connection for its whole life: it counts it among the others, and closes it when it has had
/// no request for too long. `RequestHandler` says which requests there are.
///
/// HTTP/2 has an idle time of its own in Hummingbird, which says good-bye and then waits for an answer for ever.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connections: OpenConnections
    private let limits: ConnectionLimits
    private let isBounded: (IPAddress?) -> Bool
    private var context: ChannelHandlerContext?
    private var ticket: OpenConnections.Ticket?
    private var timer: Scheduled<Void>?
    private var requests = 0
    private var isStopping = false

    /// - Parameter isBounded: whether the limit of one address holds for this one.
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
            if requests == 0 { rest() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// A request has begun; on the event loop.
    func requestBegan() {
        requests += 1
        guard requests == 1, let ticket else { return }
        timer?.cancel()
        connections.work(ticket)
    }

    /// It has been answered, or has ended without; on the event loop.
    func requestEnded() {
        requests -= 1
        guard requests == 0, let ticket else { return }
        connections.rest(ticket)
        rest()
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard ticket == nil else { return }
        let peer = context.channel.remoteAddress.flatMap { IPAddress($0) }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        ticket = connections.enter(peer, isBounded: isBounded(peer)) {
            eventLoop.execute { bound.value.close() }
        }
        rest()
    }

    private func leave() {
        timer?.cancel()
        if let ticket { connections.leave(ticket) }
        ticket = nil
    }

    private func rest() {
        guard let context else { return }
        timer?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let time = isStopping ? limits.farewell : limits.idle + limits.farewell
        timer = context.eventLoop.scheduleTask(in: time) { bound.value.close() }
    }

    /// Without a farewell, for which there has been time.
    private func close() {
        guard ticket != nil else { return }
        leave()
        context?.close(promise: nil)
    }
}
