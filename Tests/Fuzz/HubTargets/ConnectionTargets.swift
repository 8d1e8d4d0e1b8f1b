import Foundation
import FuzzTargets
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket
import TLS

@testable import Devices
@testable import HubKit
@testable import HubServer

extension FuzzTarget {
    static var connections: [FuzzTarget] {
        [
            FuzzTarget(
                "http-requests", longestInput: 2_048,
                dictionary: [
                    "GET / HTTP/1.1\\x0d\\x0a", "POST ", "HTTP/1.0\\x0d\\x0a", "Host: localhost\\x0d\\x0a",
                    "Transfer-Encoding: chunked\\x0d\\x0a", "Content-Length: ", "Connection: close\\x0d\\x0a",
                    "\\x0d\\x0a\\x0d\\x0a", "0\\x0d\\x0a\\x0d\\x0a", "5\\x0d\\x0a", "http://localhost/",
                    "Upgrade: websocket\\x0d\\x0a", "Expect: 100-continue\\x0d\\x0a", "5;a=b\\x0d\\x0a",
                ], seeds: requests.map { [0] + Array($0.utf8) } + requests.map { [13] + Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkRequests(bytes) },
            FuzzTarget(
                "websocket-frames", longestInput: 2_048,
                dictionary: [
                    "{\\\"type\\\":\\\"send\\\",\\\"device\\\":\\\"a\\\",\\\"data\\\":\\\"", "\\x88\\x82",
                    "\\x01\\x81",
                    "\\x80\\x81", "\\xff\\xfe\\x00\\x80",
                ],
                seeds: [
                    [0] + frame(0x81, #"{"type":"send","device":"kit","data":"1\u00e9"}"#) + frame(0x89, "?"),
                    [3] + frame(0x01, #"{"type":"att"#) + frame(0x8A, "") + frame(0x80, #"ach","device":"kit"}"#),
                    [0] + frame(0x88, "\u{03}\u{E8}"),
                ]
            ) { bytes throws(BrokenProperty) in try checkFrames(bytes) },
        ]
    }

    // MARK: HTTP/1.1

    private static let requests = [
        "GET /healthz HTTP/1.1\r\nHost: localhost:8080\r\n\r\nGET /api/session HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        """
        POST /api/session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n\
        3;x=1\r\n 1}\r\n0\r\nTrailer: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n
        """,
        "PUT http://localhost/api/plants/1?x=2 HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}",
        "GET /api/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "OPTIONS * HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ]

    /// An embedded channel has no output of its own to close.
    private final class HalfClosure: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard case .output = mode else { return context.close(mode: mode, promise: promise) }
            promise?.succeed()
        }
    }

    /// What of the hub stands behind the connection: it sees what was handed on, and answers.
    private struct Answering {
        var heads = 0
        private(set) var answers = 0
        private(set) var text: [UInt8] = []
        let channel = EmbeddedChannel()
        let limits = ConnectionLimits()
        /// Whether it answers as soon as it has seen the head.
        var isEarly = false

        mutating func takeRequests() throws(BrokenProperty) {
            while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
                if case .head(let head) = part {
                    heads += 1
                    let hosts = head.headers["host"]
                    try require(hosts.count == 1 || head.version == .http1_0 && hosts.isEmpty, "it names one host")
                    try require(hosts.allSatisfy { RequestHost($0) != nil }, "the host is one")
                    try require(head.uri.hasPrefix("/") || head.uri == "*", "it asks for a path: \(head.uri)")
                    try require(head.uri.utf8.count <= limits.targetBytes, "the path is bounded")
                    if isEarly { answer() }
                } else if case .end = part, !isEarly {
                    answer()
                }
            }
        }

        private mutating func answer() {
            answers += 1
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "2"])
            _ = try? channel.writeOutbound(HTTPServerResponsePart.head(head))
            _ = try? channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "ok"))))
            _ = try? channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }

        mutating func takeAnswers() {
            channel.embeddedEventLoop.run()
            while let part = try? channel.readOutbound(as: ByteBuffer.self) { text += Array(buffer: part) }
        }
    }

    /// However a request is broken and wherever the pieces of it end: each is answered once at most, after an answer
    /// that ends the connection comes no other, and every answer has what browsers are to be sent.
    private static func checkRequests(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let how = bytes.first else { return }
        let hosts = OwnHosts(
            settings: HubSettings(dataFolder: ""), network: { LocalNetwork(hostName: "machine", addresses: []) })
        var hub = Answering()
        hub.isEarly = how & 64 != 0
        let channel = hub.channel
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        do {
            try channel.pipeline.syncOperations.addHandlers(
                HalfClosure(), HTTPResponseEncoder(), HTTP1AnswerHandler.decoder(hub.limits),
                HTTP1AnswerHandler(hosts: hosts, limits: hub.limits, isSecure: how & 128 != 0))
            channel.connect(to: try SocketAddress(ipAddress: "192.168.1.20", port: 50_000), promise: nil)
        } catch {
            throw BrokenProperty(description: "the pipeline can be built: \(error)")
        }
        var rest = bytes.dropFirst()
        let piece = Int(how & 63) == 0 ? rest.count : Int(how & 63)
        while !rest.isEmpty, channel.isActive {
            _ = try? channel.writeInbound(ByteBuffer(bytes: rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            try hub.takeRequests()
            hub.takeAnswers()
        }
        try checkAnswers(String(decoding: hub.text, as: UTF8.self), requests: hub.heads, hub.answers)
    }

    private static func checkAnswers(_ text: String, requests: Int, _ answers: Int) throws(BrokenProperty) {
        let heads = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
        try require(heads.count <= requests + 1, "each request is answered once: \(heads.count) of \(requests)")
        try require(heads.count <= answers + 1, "the hub itself answers once: \(heads.count) of \(answers)")
        for (index, head) in heads.enumerated() {
            let fields = head.components(separatedBy: "\r\n\r\n").first?.lowercased() ?? ""
            try require(fields.contains("x-content-type-options: nosniff"), "each answer has nosniff")
            try require(fields.contains("content-security-policy: "), "each answer has a policy")
            let isLast = index == heads.count - 1
            try require(isLast || !fields.contains("connection: close"), "nothing follows the last answer")
        }
    }

    // MARK: WebSocket

    private static func frame(_ first: UInt8, _ text: String) -> [UInt8] {
        [first, 0x80 | UInt8(clamping: text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
    }

    /// What gets through is a message within the limits, or a control frame; and after a close comes nothing.
    private static func checkFrames(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let how = bytes.first else { return }
        let maximumBytes = 1_024
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        do {
            try channel.pipeline.syncOperations.addHandlers(
                WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: maximumBytes)),
                WebSocketProtocolErrorHandler(),
                WebSocketRulesHandler(.messages(maximumBytes: maximumBytes), ping: .seconds(30)),
                NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0,
                    maxAccumulatedFrameCount: WebSocketRulesHandler.maximumFragments + 1,
                    maxAccumulatedFrameSize: maximumBytes))
            channel.connect(to: try SocketAddress(ipAddress: "192.168.1.7", port: 8443), promise: nil)
        } catch {
            throw BrokenProperty(description: "the pipeline can be built: \(error)")
        }
        var rest = bytes.dropFirst()
        let piece = Int(how & 63) == 0 ? rest.count : Int(how & 63)
        while !rest.isEmpty, channel.isActive {
            _ = try? channel.writeInbound(ByteBuffer(bytes: rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            while let frame = try? channel.readInbound(as: WebSocketFrame.self) { try checkFrame(frame) }
            channel.embeddedEventLoop.run()
        }
    }

    /// A field of a message: a text, or a number that is not looked at.
    private struct Field: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    private static func checkFrame(_ frame: WebSocketFrame) throws(BrokenProperty) {
        let data = frame.unmaskedData
        try require(frame.fin && data.readableBytes <= 1_024, "a message is whole, and bounded")
        try require(!frame.rsv1 && !frame.rsv2 && !frame.rsv3, "no bit is set that has no meaning")
        switch frame.opcode {
        case .ping, .pong, .connectionClose: try require(data.readableBytes <= 125, "control frames are short")
        case .text, .binary:
            guard let said = try? JSONDecoder().decode(PageFrame.self, from: Data(buffer: data)) else { return }
            let count = said.data?.unicodeScalars.count ?? 0
            try require(said.bytes.map { $0.readableBytes == count } ?? true, "a character is a byte")
            guard let bytes = said.bytes else { return }
            let back = DeviceNews.message(device: "kit", bytes, now: 1)
            // What a page reads of it has another type, and the same data.
            let read = try? JSONDecoder().decode([String: Field].self, from: Data(buffer: back))
            let again = PageFrame(type: .send, device: "kit", data: read?["data"]?.text)
            try require(again.bytes == bytes, "a device’s message is read as it was")
        default: throw BrokenProperty(description: "opcodes without a meaning do not get through")
        }
    }
}
