import Admission
import HubKit
import MQTT
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// MQTT over WebSocket at `/mqtt` (MQTT 5.0, section 6), for clients that cannot use a port of their own. Clients sign
/// in with their CONNECT, as at the MQTT port.
public struct MQTTSocket: Sendable {
    /// A function that adds MQTT to a channel, behind handlers that exchange its bytes: `MQTTListener.serve`.
    ///
    /// It is called on the channel's event loop with the other end's address, whether that stands for many clients, and
    /// a function to call there once the client was accepted.
    public typealias Serve =
        @Sendable (
            _ channel: any Channel, _ address: String, _ isShared: Bool, _ onAdmitted: @escaping @Sendable () -> Void
        ) throws -> Void

    private let settings: HubSettings
    private let serve: Serve

    static func isPath(_ path: String) -> Bool { path == "/mqtt" }
    /// The subprotocol of the WebSocket [MQTT-6.0.0-3], [MQTT-6.0.0-4].
    static let subprotocol = "mqtt"

    /// Creates the endpoint.
    ///
    /// - Parameters:
    ///   - settings: the settings of the hub whose pages may use it.
    ///   - serve: adds MQTT to a channel.
    public init(settings: HubSettings, serve: @escaping Serve) {
        self.settings = settings
        self.serve = serve
    }

    /// The size of a frame, at most: that of the longest packet. Packets may span frames, so shorter ones work too.
    var maximumFrameBytes: Int { settings.messageLimits.packetBytes + 5 }

    /// The reason to refuse a handshake; nil if it is accepted. A page must be this hub's own, since a browser sends
    /// what any page tells it from inside the home. Devices have no `Origin`.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - peer: the address of the other end.
    ///   - isSecure: whether the connection uses TLS.
    func problem(_ head: HTTPRequestHead, peer: SocketAddress?, isSecure: Bool) -> Problem? {
        let source = source(head, peer: peer, isSecure: isSecure)
        guard source.isOwn(origin: head.headers.first(name: "origin"), anyScheme: true) else {
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

    /// Adds MQTT to the frames of a WebSocket, whose encoder and decoder are there; on the channel's event loop.
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

/// A limit for WebSocket clients that were not accepted yet: the hub must not buffer a long frame whose end does not
/// arrive, but at most one read beyond the size of a CONNECT.
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
