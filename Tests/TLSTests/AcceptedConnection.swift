import NIOCore
import NIOEmbedded
import Synchronization

@testable import TLS

/// One connection that a `TLSAcceptor` took, without a network.
final class AcceptedConnection {
    let channel = EmbeddedChannel()
    let received = ReceivedBytes()
    private let starts = Starts()

    /// What came of it.
    private let result: EventLoopFuture<Void>
    private let ending = Ending()

    private final class Starts: Sendable { let all = Mutex<[TLSAcceptor.Start]>([]) }
    private final class Ending: Sendable { let error = Mutex<TLSAcceptorError?>(nil) }

    /// - Parameter gate: until it is fulfilled, the handlers are not there.
    init(_ acceptor: TLSAcceptor, isConfigured gate: ((any EventLoop) -> EventLoopFuture<Void>)? = nil) throws {
        let (channel, received, starts, ending) = (self.channel, self.received, self.starts, self.ending)
        let opened = gate?(channel.eventLoop) ?? channel.eventLoop.makeSucceededVoidFuture()
        result = try acceptor.start(on: channel) { start in
            starts.all.withLock { $0.append(start) }
            return opened.flatMap { channel.pipeline.addHandler(received) }
        }
        result.whenFailure { error in ending.error.withLock { $0 = error as? TLSAcceptorError } }
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 8443), promise: nil)
    }

    deinit { channel.abandon() }

    /// As when the client closes: nobody here is asked.
    func clientGoesAway() throws {
        try channel.pipeline.syncOperations.context(handlerType: FirstByteHandler.self).close(promise: nil)
        channel.embeddedEventLoop.run()
    }

    /// How often, and for what, handlers were asked for.
    var start: [TLSAcceptor.Start] { starts.all.withLock { $0 } }

    /// Why it did not become one.
    var failure: TLSAcceptorError? { ending.error.withLock { $0 } }

    func receive(_ bytes: some Collection<UInt8>) throws {
        guard channel.isActive else { return }
        try channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    func receive(_ text: String) throws { try receive(Array(text.utf8)) }

    /// Carries bytes between this and a client until neither says more.
    func exchange(with client: EmbeddedChannel, pieces: Int = .max) throws {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            while var buffer = try client.readOutbound(as: ByteBuffer.self) {
                isQuiet = false
                while let piece = buffer.readSlice(length: min(pieces, buffer.readableBytes)), piece.readableBytes > 0 {
                    try receive(piece.readableBytesView)
                }
            }
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                isQuiet = false
                if client.isActive { try client.writeInbound(buffer) }
            }
            channel.embeddedEventLoop.run()
            client.embeddedEventLoop.run()
        }
    }
}
