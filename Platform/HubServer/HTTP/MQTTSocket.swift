import Admission
import HubKit
import MQTT
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// MQTT over WebSocket at `/mqtt`, MQTT 5.0, section 6: for clients that may not, or cannot, use a port of their own. Who
/// comes here signs in with its CONNECT, as those do that come to the port of MQTT.
public struct MQTTSocket: Sendable {
    /// Puts MQTT on a channel, behind handlers that give it the bytes and take them: `MQTTListener.serve`.
    ///
    /// Called on the channel's event loop with the other end's address, whether that stands for many clients, and what is
    /// to be called there once the client was let in.
    public typealias Serve =
        @Sendable (
            _ channel: any Channel, _ address: String, _ isShared: Bool, _ onAdmitted: @escaping @Sendable () -> Void
        ) throws -> Void

    private let settings: HubSettings
    private let serve: Serve

    static func isPath(_ path: String) -> Bool { path == "/mqtt" }
    /// Of the WebSocket [MQTT-6.0.0-3], [MQTT-6.0.0-4].
    static let subprotocol = "mqtt"

    /// - Parameter settings: of the hub whose pages may use it.
    public init(settings: HubSettings, serve: @escaping Serve) {
        self.settings = settings
        self.serve = serve
    }

    /// The longest frame: one that holds the longest packet. Packets may cross frames, so that shorter ones do too.
    var maximumFrameBytes: Int { settings.messageLimits.packetBytes + 5 }

    /// Why a handshake is refused; nil where it is taken. A page must be this hub's own, since a browser sends what a page
    /// of a stranger's tells it from inside of the house. Devices have no `Origin`.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - isSecure: whether the connection is TLS.
    func problem(_ head: HTTPRequestHead, peer: SocketAddress?, isSecure: Bool) -> Problem? {
        guard source(head, peer: peer, isSecure: isSecure).isOwn(origin: head.headers.first(name: "origin")) else {
            return Problem(
                .forbidden, "Another origin",
                "MQTT over WebSocket is for devices, which send no Origin, and for this hub’s own pages.")
        }
        guard head.headers[canonicalForm: "sec-websocket-protocol"].contains(Self.subprotocol[...]) else {
            return Problem(
                .badRequest, "Which protocol?",
                "Ask for the WebSocket’s subprotocol “mqtt”: nothing else is spoken here.")
        }
        return nil
    }

    private func source(_ head: HTTPRequestHead, peer: SocketAddress?, isSecure: Bool) -> RequestSource {
        RequestSource(
            peer: peer, isSecure: isSecure, host: head.headers.first(name: "host"),
            trustedProxies: settings.trustedProxies, origin: settings.origin
        ) { head.headers[$0] }
    }

    /// Builds MQTT on the frames of a WebSocket, whose encoder and decoder are there; on the channel's event loop.
    func start(on channel: any Channel, _ head: HTTPRequestHead, isSecure: Bool, ping: TimeAmount) throws {
        let pipeline = channel.pipeline.syncOperations
        let connection = try? pipeline.handler(type: ConnectionHandler.self)
        // Until it has said who it is, it is one of those that may be sent away for another.
        connection?.requestMoved(from: .none, to: .arriving)
        let decoder = try pipeline.handler(type: ByteToMessageHandler<WebSocketFrameDecoder>.self)
        let first = FirstBytesLimit(bytes: settings.messageLimits.connectBytes)
        try pipeline.addHandler(first, position: .before(decoder))
        try pipeline.addHandlers(
            WebSocketRulesHandler(.binary, ping: ping), BinaryFramesHandler { first.frameCame() })
        let source = source(head, peer: channel.remoteAddress, isSecure: isSecure)
        let bound = NIOLoopBound((first, connection), eventLoop: channel.eventLoop)
        try serve(channel, source.address, settings.isShared(IPAddress(source.address))) {
            let (first, connection) = bound.value
            first.lift()
            connection?.requestMoved(from: .arriving, to: .working)
        }
    }
}

/// Before its client has been let in, a WebSocket may not make the hub keep a long frame of which the end does not come: no
/// more than one read beyond what a CONNECT may have.
private final class FirstBytesLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let bytes: Int
    private var waiting = 0
    private var isLifted = false

    init(bytes: Int) { self.bytes = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLifted else { return context.fireChannelRead(data) }
        guard waiting <= bytes else {
            // Said with a close frame by the handler behind the decoder; what comes until then is nobody's.
            return context.fireErrorCaught(NIOWebSocketError.invalidFrameLength)
        }
        waiting += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }

    func frameCame() { waiting = 0 }

    func lift() { isLifted = true }
}
