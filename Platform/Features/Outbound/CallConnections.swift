import HubKit
import NIOCore
import Synchronization

/// The connections of one call, which can all be ended at once.
///
/// TLS would say good-bye, wait seconds for the other side's, and read on meanwhile: somebody who floods us, or says
/// nothing, is not owed that. HTTP tells by itself where an answer ends.
final class CallConnections: Sendable {
    private let channels = Mutex<[any Channel]>([])

    /// Takes a connection whose handshake is done.
    func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
        channels.withLock { $0.append(channel) }
        return channel.pipeline.addHandler(Place(), position: .first)
    }

    /// Ends them, at once.
    func abort() {
        for channel in channels.withLock({ $0 }) {
            channel.eventLoop.execute {
                // Not there any more where the connection has ended by itself.
                try? channel.pipeline.syncOperations.context(handlerType: Place.self).close(promise: nil)
            }
        }
    }

    /// Marks the place before TLS, from where a close goes straight to the socket.
    private final class Place: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer
    }
}
