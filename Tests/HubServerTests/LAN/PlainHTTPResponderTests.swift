import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TLS
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer

@Suite("Plain HTTP on the port of HTTPS")
struct PlainHTTPResponderTests {
    private let folder: TemporaryFolder
    private let authority: Authority
    private let keeper: CertificateKeeper
    private let responder: PlainHTTPResponder

    init() throws {
        folder = try TemporaryFolder()
        let files = AuthorityFolder(dataFolder: folder.path)
        authority = try files.open(hubName: "linden", hostNames: ["machine"], remembered: nil, now: Date())
        keeper = try CertificateKeeper(
            folder: files, authority: authority, hubName: try #require(HubName("linden")),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        responder = PlainHTTPResponder(
            origin: "https://linden.local:8443", lan: LAN(hostName: "linden.local", keeper: keeper))
    }

    private func answer(_ method: HTTPRequest.Method, _ path: String) async throws -> (Response, String) {
        let head = HTTPRequest(method: method, scheme: "http", authority: "linden.local:8443", path: path)
        let response = responder.response(to: Request(head: head, body: .init(buffer: ByteBuffer())))
        let writer = Collector()
        try await response.body.write(writer)
        return (response, String(decoding: writer.bytes.collected, as: UTF8.self))
    }

    @Test(
        "Any path is told where the hub is, and nothing is redirected", arguments: ["/", "/api/session", "/plants?x=1"])
    func page(path: String) async throws {
        let (response, text) = try await answer(.get, path)
        #expect(response.status == .badRequest)
        #expect(response.headers[.location] == nil)
        #expect(text.contains("<a href=\"https://linden.local:8443\">"))
        #expect(text.contains("\(authority.fingerprint)".replacingOccurrences(of: ":", with: " ")))
    }

    @Test(
        "A link with a code is led to HTTPS, where a browser takes along what stands behind the #",
        arguments: ["/join", "/reset"])
    func linkWithCode(path: String) async throws {
        let (response, _) = try await answer(.get, path)
        #expect(response.status == .temporaryRedirect)
        #expect(response.headers[.location] == "https://linden.local:8443\(path)")
        let (posted, _) = try await answer(.post, path)
        #expect(posted.status == .badRequest && posted.headers[.location] == nil)
    }

    @Test(
        "A phone is given the address that reaches the hub: its name while that is announced, else its number",
        arguments: [
            ("Established under name 'linden.local'", "https://linden.local:8443"),
            ("sh: 1: avahi-publish: not found", "https://192.168.1.5:8443"),
            ("", "https://linden.local:8443"),
        ])
    func reachable(line: String, address: String) throws {
        let announcement = Announcement(
            hostName: "linden.local", port: 8443, addresses: { [] },
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        announcement.note(line)
        let named = "https://linden.local:8443"
        let lan = LAN(
            hostName: "linden.local", keeper: keeper, announcement: announcement,
            originByNumber: { "https://192.168.1.5:8443" })
        #expect(lan.reachable(named) == address)
        func source(_ host: String, isSecure: Bool) -> RequestSource {
            RequestSource(peer: nil, isSecure: isSecure, host: host, trustedProxies: []) { _ in [] }
        }
        #expect(lan.reachable(named, from: source("localhost:8080", isSecure: false)) == address)
        // It came by the name, so the name is known in this network, by whatever means.
        #expect(lan.reachable(named, from: source("linden.local:8443", isSecure: true)) == named)
        // While the machine has no number either, the name is all there is.
        let alone = LAN(hostName: "linden.local", keeper: keeper, announcement: announcement)
        #expect(alone.reachable(named) == named)
    }

    @Test("The certificate can be had before the port is trusted, in each form")
    func certificate() async throws {
        #expect(try await answer(.get, "/authority.pem").1 == authority.pem)
        let (crt, _) = try await answer(.get, "/authority.crt")
        #expect(crt.status == .ok)
        #expect(crt.headers[.contentType] == "application/x-x509-ca-cert")
        let (profile, text) = try await answer(.get, "/authority.mobileconfig")
        #expect(profile.headers[.contentType] == "application/x-apple-aspen-config")
        #expect(text.contains("com.apple.security.root"))
        #expect(try await answer(.post, "/authority.pem").0.status == .badRequest)
    }
}

/// Keeps what a response writes.
private final class Collector: ResponseBodyWriter {
    final class Bytes {
        var collected: [UInt8] = []
    }
    let bytes = Bytes()

    func write(_ buffer: ByteBuffer) async throws { bytes.collected += Array(buffer.readableBytesView) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
