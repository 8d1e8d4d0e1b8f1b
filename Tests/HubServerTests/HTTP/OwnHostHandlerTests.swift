import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TLS
import Testing

@testable import HubKit
@testable import HubServer

@Suite("Requests over HTTP/2, and plain ones on the port of HTTPS")
struct OwnHostHandlerTests {
    private func channel(isSecure: Bool) throws -> EmbeddedChannel {
        var settings = HubSettings(dataFolder: "")
        settings.origin = "https://linden.local:8443"
        let hosts = OwnHosts(
            settings: settings, network: { LocalNetwork(hostName: "machine", addresses: []) })
        let channel = EmbeddedChannel(
            handler: OwnHostHandler(hosts: hosts, limits: ConnectionLimits(), isSecure: isSecure))
        channel.connect(to: try SocketAddress(ipAddress: "192.168.1.20", port: 50_000), promise: nil)
        return channel
    }

    private func answer(_ channel: EmbeddedChannel) throws -> HTTPResponse? {
        channel.embeddedEventLoop.run()
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else { return nil }
        return head
    }

    @Test(
        "Another's host is misdirected, and none or a second one is no request",
        arguments: [
            (true, "evil.example", nil, 421), (false, "evil.example", nil, 421), (true, nil, nil, 400),
            (false, nil, nil, 400), (false, "linden.local", "linden.local", 400), (true, nil, "evil.example", 421),
            (true, nil, "linden.local", nil), (true, "linden.local:8443", nil, nil), (false, "linden.local", nil, nil),
        ] as [(Bool, String?, String?, Int?)])
    func hosts(isSecure: Bool, authority: String?, field: String?, status: Int?) throws {
        let channel = try channel(isSecure: isSecure)
        defer { _ = try? channel.finish() }
        var request = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/api/welcome")
        if let field {
            request.headerFields.append(HTTPField(name: try #require(HTTPField.Name("Host")), value: field))
        }
        try channel.writeInbound(HTTPRequestPart.head(request))
        #expect((try channel.readInbound(as: HTTPRequestPart.self) == nil) == (status != nil))
        let head = try answer(channel)
        #expect(head?.status.code == status)
        if let head {
            #expect(head.headerFields[try #require(HTTPField.Name("X-Frame-Options"))] == "DENY")
            // Nothing of what the hub might still say follows.
            _ = try? channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            var heads = 0
            while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
                if case .head = part { heads += 1 }
            }
            #expect(heads == 0)
        }
    }

    @Test("HSTS goes with the origin's name over TLS", arguments: [true, false])
    func strictTransport(isSecure: Bool) throws {
        for (host, isOrigin) in [("linden.local:8443", true), ("localhost:8443", false)] {
            let channel = try channel(isSecure: isSecure)
            defer { _ = try? channel.finish() }
            try channel.writeInbound(
                HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "https", authority: host, path: "/")))
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            let head = try #require(try answer(channel))
            let name = try #require(HTTPField.Name("Strict-Transport-Security"))
            #expect((head.headerFields[name] != nil) == (isSecure && isOrigin))
        }
    }
}
