import MQTT
import NIOCore

/// A connection's network, where the listener accepted it itself: the last handler of a channel on the listener's event loop.
final class SocketHandler<Delegate: BrokerDelegate>: ChannelDuplexHandler, Transport {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Connection<Delegate>
    private var context: ChannelHandlerContext?

    init(_ connection: Connection<Delegate>) { self.connection = connection }

    // MARK: What the network says

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection.begin(on: self, address: context.channel.remoteAddress?.ipAddress ?? "unknown")
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        connection.end()
    }

    func channelActive(context: ChannelHandlerContext) {
        connection.server.arrived(connection)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { connection.receive(Self.unwrapInboundIn(data)) }

    func read(context: ChannelHandlerContext) { connection.readOn() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        connection.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.departed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { connection.fail(error) }

    // MARK: What the connection asks of it

    var isWritable: Bool { context?.channel.isWritable ?? false }

    func read() { context?.read() }

    func write(_ bytes: ByteBuffer) { context?.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil) }

    func finish() { context?.close(mode: .output, promise: nil) }

    func close() { context?.close(promise: nil) }

    func admit() {}
}
