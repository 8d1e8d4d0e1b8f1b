import NIOCore
import NIOWebSocket

/// A handler for a byte stream in the binary frames of a WebSocket, behind the `WebSocketRulesHandler`: it joins the
/// contents of frames, and writes each write as a frame.
final class BinaryFramesHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    private let onFrame: () -> Void
    private var isCloseSent = false

    /// Creates the handler.
    ///
    /// - Parameter onFrame: called for each frame, also those without bytes of the stream.
    init(onFrame: @escaping () -> Void = {}) { self.onFrame = onFrame }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        onFrame()
        switch frame.opcode {
        case .binary, .continuation:
            let bytes = frame.unmaskedData
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
        case .ping:
            // One that takes nothing is answered later, by the next (RFC 6455, 5.5.3).
            guard context.channel.isWritable, !isCloseSent else { return }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            var body = frame.unmaskedData
            sayClose(context, body.readSlice(length: min(2, body.readableBytes)) ?? ByteBuffer(), promise: nil)
            context.close(promise: nil)
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isCloseSent else {
            promise?.succeed()
            return
        }
        let frame = WebSocketFrame(fin: true, opcode: .binary, data: unwrapOutboundIn(data))
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    /// Ends the stream with a close frame, which the client answers with its own (RFC 6455, 5.5.1).
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        var code = ByteBuffer()
        code.write(webSocketErrorCode: .normalClosure)
        switch mode {
        case .output: sayClose(context, code, promise: promise)
        case .all, .input:
            sayClose(context, code, promise: nil)
            context.close(mode: mode, promise: promise)
        }
    }

    private func sayClose(_ context: ChannelHandlerContext, _ body: ByteBuffer, promise: EventLoopPromise<Void>?) {
        guard !isCloseSent else {
            promise?.succeed()
            return
        }
        isCloseSent = true
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: body)
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }
}
