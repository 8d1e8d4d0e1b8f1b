import Admission
import NIOCore

/// The first handler of a connection until its handshake is done: it recognises the protocol by the first bytes,
/// enforces the deadline, and closes without the closing message that TLS would wait for.
final class FirstByteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let behind: HandshakeHandler
    private let halfOpen: OpenConnections
    private let isBounded: Bool
    private let deadline: TimeAmount
    private let takesPlainHTTP: Bool
    private let makeTLS: () throws -> any ChannelHandler
    private var ticket: OpenConnections.Ticket?
    private var timer: Scheduled<Void>?
    private var received = ByteBuffer()
    private var isDecided = false

    /// Creates the handler.
    ///
    /// - Parameters:
    ///   - behind: the next handler in the pipeline; TLS goes between the two.
    ///   - isBounded: whether the limit of one address applies.
    init(
        behind: HandshakeHandler, halfOpen: OpenConnections, isBounded: Bool, deadline: TimeAmount,
        takesPlainHTTP: Bool,
        makeTLS: @escaping () throws -> any ChannelHandler
    ) {
        self.behind = behind
        self.halfOpen = halfOpen
        self.isBounded = isBounded
        self.deadline = deadline
        self.takesPlainHTTP = takesPlainHTTP
        self.makeTLS = makeTLS
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { enter(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelActive(context: ChannelHandlerContext) {
        enter(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDecided else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        switch FirstBytes(received.readableBytesView.prefix(8)) {
        case .undecided: break
        case .tls: startTLS(context)
        case .plainHTTP where takesPlainHTTP: startPlain(context)
        case .plainHTTP, .neither: close(context)
        }
    }

    private func startTLS(_ context: ChannelHandlerContext) {
        isDecided = true
        do {
            try context.pipeline.syncOperations.addHandler(try makeTLS(), position: .after(self))
        } catch {
            return close(context)
        }
        behind.whenDone = { [self] in done(context) }
        context.fireChannelRead(wrapInboundOut(received))
        received = ByteBuffer()
    }

    private func startPlain(_ context: ChannelHandlerContext) {
        isDecided = true
        behind.whenDone = { [self] in done(context) }
        // First handed on, where they wait for the handlers: then this one leaves the pipeline.
        let bytes = received
        received = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(bytes))
        behind.clientSpeaksPlainHTTP()
    }

    private func done(_ context: ChannelHandlerContext) {
        leave()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard ticket == nil else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let close: @Sendable () -> Void = {
            let (handler, context) = bound.value
            if handler.ticket != nil { handler.close(context) }
        }
        let eventLoop = context.eventLoop
        let peer = context.channel.remoteAddress.flatMap { IPAddress($0) }
        ticket = halfOpen.enter(peer, isBounded: isBounded) { eventLoop.execute(close) }
        timer = eventLoop.scheduleTask(in: deadline, close)
    }

    private func leave() {
        timer?.cancel()
        timer = nil
        if let ticket { halfOpen.leave(ticket) }
        ticket = nil
    }

    private func close(_ context: ChannelHandlerContext) {
        leave()
        isDecided = true
        received = ByteBuffer()
        context.close(promise: nil)
    }
}
