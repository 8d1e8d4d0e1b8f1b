import Admission
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TLS
import Testing

@testable import HubKit
@testable import HubServer

/// One connection of HTTP/1.1 from its bytes to its bytes, with the part of the hub that answers played by the test.
private final class Wire {
    let channel = EmbeddedChannel()
    let output = HalfClosure()

    /// An embedded channel knows no half of it: whoever closes its output would close all of it.
    final class HalfClosure: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var isClosed = false

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard case .output = mode else { return context.close(mode: mode, promise: promise) }
            isClosed = true
            promise?.succeed()
        }
    }

    init(
        isSecure: Bool = false, trusted: [String] = [], isForLegacyAlone: Bool = false,
        limits: ConnectionLimits = .init()
    ) throws {
        var settings = HubSettings(dataFolder: "")
        settings.origin = "https://linden.local:8443"
        settings.trustedProxies = trusted.compactMap { IPRange($0) }
        let hosts = OwnHosts(
            settings: settings, isForLegacyAlone: isForLegacyAlone,
            network: { LocalNetwork(hostName: "machine", addresses: []) })
        try channel.pipeline.syncOperations.addHandlers(
            output, HTTPResponseEncoder(), HTTP1AnswerHandler.decoder(limits),
            HTTP1AnswerHandler(hosts: hosts, limits: limits, isSecure: isSecure))
        channel.connect(to: try SocketAddress(ipAddress: "192.168.1.20", port: 50_000), promise: nil)
    }

    deinit { _ = try? channel.finish() }

    /// Sends text; an error that the pipeline passes on is what the answering part would see.
    func send(_ text: String) { _ = try? channel.writeInbound(ByteBuffer(string: text)) }

    /// The targets of the requests that were handed on since the last time.
    func asked() throws -> [String] {
        var all: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { all.append(head.uri) }
        }
        return all
    }

    func answer(_ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = ["content-length": "2"]) throws {
        try channel.writeOutbound(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)))
        try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "ok"))))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// What has gone out since the last time.
    func said() throws -> String {
        channel.embeddedEventLoop.run()
        var all = ""
        while var part = try channel.readOutbound(as: ByteBuffer.self) {
            all += part.readString(length: part.readableBytes) ?? ""
        }
        return all
    }

    /// The statuses of the answers that have gone out since the last time.
    func statuses() throws -> [String] {
        try said().matches(of: #/HTTP/1\.1 ([0-9]{3}) /#).map { String($0.output.1) }
    }
}

@Suite("Requests and answers on a connection of HTTP/1.1")
struct HTTP1AnswerTests {
    private static let host = "Host: linden.local:8443\r\n"

