import HubKit
import NIOCore
import NIOHTTPTypes
import TLS

/// A handler that reports the state of requests to their connection, and ends those whose body arrives too slowly or
/// whose response is not read: in HTTP/1.1 with the connection, in HTTP/2 with the stream (RFC 9113, 5.4.2).
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The kind of channel of a request.
    enum Place {
        /// HTTP/1.1: the channel is the connection.
        case connection
        /// HTTP/2: the channel is a stream, one of all the streams that are allowed.
        case stream(OpenConnections)
    }

    private let limits: ConnectionLimits
    private let place: Place
    private var connection: ConnectionHandler?
    private var ticket: OpenConnections.Ticket?
    private var isReading = false
    private var unanswered = 0
    private var isWritable = true
    private var phase = ConnectionHandler.RequestPhase.none
    private var pace = TransferPace(now: .uptimeNanoseconds(0))
    private var bodyTimer: Scheduled<Void>?
    private var answerTimer: Scheduled<Void>?

    init(limits: ConnectionLimits, of place: Place) {
        self.limits = limits
        self.place = place
    }

    func handlerAdded(context: ChannelHandlerContext) {
        switch place {
        case .connection: connection = Self.connection(of: context.channel)
        case .stream(let streams):
            // A stream lives on the event loop of its connection.
            connection = context.channel.parent.flatMap { Self.connection(of: $0) }
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            let eventLoop = context.eventLoop
            ticket = streams.enter(connection?.peer, isBounded: connection?.isPeerBounded ?? true) {
                eventLoop.execute { bound.value.close(promise: nil) }
            }
        }
    }

    private static func connection(of channel: any Channel) -> ConnectionHandler? {
        try? channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReading = true
            unanswered += 1
            pace = TransferPace(now: context.eventLoop.now)
            waitForBody(context)
        case .body(let bytes):
            pace.take(bytes: bytes.readableBytes, rate: limits.leastBodyRate, now: context.eventLoop.now)
            connection?.bodyArrived(bytes: bytes.readableBytes)
        case .end:
            isReading = false
            bodyTimer?.cancel()
        }
        tell()
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        tell()
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerTimer?.cancel()
        isWritable = context.channel.isWritable
        if !isWritable {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            answerTimer = context.eventLoop.scheduleTask(in: limits.idle) { bound.value.close(promise: nil) }
        }
        tell()
        context.fireChannelWritabilityChanged()
    }

    private func waitForBody(_ context: ChannelHandlerContext) {
        bodyTimer?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        bodyTimer = context.eventLoop.scheduleTask(deadline: pace.paidUntil + limits.body) {
            let (handler, context) = bound.value
            if context.eventLoop.now < handler.pace.paidUntil + handler.limits.body {
                handler.waitForBody(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private func tell() {
        move(to: isReading ? .arriving : unanswered == 0 ? .none : isWritable ? .working : .delivering)
    }

    private func move(to new: ConnectionHandler.RequestPhase) {
        guard new != phase else { return }
        connection?.requestMoved(from: phase, to: new)
        if case .stream(let streams) = place, let ticket {
            new == .working ? streams.work(ticket) : streams.rest(ticket)
        }
        phase = new
    }

    private func end() {
        bodyTimer?.cancel()
        answerTimer?.cancel()
        isReading = false
        unanswered = 0
        tell()
        if case .stream(let streams) = place, let ticket { streams.leave(ticket) }
        ticket = nil
    }
}
