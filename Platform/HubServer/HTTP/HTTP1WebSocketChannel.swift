import Devices
import HTTPTypes
import HubKit
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket
import ServiceLifecycle

/// HTTP/1.1 and the WebSocket upgrade on one port, as a Hummingbird child channel.
///
/// It avoids four traps: NIO's typed upgrader loses the head of a request whose upgrade is not accepted; a refused
/// upgrade has to be answered by hand; an open WebSocket blocks a graceful shutdown; a request that cannot be read gets
/// no response, or two (`HTTP1AnswerHandler`). See docs/adr for why not the extra package.
struct HTTP1WebSocketChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    enum Upgraded: Sendable {
        case webSocket(Frames, HTTPRequestHead, PageDevices.Handle)
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        /// An MQTT connection, served by its own handlers.
        case mqtt(any Channel)
        case refused
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let result: EventLoopFuture<Upgraded>
    }

    let responder: HTTPChannelHandler.Responder
    let socket: LiveSocket
    /// The MQTT endpoint over WebSocket; nil without one.
    var mqtt: MQTTSocket?
    let hosts: OwnHosts
    /// Whether the connection uses TLS.
    var isSecure = false
    var limits = ConnectionLimits()

    /// The size of a frame on the live socket, at most, in bytes; pages send short messages.
    private static let maximumFrameBytes = 1 << 14
    private static let headTimeout = TimeAmount.seconds(10)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let refusal = NIOLoopBoundBox<Refusal?>(nil, eventLoop: channel.eventLoop)
            let upgrade = configuration(refusal: refusal, logger: logger)
            let pipeline = channel.pipeline.syncOperations
            let encoder = HTTPResponseEncoder()
            let decoder = HTTP1AnswerHandler.decoder(limits)
            let answers = HTTP1AnswerHandler(hosts: hosts, limits: limits, isSecure: isSecure)
            let filter = UpgradeFilter(takesMQTT: mqtt != nil)
            let handler = NIOTypedHTTPServerUpgradeHandler(
                httpEncoder: encoder, extraHTTPHandlers: [decoder, answers, filter], upgradeConfiguration: upgrade)
            try pipeline.addHandlers(encoder, decoder, answers, filter, handler)
            let idle = channel.eventLoop.scheduleTask(in: Self.headTimeout) { channel.close(promise: nil) }
            handler.upgradeResultFuture.whenComplete { _ in idle.cancel() }
            return Value(channel: channel, result: handler.upgradeResultFuture)
        }
    }

    /// The response to a handshake that is not accepted, or not yet.
    private struct Refusal: Sendable {
        var problem: Problem?
    }

    private func liveUpgrader(refusal: NIOLoopBoundBox<Refusal?>) -> NIOTypedWebSocketServerUpgrader<Upgraded> {
        let socket = socket
        let isSecure = isSecure
        let limits = limits
        return NIOTypedWebSocketServerUpgrader<Upgraded>(
            maxFrameSize: Self.maximumFrameBytes,
            shouldUpgrade: { channel, head in
                refusal.value = Refusal()
                let peer = channel.remoteAddress
                return channel.eventLoop.makeFutureWithTask {
                    await socket.authorize(head, peer: peer, isSecure: isSecure) ? HTTPHeaders() : nil
                }
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    // For its whole life: it is a page that somebody has open, who has signed in.
                    try? channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
                        .requestMoved(from: .none, to: .working)
                    try channel.pipeline.syncOperations.addHandlers(
                        WebSocketRulesHandler(.messages(maximumBytes: Self.maximumFrameBytes), ping: limits.ping),
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0,
                            maxAccumulatedFrameCount: WebSocketRulesHandler.maximumFragments + 1,
                            maxAccumulatedFrameSize: Self.maximumFrameBytes))
                    let devices = socket.pageDevices()
                    try channel.pipeline.syncOperations.addHandler(devices)
                    return .webSocket(
                        try Frames(wrappingChannelSynchronously: channel), head,
                        devices.handle(on: channel.eventLoop))
                }
            })
    }

    private func mqttUpgrader(
        _ mqtt: MQTTSocket, refusal: NIOLoopBoundBox<Refusal?>
    ) -> NIOTypedWebSocketServerUpgrader<Upgraded> {
        let isSecure = isSecure
        let ping = limits.ping
        return NIOTypedWebSocketServerUpgrader<Upgraded>(
            maxFrameSize: mqtt.maximumFrameBytes,
            shouldUpgrade: { channel, head in
                let problem = mqtt.problem(head, peer: channel.remoteAddress, isSecure: isSecure)
                refusal.value = Refusal(problem: problem)
                return channel.eventLoop.makeSucceededFuture(
                    problem == nil ? ["Sec-WebSocket-Protocol": MQTTSocket.subprotocol] : nil)
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    try mqtt.start(on: channel, head, isSecure: isSecure, ping: ping)
                    return .mqtt(channel)
                }
            })
    }

    /// Answers a request whose upgrade was refused, since NIO has swallowed its head, and closes the connection.
    private static func refuse(_ refusal: Refusal, on channel: any Channel) {
        let body = refusal.problem?.content() ?? ByteBuffer()
        var headers = HTTPHeaders(refusal.problem?.headers().map { ($0.name.rawName, $0.value) } ?? [])
        headers.add(name: "content-length", value: "\(body.readableBytes)")
        headers.add(name: "connection", value: "close")
        let status = refusal.problem.map { HTTPResponseStatus(statusCode: $0.code.code) } ?? .forbidden
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)), promise: nil)
        if body.readableBytes > 0 { channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil) }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }

    private func configuration(refusal: NIOLoopBoundBox<Refusal?>, logger: Logger)
        -> NIOTypedHTTPServerUpgradeConfiguration<Upgraded>
    {
        let isSecure = isSecure
        let limits = limits
        let upgrader = SocketUpgrader(
            live: liveUpgrader(refusal: refusal), mqtt: mqtt.map { mqttUpgrader($0, refusal: refusal) })
        return NIOTypedHTTPServerUpgradeConfiguration<Upgraded>(upgraders: [upgrader]) { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if let refused = refusal.value {
                    Self.refuse(refused, on: channel)
                    return .refused
                }
                try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
                try pipeline.addHandler(RequestHandler(limits: limits, of: .connection))
                try pipeline.addHandler(ClientPresenceHandler(isStream: false))
                try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: Duration(limits.idle), logger: logger))
                return .http(
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                )
            }
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.result.get(closing: value.channel) {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .webSocket(let channel, let head, let devices):
                try await socket.serve(head, channel, devices, isSecure: isSecure, logger)
            case .mqtt(let channel): try await Self.wait(for: channel)
            case .refused: break
            }
        } catch {
            logger.debug("connection ended", metadata: ["reason": "\(error)"])
        }
    }

    /// Waits until the connection has closed. When the hub stops, the client is told after everything owed was sent.
    private static func wait(for channel: any Channel) async throws {
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                try await channel.closeFuture.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } onGracefulShutdown: {
            channel.eventLoop.execute {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        }
    }
}

