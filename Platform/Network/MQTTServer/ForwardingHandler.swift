import MQTT
import NIOCore

/// The last handler of a channel that another part of the process accepted, on its own event loop. It passes received
/// bytes to the listener's event loop, where the `Connection` is with its `ForwardedTransport`, and reads on when they
/// have been handled, so that at most one read waits between the two.
final class ForwardingHandler<Delegate: BrokerDelegate & SendableMetatype>: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: NIOLoopBound<BrokerServer<Delegate>>
    private let address: String
    private let isShared: Bool
    private let onAdmitted: @Sendable () -> Void
    /// The transport on the listener's event loop; nil once the connection has closed.
    private let far: NIOLoopBoundBox<ForwardedTransport<Delegate>?>
    private var context: ChannelHandlerContext?
    private var waiting = ByteBuffer()
    private var isTelling = false
    private var isReadAllowed = true
    private var isReadWanted = false

    init(
        to server: NIOLoopBound<BrokerServer<Delegate>>, address: String, isShared: Bool,
        onAdmitted: @escaping @Sendable () -> Void
    ) {
        self.server = server
        self.address = address
        self.isShared = isShared
        self.onAdmitted = onAdmitted
        far = .makeEmptyBox(valueType: ForwardedTransport<Delegate>.self, eventLoop: server.eventLoop)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let near = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (server, far, channel, address, isShared) = (server, far, context.channel, address, isShared)
        server.eventLoop.execute {
            let server = server.value
            let connection = server.makeConnection(of: ListenerConfiguration.Endpoint(), isShared: isShared)
            let transport = ForwardedTransport(connection, channel: channel, near: near)
            far.value = transport
            connection.begin(on: transport, address: address)
            server.arrived(connection)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: What the network says

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        waiting.writeBuffer(&bytes)
        isReadAllowed = false
        guard !isTelling else { return }
        // Once for all that comes now, whether its reader says where that ends or not.
        isTelling = true
        let near = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { near.value.tell() }
    }

    func read(context: ChannelHandlerContext) {
        if isReadAllowed { context.read() } else { isReadWanted = true }
    }

    func channelInactive(context: ChannelHandlerContext) {
        tell()
        let far = far
        server.eventLoop.execute {
            far.value?.depart()
            far.value = nil
        }
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            tell()
            context.close(promise: nil)
        case is ChannelShouldQuiesceEvent: onListener { $0.stop() }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { onListener { $0.fail(error) } }

    // MARK: There and back

    private func onListener(_ body: @escaping @Sendable (ForwardedTransport<Delegate>) -> Void) {
        let far = far
        server.eventLoop.execute { far.value.map(body) }
    }

    private func tell() {
        isTelling = false
        guard waiting.readableBytes > 0 else { return }
        let bytes = waiting
        waiting = ByteBuffer()
        onListener { $0.take(bytes) }
    }

    /// Reads on, after the last bytes were handled.
    func readOn() {
        isReadAllowed = true
        guard isReadWanted else { return }
        isReadWanted = false
        context?.read()
    }

    func admit() { onAdmitted() }
}

/// The transport of a connection that another part of the process accepted, on the listener's event loop.
final class ForwardedTransport<Delegate: BrokerDelegate & SendableMetatype>: Transport {
    private let connection: Connection<Delegate>
    private let channel: any Channel
    private let near: NIOLoopBound<ForwardingHandler<Delegate>>
    /// The number of bytes that the system has not taken yet.
    private var unwritten = 0
    private(set) var isWritable = true

    init(_ connection: Connection<Delegate>, channel: any Channel, near: NIOLoopBound<ForwardingHandler<Delegate>>) {
        self.connection = connection
        self.channel = channel
        self.near = near
    }

    private var server: BrokerServer<Delegate> { connection.server }

    // MARK: What the network says

    func take(_ bytes: ByteBuffer) {
        connection.receive(bytes)
        connection.readOn()
    }

    func depart() {
        connection.departed()
        connection.end()
    }

    func fail(_ error: any Error) { connection.fail(error) }

    /// Ends the connection because the hub stops.
    func stop() {
        server.beginTurn()
        connection.finish(.serverShuttingDown)
        server.endTurn()
    }

    // MARK: What the connection asks of it

    func read() { onChannel { $0.readOn() } }

    func write(_ bytes: ByteBuffer) {
        let count = bytes.readableBytes
        unwritten += count
        if unwritten > server.limits.outputBytes { isWritable = false }
        channel.writeAndFlush(bytes).hop(to: server.loop).assumeIsolated().whenComplete { _ in self.wrote(count) }
    }

    private func wrote(_ count: Int) {
        unwritten -= count
        guard !isWritable, unwritten < server.limits.outputBytes / 2 else { return }
        isWritable = true
        connection.writabilityChanged()
    }

    func finish() { channel.close(mode: .output, promise: nil) }

    func close() { channel.close(promise: nil) }

    func admit() { onChannel { $0.admit() } }

    private func onChannel(_ body: @escaping @Sendable (ForwardingHandler<Delegate>) -> Void) {
        let near = near
        channel.eventLoop.execute { body(near.value) }
    }
}
