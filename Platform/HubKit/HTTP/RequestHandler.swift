import NIOCore
import NIOHTTPTypes

/// Tells the connection of its requests, and ends those whose body comes too slowly or whose answer nobody takes: over
/// HTTP/1.1 with their connection, over HTTP/2 with their stream (RFC 9113, 5.4.2).
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Which connection a request belongs to.
    enum Place {
        /// HTTP/1.1: this channel is the connection.
        case connection
        /// HTTP/2: this channel is a stream of it.
        case stream
    }

    private let limits: ConnectionLimits
    private let place: Place
    private var connection: ConnectionHandler?
    private var isReading = false
    private var unanswered = 0
    private var isBusy = false
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var bodyBytes = 0
    private var bodyTimer: Scheduled<Void>?
    private var answerTimer: Scheduled<Void>?

    init(limits: ConnectionLimits, of place: Place) {
        self.limits = limits
        self.place = place
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = place == .connection ? context.channel : context.channel.parent
        // A stream lives on the event loop of its connection.
        connection = try? channel?.pipeline.syncOperations.handler(type: ConnectionHandler.self)
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
            began = context.eventLoop.now
            bodyBytes = 0
            waitForBody(context)
        case .body(let bytes): bodyBytes += bytes.readableBytes
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
        if !context.channel.isWritable {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            answerTimer = context.eventLoop.scheduleTask(in: limits.idle) { bound.value.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    private func waitForBody(_ context: ChannelHandlerContext) {
        bodyTimer?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        bodyTimer = context.eventLoop.scheduleTask(deadline: began + limits.bodyTime(bytes: bodyBytes)) {
            let (handler, context) = bound.value
            if context.eventLoop.now < handler.began + handler.limits.bodyTime(bytes: handler.bodyBytes) {
                handler.waitForBody(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private func tell() {
        let isBusy = isReading || unanswered > 0
        if isBusy != self.isBusy { isBusy ? connection?.requestBegan() : connection?.requestEnded() }
        self.isBusy = isBusy
    }

    private func end() {
        bodyTimer?.cancel()
        answerTimer?.cancel()
        isReading = false
        unanswered = 0
        tell()
    }
}