    @Test(
        "A request names one host, and it is the hub's",
        arguments: [
            ("", "400"), ("Host:\r\n", "400"), ("Host: linden.local\r\nHost: linden.local\r\n", "400"),
            ("Host: linden.local\r\nHost: evil.example\r\n", "400"), ("Host: evil.example\r\n", "421"),
            ("Host: linden.local.evil.example:8443\r\n", "421"), ("Host: a b\r\n", "400"),
            ("Host: linden.local:8443@evil.example\r\n", "400"), ("Host: linden.local:99999\r\n", "400"),
            ("Host: linden.local:8443\r\n", nil), ("Host: LOCALHOST.:8080\r\n", nil), ("Host: [::1]:8080\r\n", nil),
        ] as [(String, String?)])
    func hosts(fields: String, rejection: String?) throws {
        let wire = try Wire()
        wire.send("GET /api/welcome HTTP/1.1\r\n\(fields)\r\n")
        #expect(try wire.asked() == (rejection == nil ? ["/api/welcome"] : []))
        let said = try wire.said()
        #expect(said.isEmpty == (rejection == nil))
        if let rejection {
            #expect(said.hasPrefix("HTTP/1.1 \(rejection) "))
            #expect(said.contains("application/problem+json") && said.lowercased().contains("connection: close"))
        }
        if rejection == "421" { #expect(said.contains("--origin")) }
    }

    @Test("HTTP/1.0 has no Host, and a trusted proxy asks under the name that its configuration has")
    func others() throws {
        let old = try Wire()
        old.send("GET /healthz HTTP/1.0\r\n\r\n")
        #expect(try old.asked() == ["/healthz"])
        let proxy = try Wire(trusted: ["192.168.1.20"])
        proxy.send("GET /healthz HTTP/1.1\r\nHost: tandem-upstream\r\n\r\n")
        #expect(try proxy.asked() == ["/healthz"])
        proxy.send("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        #expect(try proxy.asked() == [])
    }

    @Test(
        "A target with a host of its own is judged by that host and handed on as a path",
        arguments: [
            ("http://linden.local:8443/plants?x=1", "/plants?x=1", nil), ("http://LINDEN.local", "/", nil),
            ("http://evil.example/plants", nil, "421"), ("http://linden.local@evil.example/", nil, "400"),
            ("ftp://linden.local/", nil, "400"), ("*", "*", nil),
        ] as [(String, String?, String?)])
    func absolute(target: String, path: String?, rejection: String?) throws {
        let wire = try Wire()
        wire.send("OPTIONS \(target) HTTP/1.1\r\n\(Self.host)\r\n")
        #expect(try wire.asked() == [path].compactMap { $0 })
        #expect(try wire.statuses() == [rejection].compactMap { $0 })
    }

    @Test(
        "A request that cannot be read is answered once, whatever else is written for it",
        arguments: [
            "POST /api/session HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nzz\r\n",
            "POST /api/session HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5\r\nabcdefgh\r\n",
            "POST /api/session HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /api/session HTTP/1.1\r\n\(host)Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
            "GET / HTTP/1.1\r\n\(host) folded: yes\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "nonsense\r\n\r\n",
        ])
    func unreadable(text: String) throws {
        let wire = try Wire()
        wire.send(text)
        _ = try? wire.answer(.internalServerError)
        wire.send("GET /second HTTP/1.1\r\n\(Self.host)\r\n")
        #expect(try wire.statuses() == ["400"])
        #expect(try !wire.asked().contains("/second"))
    }

    // The iOS app of the original toy ends where a refusal has no message (wire formats, A3).
    @Test(
        "A request that cannot be read has a message in its refusal where the originals ask, and nowhere else",
        arguments: [true, false])
    func message(isForLegacyAlone: Bool) throws {
        let wire = try Wire(isForLegacyAlone: isForLegacyAlone)
        wire.send("GET /User/History/7/ 3 HTTP/1.1\r\n\(Self.host)\r\n")
        let said = try wire.said()
        #expect(said.hasPrefix("HTTP/1.1 400 "))
        #expect(said.contains("\"message\":\"This is no request") == isForLegacyAlone)
    }

    // RFC 9112, 5.1: a field's value has no whitespace around it.
    @Test(
        "Spaces behind a host are no part of it",
        arguments: ["Host: linden.local:8443 ", "Host:  linden.local:8443\t "])
    func spaces(field: String) throws {
        let wire = try Wire()
        wire.send("GET /first HTTP/1.1\r\n\(field)\r\n\r\n")
        #expect(try wire.asked() == ["/first"])
    }

    @Test("What was asked before a request that cannot be read is answered first")
    func order() throws {
        let wire = try Wire()
        wire.send("GET /first HTTP/1.1\r\n\(Self.host)\r\nGET /second HTTP/1.1\r\n\(Self.host)\r\nnonsense\r\n\r\n")
        #expect(try wire.asked() == ["/first", "/second"])
        #expect(try wire.statuses() == [])
        try wire.answer()
        #expect(try wire.statuses() == ["200"])
        try wire.answer()
        #expect(try wire.statuses() == ["200", "400"])
    }

    @Test("An answer that comes before its request has ended says that the connection closes, and nothing more is read")
    func early() throws {
        let wire = try Wire()
        wire.send("POST /api/devices HTTP/1.1\r\n\(Self.host)Content-Length: 10000\r\n\r\nabc")
        try wire.answer(.unauthorized)
        #expect(try wire.said().lowercased().contains("connection: close"))
        _ = try wire.asked()
        wire.send(String(repeating: "x", count: 1_000))
        #expect(try wire.channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        let whole = try Wire()
        whole.send("POST /api/devices HTTP/1.1\r\n\(Self.host)Content-Length: 3\r\n\r\nabc")
        try whole.answer(.unauthorized)
        #expect(try !whole.said().lowercased().contains("connection: close"))
        whole.send("GET /second HTTP/1.1\r\n\(Self.host)\r\n")
        #expect(try whole.asked().contains("/second"))
    }

    @Test("A client that goes on sending after its answer has so long, and no longer")
    func lingering() throws {
        let wire = try Wire()
        wire.send("POST /api/devices HTTP/1.1\r\n\(Self.host)Content-Length: 10000\r\n\r\nabc")
        try wire.answer(.unauthorized)
        #expect(wire.output.isClosed)
        wire.channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(wire.channel.isActive)
        wire.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!wire.channel.isActive)
        let done = try Wire()
        done.send("POST /api/devices HTTP/1.1\r\n\(Self.host)Content-Length: 6\r\n\r\nabc")
        try done.answer(.unauthorized)
        #expect(done.channel.isActive)
        done.send("def")
        #expect(!done.channel.isActive, "it has sent all that it had")
    }

    @Test(
        "What is too long is refused with its own status",
        arguments: [
            ("GET /\(String(repeating: "x", count: 9_000)) HTTP/1.1\r\n\(host)\r\n", "414"),
            ("GET / HTTP/1.1\r\n\(host)Cookie: \(String(repeating: "x", count: 17_000))\r\n\r\n", "431"),
            (
                "GET / HTTP/1.1\r\n\(host)\((0..<101).map { "a\($0): b\r\n" }.joined())\r\n", "431"
            ),
        ])
    func tooLong(text: String, status: String) throws {
        let wire = try Wire()
        wire.send(text)
        #expect(try wire.statuses() == [status])
        #expect(try wire.asked().isEmpty)
    }

    @Test("Every answer has its security headers, those that the hub writes for what it cannot read too")
    func securityHeaders() throws {
        let names = [
            "x-content-type-options: nosniff", "x-frame-options: deny", "frame-ancestors 'none'", "no-referrer",
        ]
        for text in [
            "GET / HTTP/1.1\r\n\(Self.host)\r\n", "nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        ] {
            let wire = try Wire()
            wire.send(text)
            if try !wire.asked().isEmpty { try wire.answer() }
            let said = try wire.said().lowercased()
            #expect(names.allSatisfy { said.contains($0) }, "\(said)")
        }
        let own = try Wire()
        own.send("GET / HTTP/1.1\r\n\(Self.host)\r\n")
        try own.answer(headers: ["content-length": "2", "content-security-policy": "default-src 'self'"])
        let said = try own.said().lowercased()
        #expect(said.contains("default-src 'self'") && !said.contains("default-src 'none'"))
    }

    @Test(
        "HSTS is said over TLS alone, and under the name of the hub's origin alone",
        arguments: [
            (true, "linden.local:8443", true), (true, "LINDEN.LOCAL.", true), (true, "localhost:8443", false),
            (true, "127.0.0.1:8443", false), (true, "machine.local:8443", false), (false, "linden.local:8443", false),
        ])
    func strictTransport(isSecure: Bool, host: String, isSaid: Bool) throws {
        let wire = try Wire(isSecure: isSecure)
        wire.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        try wire.answer()
        let said = try wire.said().lowercased()
        #expect(said.contains("strict-transport-security: max-age=86400\r\n") == isSaid)
        #expect(!said.contains("includesubdomains"))
    }

    @Test(
        "Behind a trusted proxy HSTS is said where the proxy says that its client speaks HTTPS, to the origin's name alone",
        arguments: [
            ("192.168.1.20", "X-Forwarded-Proto: https", true),
            ("192.168.1.0/24", "X-Forwarded-Proto: http, HTTPS", true),
            ("192.168.1.20", "X-Forwarded-Proto: http", false), ("192.168.1.20", "X-Other: https", false),
            ("192.168.1.20", "X-Forwarded-Proto: https, http", false), ("10.0.0.1", "X-Forwarded-Proto: https", false),
            ("192.168.1.20", "X-Forwarded-Proto: https\r\nX-Forwarded-Host: other.local", false),
            // RFC 7239, 4.
            ("192.168.1.20", "Forwarded: proto=https", true),
            ("192.168.1.20", "Forwarded: for=192.0.2.60;proto=http", false),
            ("192.168.1.20", "Forwarded: proto=https;host=other.local", false),
            ("192.168.1.20", "Forwarded: for=192.0.2.60;Proto=\"https\";host=\"linden.local:8443\"", true),
            ("10.0.0.1", "Forwarded: proto=https", false),
        ])
    func proxied(trusted: String, fields: String, isSaid: Bool) throws {
        let wire = try Wire(trusted: [trusted])
        wire.send("GET / HTTP/1.1\r\nHost: linden.local\r\n\(fields)\r\n\r\n")
        try wire.answer()
        #expect(try wire.said().lowercased().contains("strict-transport-security: max-age=86400\r\n") == isSaid)
    }

    @Test("What is refused under the origin's name over TLS says HSTS too, and what is for another host does not")
    func refusedStrictly() throws {
        let long = String(repeating: "a", count: 9_000)
        for (text, isSaid) in [
            ("GET /\(long) HTTP/1.1\r\nHost: linden.local:8443\r\n\r\n", true),
            ("HEAD https://linden.local/\(long) HTTP/1.1\r\nHost: linden.local\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", false), ("nonsense\r\n\r\n", false),
        ] {
            let wire = try Wire(isSecure: true)
            wire.send(text)
            #expect(try wire.said().lowercased().contains("strict-transport-security") == isSaid, "\(text.prefix(40))")
        }
    }
}
