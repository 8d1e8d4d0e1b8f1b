import NIOCore
import NIOPosix

/// A byte stream to one other end: a TCP connection, or a serial line.
///
/// It is for devices whose own firmware speaks the protocol, and for setting devices up over a serial line.
public struct ByteLink: Sendable {
    /// The other end of a link.
    public enum Place: Sendable {
        /// A host that listens on a port.
        case host(String, port: Int)
        /// An open file descriptor, which the link takes over.
        case descriptor(CInt)
    }

    /// The time in which a connection has to be established.
    private static let patience = TimeAmount.seconds(10)

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let channel: any Channel

    /// Opens a link, runs `body` with it, and closes it.
    ///
    /// - Parameters:
    ///   - place: the other end.
    ///   - body: receives the link, and the bytes from it.
    public static func open<Value: Sendable>(
        _ place: Place, _ body: @Sendable (ByteLink, inout Incoming) async throws -> Value
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
        }
    }

    /// Answers callers at a port, one after the other, until one of them leads to a value. Who calls while another is
    /// answered waits.
    ///
    /// - Parameters:
    ///   - host: the address to listen at.
    ///   - port: the port; 0 lets the system choose one.
    ///   - whenListening: receives the port.
    ///   - body: receives the link, and the bytes from it; with nil the next caller is waited for.
    public static func serve<Value: Sendable>(
        host: String, port: Int, whenListening: @Sendable (Int) -> Void = { _ in },
        _ body: @Sendable (ByteLink, inout Incoming) async throws -> Value?
    ) async throws -> Value {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port) { channel in wrap(channel) }
        whenListening(server.channel.localAddress?.port ?? port)
        return try await server.executeThenClose { all in
            var callers = all.makeAsyncIterator()
            var outcome: Result<Value, any Error>?
            while outcome == nil, let caller = try await callers.next() {
                do {
                    outcome = try await run(caller, body).map { .success($0) }
                } catch {
                    outcome = .failure(error)
                }
            }
            // Who has called meanwhile is hung up on: the listener does not end before.
            server.channel.close(promise: nil)
            while let late = try await callers.next() { try? await late.executeThenClose { _, _ in } }
            return try (outcome ?? .failure(CancellationError())).get()
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

    /// Closes the link.
    public func close() async { try? await channel.close() }

    /// The received bytes of a link.
    public struct Incoming {
        private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator

        fileprivate init(inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.inbound = inbound }

        /// The next bytes; nil when the other end has closed.
        public mutating func next() async throws -> [UInt8]? { try await inbound.next().map { Array(buffer: $0) } }
    }
}
