import Logging
import NIOCore
import NIOSSL
import NIOTLS
import TLS

/// The handler of a connection to an SMTP server: it feeds a conversation with the server's replies, and does what that says.
final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var conversation: SMTPConversation
    private var parser = SMTPReplyParser()
    private let trust: ServerTrust
    private var promise: EventLoopPromise<Void>?
    /// The server's last code, for the owner's list.
    private(set) var lastCode: Int?

    /// The time that a server has to say good-bye.
    private static let farewell = TimeAmount.seconds(2)

    init(_ conversation: SMTPConversation, trust: ServerTrust, promise: EventLoopPromise<Void>) {
        self.conversation = conversation
        self.trust = trust
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard promise != nil else { return context.close(promise: nil) }
        do {
            try parser.append(unwrapInboundIn(data).readableBytesView)
            while promise != nil, let reply = try parser.next() {
                lastCode = reply.code
                act(conversation.receive(reply), context)
            }
        } catch {
            settle(.failure(MailFault.notUnderstood), context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent, isStartingTLS {
            isStartingTLS = false
            act(conversation.secured(), context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        settle(.failure(MailFault.ended), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isTLS = error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError
        // What answers a handshake in clear speaks SMTP, where TLS begins with STARTTLS.
        let isClear = isTLS && "\(error)".contains("WRONG_VERSION_NUMBER")
        settle(.failure(isClear ? MailFault.noTLS : isTLS ? .untrusted : .ended), context)
    }

    private var isStartingTLS = false

    private func act(_ action: SMTPConversation.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .send(let bytes): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        case .startTLS:
            // What came after the answer came in clear, from whoever sits between: it is no part of the talk (RFC 3207, 6).
            guard !parser.hasMore else { return settle(.failure(MailFault.notUnderstood), context) }
            isStartingTLS = true
            do {
                try context.pipeline.syncOperations.addHandler(trust.handler(), position: .first)
            } catch {
                settle(.failure(MailFault.untrusted), context)
            }
        case .finish(let bytes):
            promise?.succeed()
            promise = nil
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.farewell) { channel.close(promise: nil) }
        case .fail(let fault):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: SMTPConversation.quit)), promise: nil)
            settle(.failure(fault), context)
        }
    }

    private func settle(_ result: Result<Void, any Error>, _ context: ChannelHandlerContext) {
        promise?.completeWith(result)
        promise = nil
        context.close(promise: nil)
    }
}
