import NIOCore
import NIOPosix

/// A stream of bytes to one other: a TCP connection, or a serial line.
///
/// For devices whose own firmware speaks the protocol, and for what is set up over a line.
public struct ByteLink: Sendable {
    /// Where the other is.
    public enum Place: Sendable {
        /// Listens there.
        case host(String, port: Int)
        /// Calls here, and is the only one that is taken.
        case caller(host: String, port: Int)
        /// An open file descriptor, of which the link becomes the owner.
        case descriptor(CInt)
    }

    /// How long a connection may take.
    private static let patience = TimeAmount.seconds(10)

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let channel: any Channel

    /// Opens a link, runs `body` with it, and closes it.
    ///
    /// - Parameters:
    ///   - place: where the other is.
    ///   - whenListening: told the port where a caller may call from now on, which the system has chosen where it was 0.
    ///   - body: gets the link, and what comes over it.
    public static func open<Value: Sendable>(
        _ place: Place, whenListening: @Sendable (Int) -> Void = { _ in },
        _ body: @Sendable (ByteLink, inout Incoming) async throws -> Value
    ) async throws -> Value {
        switch place {
        case .host(let host, let port):
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connectTimeout(patience)
                .connect(host: host, port: port) { channel in wrap(channel) }
            return try await run(channel, body)
        case .descriptor(let descriptor):
            let channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .takingOwnershipOfDescriptor(inputOutput: descriptor) { channel in wrap(channel) }
            return try await run(channel, body)
        case .caller(let host, let port):
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port) { channel in wrap(channel) }
            whenListening(server.channel.localAddress?.port ?? port)
            return try await server.executeThenClose { callers in
                for try await caller in callers { return try await run(caller, body) }
                throw CancellationError()
            }
        }
    }

    private static func wrap(_ channel: any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> {
        channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
    }

    private static func run<Value: Sendable>(
        _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
        _ body: @Sendable (ByteLink, inout Incoming) async throws -> Value
    ) async throws -> Value {
        try await channel.executeThenClose { inbound, outbound in
            var incoming = Incoming(inbound: inbound.makeAsyncIterator())
            return try await body(ByteLink(outbound: outbound, channel: channel.channel), &incoming)
        }
    }

    /// Sends bytes, and returns when the line has taken them.
    public func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Ends the link: nothing more comes over it.
    public func close() async { try? await channel.close() }

    /// What comes over a link.
    public struct Incoming {
        private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator

        fileprivate init(inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.inbound = inbound }

        /// The next bytes; nil when the other has closed.
        public mutating func next() async throws -> [UInt8]? { try await inbound.next().map { Array(buffer: $0) } }
    }
}
