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

/// HTTP/1.1 and WebSocket upgrade on one port, as a Hummingbird child channel.
///
/// Four traps it steps around: NIO's typed upgrader loses the head of a request whose upgrade nobody takes; a refused
/// upgrade has to be answered by hand; an open WebSocket holds a graceful shutdown; a request that cannot be read is
/// answered by nobody, or twice (`HTTP1AnswerHandler`). See docs/adr for why not the extra package.
struct HTTP1WebSocketChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    enum Upgraded: Sendable {
        case webSocket(Frames, HTTPRequestHead, PageDevices.Handle)
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case refused
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let result: EventLoopFuture<Upgraded>
    }

    let responder: HTTPChannelHandler.Responder
    let socket: LiveSocket
    let hosts: OwnHosts
    /// Whether the connection below is TLS.
    var isSecure = false
    var limits = ConnectionLimits()

    /// A page says little on the live socket, so that its frames are short.
    private static let maximumFrameBytes = 1 << 14
    private static let headTimeout = TimeAmount.seconds(10)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let attempted = NIOLoopBoundBox(false, eventLoop: channel.eventLoop)
            let upgrade = configuration(attempted: attempted, logger: logger)
            let pipeline = channel.pipeline.syncOperations
            let encoder = HTTPResponseEncoder()
            let decoder = HTTP1AnswerHandler.decoder(limits)
            let answers = HTTP1AnswerHandler(hosts: hosts, limits: limits, isSecure: isSecure)
            let filter = UpgradeFilter()
            let handler = NIOTypedHTTPServerUpgradeHandler(
                httpEncoder: encoder, extraHTTPHandlers: [decoder, answers, filter], upgradeConfiguration: upgrade)
            try pipeline.addHandlers(encoder, decoder, answers, filter, handler)
            let idle = channel.eventLoop.scheduleTask(in: Self.headTimeout) { channel.close(promise: nil) }
            handler.upgradeResultFuture.whenComplete { _ in idle.cancel() }
            return Value(channel: channel, result: handler.upgradeResultFuture)
        }
    }

    private func configuration(attempted: NIOLoopBoundBox<Bool>, logger: Logger)
        -> NIOTypedHTTPServerUpgradeConfiguration<Upgraded>
    {
        let socket = socket
        let isSecure = isSecure
        let limits = limits
        let upgrader = NIOTypedWebSocketServerUpgrader<Upgraded>(
            maxFrameSize: Self.maximumFrameBytes,
            shouldUpgrade: { channel, head in
                attempted.value = true
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
                        WebSocketRulesHandler(maximumBytes: Self.maximumFrameBytes, ping: limits.ping),
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0,
                            maxAccumulatedFrameCount: WebSocketRulesHandler.maximumFragments + 1,
                            maxAccumulatedFrameSize: Self.maximumFrameBytes))
                    let devices = PageDevices(services: socket.services)
                    try channel.pipeline.syncOperations.addHandler(devices)
                    return .webSocket(
                        try Frames(wrappingChannelSynchronously: channel), head,
                        devices.handle(on: channel.eventLoop))
                }
            })
        return NIOTypedHTTPServerUpgradeConfiguration<Upgraded>(upgraders: [upgrader]) { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if attempted.value {
                    // NIO has swallowed the head already: answer here and close.
                    let head = HTTPResponseHead(
                        version: .http1_1, status: .forbidden, headers: ["content-length": "0", "connection": "close"])
                    channel.write(HTTPServerResponsePart.head(head), promise: nil)
                    channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
                        channel.close(promise: nil)
                    }
                    return .refused
                }
                try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
                try pipeline.addHandler(RequestHandler(limits: limits, of: .connection))
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
            case .refused: break
            }
        } catch {
            logger.debug("connection ended", metadata: ["reason": "\(error)"])
        }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// What a connection turns out to be. One that has not said it when the hub stops is closed, and not waited for.
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

/// Hides an `Upgrade` header that nobody will take, so that the request is an ordinary one.
private final class UpgradeFilter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.headers.contains(name: "upgrade") else {
            return context.fireChannelRead(data)
        }
        let path = String(head.uri.prefix { $0 != "?" })
        let isWebSocket =
            head.method == .GET && LiveSocket.isPath(path) && head.headers["sec-websocket-key"].count == 1
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
