import HubKit
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import TLS

/// HTTPS: HTTP/2 or HTTP/1.1 as the browser chooses by ALPN (RFC 7301), with the WebSocket on the latter. Plain HTTP
/// gets a page that says so, anything else is closed.
struct HTTPSChannel: ServerChildChannel {
    enum Accepted: Sendable {
        case http1(HTTP1WebSocketChannel.Value)
        case http2(HTTP2Channel.Value)
        case plain(HTTP1Channel.Value)
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let accepted: EventLoopFuture<Accepted>
    }

    private let acceptor: TLSAcceptor
    private let http1: HTTP1WebSocketChannel
    private let http2: HTTP2Channel
    private let plain: HTTP1Channel

    /// The time for the one request of a client that used plain HTTP, whatever else it sends.
    private static let plainTimeout = TimeAmount.seconds(10)

    /// Creates the channel.
    ///
    /// - Parameter streams: the HTTP/2 streams over all connections.
    init(
        acceptor: TLSAcceptor, responder: @escaping HTTPChannelHandler.Responder, socket: LiveSocket,
        mqtt: MQTTSocket?, plain: PlainHTTPResponder, hosts: OwnHosts, limits: ConnectionLimits,
        streams: OpenConnections
    ) {
        self.acceptor = acceptor
        http1 = HTTP1WebSocketChannel(
            responder: responder, socket: socket, mqtt: mqtt, hosts: hosts, isSecure: true, limits: limits)
        http2 = HTTP2Channel(
            responder: responder,
            configuration: .init(
                idleTimeout: Duration(limits.idle), gracefulCloseTimeout: .seconds(1),
                streamConfiguration: .init(
                    additionalChannelHandlers: [
                        RequestHandler(limits: limits, of: .stream(streams)), ClientPresenceHandler(isStream: true),
                        OwnHostHandler(hosts: hosts, limits: limits, isSecure: true),
                    ])))
        self.plain = HTTP1Channel(
            responder: { request, writer, channel in
                let response = plain.response(to: request)
                let body = try await writer.writeHead(response.head)
                try await response.body.write(body)
                // The answer says so; half of it, since what the client still sends would make the system reset the rest.
                channel.close(mode: .output, promise: nil)
            },
            configuration: .init(
                additionalChannelHandlers: [OwnHostHandler(hosts: hosts, limits: limits, isSecure: false)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: limits.headerFields)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            let accepted = try acceptor.start(on: channel) { start -> EventLoopFuture<Accepted> in
                switch start {
                case .tls("h2"): http2.setup(channel: channel, logger: logger).map { .http2($0) }
                case .tls: http1.setup(channel: channel, logger: logger).map { .http1($0) }
                case .plainHTTP: answerPlain(channel, logger: logger)
                }
            }
            // Not waited for: a handshake that takes its time holds up nobody else's.
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, accepted: accepted))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    private func answerPlain(_ channel: any Channel, logger: Logger) -> EventLoopFuture<Accepted> {
        let end = channel.eventLoop.scheduleTask(in: Self.plainTimeout) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in end.cancel() }
        return plain.setup(channel: channel, logger: logger).map { .plain($0) }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.accepted.get(closing: value.channel) {
            case .http1(let value): await http1.handle(value: value, logger: logger)
            case .http2(let value): await http2.handle(value: value, logger: logger)
            case .plain(let value): await plain.handle(value: value, logger: logger)
            }
        } catch {
            logger.debug("no TLS connection came to be", metadata: ["reason": "\(error)"])
        }
    }
}