/// The upgrader for the requested path: NIO knows one for each protocol, and each path has its own size of frames.
private struct SocketUpgrader: NIOTypedHTTPServerProtocolUpgrader {
    let live: NIOTypedWebSocketServerUpgrader<HTTP1WebSocketChannel.Upgraded>
    let mqtt: NIOTypedWebSocketServerUpgrader<HTTP1WebSocketChannel.Upgraded>?

    var supportedProtocol: String { live.supportedProtocol }
    var requiredUpgradeHeaders: [String] { live.requiredUpgradeHeaders }

    private func upgrader(for head: HTTPRequestHead) -> NIOTypedWebSocketServerUpgrader<HTTP1WebSocketChannel.Upgraded>
    {
        if let mqtt, MQTTSocket.isPath(head.path) { mqtt } else { live }
    }

    func buildUpgradeResponse(
        channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        upgrader(for: upgradeRequest).buildUpgradeResponse(
            channel: channel, upgradeRequest: upgradeRequest, initialResponseHeaders: initialResponseHeaders)
    }

    func upgrade(channel: any Channel, upgradeRequest: HTTPRequestHead)
        -> EventLoopFuture<HTTP1WebSocketChannel.Upgraded>
    {
        upgrader(for: upgradeRequest).upgrade(channel: channel, upgradeRequest: upgradeRequest)
    }
}

extension HTTPRequestHead {
    /// The path of the target, without the query.
    fileprivate var path: String { String(uri.prefix { $0 != "?" }) }
}

extension EventLoopFuture where Value: Sendable {
    /// The outcome of the upgrade. A connection without one when the hub stops is closed, and not waited for.
    func get(closing channel: any Channel) async throws -> Value {
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                try await get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } onGracefulShutdown: {
            channel.close(promise: nil)
        }
    }
}

/// A filter for `Upgrade` headers that are not supported, so that the request is an ordinary one.
private final class UpgradeFilter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let takesMQTT: Bool

    init(takesMQTT: Bool) { self.takesMQTT = takesMQTT }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.headers.contains(name: "upgrade") else {
            return context.fireChannelRead(data)
        }
        let isWebSocket =
            head.method == .GET && (LiveSocket.isPath(head.path) || takesMQTT && MQTTSocket.isPath(head.path))
            && head.headers["sec-websocket-key"].count == 1
            && head.headers["sec-websocket-version"] == ["13"]
            && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
        if !isWebSocket {
            head.headers.remove(name: "upgrade")
            // The decoder parses nothing more after an upgrade was asked for.
            head.headers.replaceOrAdd(name: "connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
