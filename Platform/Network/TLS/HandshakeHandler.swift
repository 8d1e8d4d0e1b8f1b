import Logging
import NIOCore
import NIOTLS

/// The handler behind TLS until the handshake is done and the handlers for the client's protocol are added; bytes that
/// arrive meanwhile wait in it.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// A function that is called once when the connection is no longer half-open.
    var whenDone: (() -> Void)?

    private let configure: (TLSAcceptor.Start) -> EventLoopFuture<Void>
    private let ended: (TLSAcceptorError) -> Void
    private let logger: Logger
    private var context: ChannelHandlerContext?
    private var waiting: [ByteBuffer] = []
    private var isStarted = false
    private var isConfigured = false

    /// Creates the handler.
    ///
    /// - Parameters:
    ///   - configure: adds the handlers, once.
    ///   - ended: called in its place if the connection ends before.
    ///   - logger: the log.
    init(
        configure: @escaping (TLSAcceptor.Start) -> EventLoopFuture<Void>, ended: @escaping (TLSAcceptorError) -> Void,
        logger: Logger
    ) {
        self.configure = configure
        self.ended = ended
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        whenDone = nil
        if !isStarted {
            isStarted = true
            ended(.ended)
        }
    }

    /// Continues without a handshake, because the first bytes were those of HTTP.
    func clientSpeaksPlainHTTP() { start(.plainHTTP) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let applicationProtocol) = event as? TLSUserEvent {
            start(.tls(applicationProtocol: applicationProtocol))
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isConfigured {
            context.fireChannelRead(data)
        } else {
            waiting.append(unwrapInboundIn(data))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isStarted {
            isStarted = true
            ended(.ended)
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isStarted else { return context.fireErrorCaught(error) }
        // Phones that do not trust the hub yet end here too: nothing to alarm anybody with.
        logger.debug("handshake failed", metadata: ["reason": "\(error)"])
        context.close(promise: nil)
    }

    private func start(_ start: TLSAcceptor.Start) {
        guard !isStarted, let context else { return }
        isStarted = true
        whenDone?()
        whenDone = nil
        configure(start).assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success: pass(context)
            case .failure(let error):
                logger.debug("connection ended", metadata: ["reason": "\(error)"])
                context.close(promise: nil)
            }
        }
    }

    private func pass(_ context: ChannelHandlerContext) {
        isConfigured = true
        guard self.context != nil else { return }
        let waiting = self.waiting
        self.waiting = []
        for bytes in waiting { context.fireChannelRead(wrapInboundOut(bytes)) }
        if !waiting.isEmpty { context.fireChannelReadComplete() }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
