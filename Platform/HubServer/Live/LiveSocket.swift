import Accounts
import Devices
import Foundation
import HubKit
import Localization
import Logging
import NIOCore
import NIOHTTP1
import NIOWebSocket
import ServiceLifecycle

/// A page's WebSocket at `/api/live`: live messages, and messages between the page and its devices.
struct LiveSocket: Sendable {
    let services: ServerContext
    private var hub: HubContext { services.hub }

    /// The WebSocket close code for a page whose sign-in has ended: 4000 to 4999 are the application's (RFC 6455,
    /// 7.4.2).
    static let signInEnded: UInt16 = 4401

    static func isPath(_ path: String) -> Bool { path == "/api/live" }

    /// Whether a request comes from a page of this hub's own origin with a sign-in, or from a program with a token.
    ///
    /// - Parameters:
    ///   - head: the request.
    ///   - peer: the address of the other end.
    ///   - isSecure: whether the connection uses TLS.
    func authorize(_ head: HTTPRequestHead, peer: SocketAddress?, isSecure: Bool) async -> Bool {
        let source = source(head, peer: peer, isSecure: isSecure)
        guard source.isOwn(origin: head.headers.first(name: "origin")) else { return false }
        return await member(head, source) != nil
    }

    /// The handler of a page's frames to its devices.
    func pageDevices() -> PageDevices {
        PageDevices(hub: hub, devices: services.devices, channels: services.channels)
    }

    private func source(_ head: HTTPRequestHead, peer: SocketAddress?, isSecure: Bool) -> RequestSource {
        RequestSource(
            peer: peer, isSecure: isSecure, host: head.headers.first(name: "host"),
            trustedProxies: hub.settings.trustedProxies, origin: hub.settings.origin
        ) { head.headers[$0] }
    }

    private func member(_ head: HTTPRequestHead, _ source: RequestSource) async -> Member? {
        let token = Credentials.token(
            authorization: head.headers.first(name: "authorization"), cookies: head.headers["cookie"],
            isSecure: source.isSecure)
        guard let token else { return nil }
        return try? await services.accounts.member(token: token)
    }

    /// Serves a page until it leaves.
    ///
    /// - Parameter isSecure: whether the connection uses TLS.
    func serve(
        _ head: HTTPRequestHead, _ channel: HTTP1WebSocketChannel.Frames, _ devices: PageDevices.Handle,
        isSecure: Bool, _ logger: Logger
    ) async throws {
        let source = source(head, peer: channel.channel.remoteAddress, isSecure: isSecure)
        guard let member = await member(head, source) else {
            // The sign-in has ended since it was authorised.
            return try await channel.executeThenClose { _, outbound in
                try await Self.close(.unknown(Self.signInEnded), outbound)
            }
        }
        let query = URLComponents(string: head.uri)?.queryItems ?? []
        let resume = query.first { $0.name == "resume" }?.value
        // A page's script cannot set header fields of a WebSocket.
        let language = Language.preferred(
            acceptLanguage: query.first { $0.name == "language" }?.value ?? "", among: StringCatalog.hub.languages)
        devices.perform { $0.begin(member, in: language) }
        let (id, frames) = hub.live.listen(
            member, resume: resume, now: hub.clock.now(), onEnd: { devices.perform { $0.end() } })
        let live = hub.live
        // Whatever ends this, a write that fails too: a listener that stays would be kept what nobody ever reads.
        defer { live.leave(id) }
        // A sign-in that ended while this page was let in has put out only the pages that it found.
        if await self.member(head, source) == nil { live.end { $0.signIn == member.signIn } }
        try await withTaskCancellationHandler {
            try await channel.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await Self.send(frames, to: outbound, live: live) }
                    group.addTask { try await Self.answer(inbound, outbound) }
                    // Whichever ends first ends the other: the stream is finished, the channel closed.
                    _ = try await group.next()
                    live.leave(id)
                    group.cancelAll()
                }
            }
        } onCancel: {
            live.leave(id)
        }
    }

    private static func send(
        _ frames: AsyncStream<LiveEvents.Frame>, to outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
        live: LiveEvents
    ) async throws {
        try await withGracefulShutdownHandler {
            for await frame in frames {
                switch frame {
                case .text(let text):
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
                case .overflow:
                    let text = LiveEvent.reset.text(id: "\(live.boot)-0")
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
                case .ended:
                    return try await close(.unknown(signInEnded), outbound)
                }
            }
            try await close(.goingAway, outbound)
        } onGracefulShutdown: {
            live.shutDown()
        }
    }

    private static func close(_ code: WebSocketErrorCode, _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>)
        async throws
    {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        try await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
    }

    private static func answer(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws {
        for try await frame in inbound {
            switch frame.opcode {
            case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
            case .connectionClose:
                var data = frame.unmaskedData
                let code = data.readSlice(length: min(2, data.readableBytes)) ?? ByteBuffer()
                try? await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: code))
                return
            default: break
            }
        }
    }
}
