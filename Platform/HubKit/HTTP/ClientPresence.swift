import NIOCore
import Synchronization

/// The presence of the client of a connection of HTTP/1.1, or of a stream of HTTP/2.
///
/// A client that has closed its half of a connection counts as gone too: the system does no more for a program that ended,
/// and whoever waits for an answer keeps both halves open. A stream of HTTP/2 ends its half with each request.
package final class ClientPresence: Sendable {
    private let hasLeft = Atomic(false)

    /// A client that is there.
    package init() {}

    /// Whether nobody waits for an answer any more.
    package var isGone: Bool { hasLeft.load(ordering: .relaxed) }

    /// Notes that the client is gone.
    package func leave() { hasLeft.store(true, ordering: .relaxed) }
}

/// A handler that notes when a client goes, for work that would be done for nobody.
package final class ClientPresenceHandler: ChannelInboundHandler, RemovableChannelHandler {
    /// The messages that come in, which are passed on as they are.
    package typealias InboundIn = NIOAny

    /// The presence of the client of this channel.
    package let presence = ClientPresence()
    private let isStream: Bool

    /// Creates the handler of one channel.
    ///
    /// - Parameter isStream: whether the channel is a stream of HTTP/2.
    package init(isStream: Bool) { self.isStream = isStream }

    /// Notes that the client is gone: its channel is taken apart.
    package func handlerRemoved(context: ChannelHandlerContext) { presence.leave() }

    /// Notes that the client is gone: its connection has ended.
    package func channelInactive(context: ChannelHandlerContext) {
        presence.leave()
        context.fireChannelInactive()
    }

    /// Notes that the client is gone, of a connection that is closed on its side.
    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !isStream, case .inputClosed? = event as? ChannelEvent { presence.leave() }
        context.fireUserInboundEventTriggered(event)
    }
}

extension ClientPresence {
    /// The presence of the client of a channel: one who is gone, where the channel has ended, with all that noted it, and
    /// one who stays, where nothing notes it.
    static func of(_ channel: any Channel) async -> ClientPresence {
        let found = channel.eventLoop.submit { () -> ClientPresence? in
            guard channel.isActive else { return nil }
            let handler = try? channel.pipeline.syncOperations.handler(type: ClientPresenceHandler.self)
            return handler?.presence ?? ClientPresence()
        }
        if let presence = try? await found.get() { return presence }
        let gone = ClientPresence()
        gone.leave()
        return gone
    }
}
