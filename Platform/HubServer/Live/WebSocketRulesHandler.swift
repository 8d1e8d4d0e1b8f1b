import HubKit
import NIOCore
import NIOWebSocket

/// A handler that enforces RFC 6455 on a client, between the decoder and the aggregator: a violation is answered with
/// its close code, and the connection is closed (7.1.7). It also pings silent clients (5.5.2), and closes if there is
/// no answer.
///
/// The decoder itself closes for control frames that are long or fragmented, and for frames that are too long.
final class WebSocketRulesHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The kind of data on the socket.
    enum Kind {
        /// Text messages of a limited size, all frames of one together.
        case messages(maximumBytes: Int)
        /// A byte stream in binary frames, whose borders have no meaning: a text frame ends it [MQTT-6.0.0-1].
        case binary
    }

    /// The number of frames in one message; pages send one.
    static let maximumFragments = 64

    private let kind: Kind
    private let interval: TimeAmount
    private var fragments = 0
    private var bytes = 0
    private var isClosing = false
    private var unansweredPings = 0
    /// Whether received data is being read. A client that is not read from cannot answer.
    private var isReading = true
    private var timer: RepeatedTask?

    /// Creates the handler.
    ///
    /// - Parameter ping: the interval of pings.
    init(_ kind: Kind, ping: TimeAmount) {
        self.kind = kind
        interval = ping
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            bound.value.0.ask(bound.value.1)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        unansweredPings = 0
        let frame = unwrapInboundIn(data)
        if let code = failure(frame) { return close(code, context) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            // Nothing follows a close (5.5.1).
            promise?.succeed()
            return
        }
        context.write(data, promise: promise)
    }

    /// The close code for a frame that violates the protocol; nil if it is valid.
    private func failure(_ frame: WebSocketFrame) -> WebSocketErrorCode? {
        // No extension was agreed on that would give the reserved bits a meaning (5.2), and a client masks (5.1).
        if frame.rsv1 || frame.rsv2 || frame.rsv3 || frame.maskKey == nil { return .protocolError }
        switch frame.opcode {
        case .ping, .pong: return nil
        case .connectionClose: return Self.failure(ofClose: frame.unmaskedData)
        case .text where fragments == 0, .binary where fragments == 0: break
        case .continuation where fragments > 0: break
        // A message within another one, the rest of none, or an opcode that has no meaning.
        default: return .protocolError
        }
        bytes += frame.length
        fragments += 1
        guard case .messages(let maximumBytes) = kind else {
            // Only whether one is open counts: a text, and the rest of one, come to nobody.
            if frame.fin { fragments = 0 }
            bytes = 0
            return frame.opcode == .text ? .unacceptableData : nil
        }
        if bytes > maximumBytes { return .messageTooLarge }
        if fragments > Self.maximumFragments { return .policyViolation }
        if frame.fin { (fragments, bytes) = (0, 0) }
        return nil
    }

    /// The close code for an invalid close frame. A valid one has no body, or a code that may be sent and a reason in
    /// UTF-8 (5.5.1, 7.4).
    private static func failure(ofClose body: ByteBuffer) -> WebSocketErrorCode? {
        var body = body
        guard body.readableBytes > 0 else { return nil }
        guard let code = body.readInteger(as: UInt16.self) else { return .protocolError }
        let isSendable =
            switch code {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        guard isSendable else { return .protocolError }
        return body.isUTF8 ? nil : .dataInconsistentWithMessage
    }

    /// Sends a close code, and closes once it is sent.
    func close(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in bound.value.close(promise: nil) }
    }

    private func ask(_ context: ChannelHandlerContext) {
        guard unansweredPings < 2 else { return context.close(promise: nil) }
        if isReading { unansweredPings += 1 }
        // What does not get through is not asked again: it would wait behind what the page does not take.
        guard context.channel.isWritable, !isClosing else { return }
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())), promise: nil)
    }
}

extension ByteBuffer {
    /// Whether the readable bytes are UTF-8 (RFC 3629).
    var isUTF8: Bool { String(validating: readableBytesView, as: UTF8.self) != nil }
}
