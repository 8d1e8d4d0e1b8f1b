import MQTT
import NIOCore
import NIOPosix
import Testing

/// A client of bytes and packets, which sends anything.
struct TestClient {
    struct Closed: Error {}

    let channel: any Channel
    private(set) var version = ProtocolVersion.v311
    private var iterator: AsyncStream<ByteBuffer>.Iterator
    private var bytes = ByteBuffer()

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let continuation: AsyncStream<ByteBuffer>.Continuation

        init(_ continuation: AsyncStream<ByteBuffer>.Continuation) { self.continuation = continuation }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            continuation.yield(Self.unwrapInboundIn(data))
        }
        func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
        /// A reset is an end like any other.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// - Parameter reads: whether what comes is taken from the socket; a slow subscriber does not.
    init(port: Int, reads: Bool = true) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // As long as the listener under test has: a busy machine may leave either without a turn for seconds.
            .connectTimeout(.minutes(2))
            .channelOption(.autoRead, value: reads)
            .channelOption(.socketOption(.so_rcvbuf), value: reads ? 1 << 20 : 4_096)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        iterator = stream.makeAsyncIterator()
    }

    /// Connects and is accepted.
    init(port: Int, connect: Connect, reads: Bool = true, sessionPresent: Bool = false) async throws {
        try await self.init(port: port, reads: reads)
        version = connect.version
        try await send(.connect(connect))
        guard reads else { return }
        guard case .connack(let connack)? = try await next() else { throw Closed() }
        #expect(connack.reason == .success)
        #expect(connack.isSessionPresent == sessionPresent)
    }

    func send(_ packets: Packet...) async throws {
        var bytes = ByteBuffer()
        for packet in packets { packet.write(into: &bytes, version: version) }
        try await channel.writeAndFlush(bytes)
    }

    func send(bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// The next packet, nil once the server has closed.
    mutating func next() async throws -> Packet? {
        while true {
            if case .packet(let packet) = try Packet.decode(
                from: &bytes, maximumLength: 1 << 20, version: version)
            {
                return packet
            }
            guard var more = await iterator.next() else { return nil }
            bytes.writeBuffer(&more)
        }
    }

    /// So many bytes as they came; fewer when the server has closed.
    mutating func read(_ count: Int) async -> [UInt8] {
        while bytes.readableBytes < count, var more = await iterator.next() { bytes.writeBuffer(&more) }
        return bytes.readBytes(length: min(count, bytes.readableBytes)) ?? []
    }

    /// Whatever comes until the server closes.
    mutating func readToEnd() async -> [UInt8] { await read(.max) }

    /// The server has done all that was asked before: it answers in order.
    mutating func settle() async throws {
        try await send(.pingreq)
        #expect(try await next() == .pingresp)
    }

    mutating func subscribe(_ filter: String, _ options: SubscriptionOptions = .atMostOnce) async throws {
        let subscription = Subscribe.Subscription(filter: try TopicFilter(filter), options: options)
        try await send(
            .subscribe(Subscribe(packetID: 1, subscriptions: [subscription], identifier: options.identifier)))
        #expect(try await next() == .suback(packetID: 1, [ReasonCode(granted: options.qualityOfService)]))
    }

    /// The next packet, which is a PUBLISH.
    mutating func nextPublish() async throws -> Publish {
        guard case .publish(let publish)? = try await next() else { throw Closed() }
        return publish
    }

    func publish(_ topic: String, _ payload: String, id: UInt16? = nil, retain: Bool = false) async throws {
        try await send(Self.publish(topic, payload, id: id, retain: retain))
    }

    static func publish(
        _ topic: String, _ payload: String, id: UInt16? = nil, retain: Bool = false, isDuplicate: Bool = false
    ) -> Packet {
        .publish(
            Publish(
                topic: ByteBuffer(string: topic), payload: ByteBuffer(string: payload), packetID: id, retain: retain,
                isDuplicate: isDuplicate))
    }

    /// Goes without DISCONNECT.
    func vanish() async throws {
        do {
            try await channel.close()
        } catch ChannelError.alreadyClosed {
            // The server was faster, such as after a DISCONNECT.
        }
    }
}
