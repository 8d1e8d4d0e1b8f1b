import NIOCore
import Synchronization

/// Ends the connections of one call at once.
///
/// TLS would say good-bye, wait seconds for the other side's, and read on meanwhile: somebody who floods us, or says
/// nothing, is not owed that. HTTP tells by itself where an answer ends.
final class HangUp: Sendable {
    private let channels = Mutex<[any Channel]>([])

    /// Takes a connection whose handshake is done.
    func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
        channels.withLock { $0.append(channel) }
        // Before TLS, where a close goes to the socket.
        return channel.pipeline.addHandler(Handler(), position: .first)
    }

    func callAsFunction() {
        for channel in channels.withLock({ $0 }) { channel.triggerUserOutboundEvent(Event(), promise: nil) }
    }

    private struct Event: Sendable {}

    private final class Handler: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = NIOAny

        func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
            guard event is Event else { return context.triggerUserOutboundEvent(event, promise: promise) }
            context.close(promise: promise)
        }
    }
}
