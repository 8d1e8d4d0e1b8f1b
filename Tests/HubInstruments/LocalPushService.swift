import Admission
import Crypto
import Foundation
import HubKit
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import TLS
import X509

@testable import Outbound

/// A push service on this machine: HTTP over TLS with a certificate of its own, on every address of loopback.
package final class LocalPushService: Sendable {
    /// One request, as it came.
    package struct Received: Sendable {
        package var head: HTTPRequestHead
        package var body: [UInt8]
        /// The address that was connected to.
        package var address: String

        package func header(_ name: String) -> String? { head.headers.first(name: name) }
    }

    /// How it behaves.
    package enum Answer: Sendable {
        case status(Int, [String: String] = [:])
        /// It says nothing at all.
        case silence
        /// A head, and then no end of a body.
        case flood
        /// A head, and then a body that never goes on.
        case stall
        case hangUp
    }

    package let certificate: NIOSSLCertificate
    private let channel: any Channel
    private let log: Log

    private final class Log: Sendable {
        let received = Mutex<[Received]>([])
        let answers = Mutex<[Answer]>([])
        let connections = Mutex(0)
        let written = Mutex(0)
        /// A yield for each connection that has closed.
        let closed: AsyncStream<Void>
        let closing: AsyncStream<Void>.Continuation

        init() { (closed, closing) = AsyncStream.makeStream() }

        /// The next answer; the last one stays.
        func next() -> Answer {
            answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .status(201) }
        }
    }

    /// - Parameter name: whom the certificate is for.
    package init(name: String = "push.test", answers: [Answer] = [.status(201)]) async throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("push service of a test") }
        let now = Date()
        let own = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3_600), notValidAfter: now.addingTimeInterval(86_400),
            issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init {
                BasicConstraints.isCertificateAuthority(maxPathLength: nil)
                SubjectAlternativeNames([.dnsName(name)])
            }, issuerPrivateKey: .init(key))
        certificate = try NIOSSLCertificate(bytes: Array(own.serializeAsPEM().pemString.utf8), format: .pem)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(.init(bytes: Array(key.pemRepresentation.utf8), format: .pem))))
        let log = Log()
        log.answers.withLock { $0 = answers }
        self.log = log
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                log.connections.withLock { $0 += 1 }
                channel.closeFuture.whenComplete { _ in log.closing.yield() }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(log: log))
                }
            }
            .bind(host: "0.0.0.0", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    // A listener on TCP has a port.
    package var port: Int { channel.localAddress!.port! }
    package var received: [Received] { log.received.withLock { $0 } }
    package var connections: Int { log.connections.withLock { $0 } }
    package var bytesWritten: Int { log.written.withLock { $0 } }

    package func answer(_ answers: Answer...) { log.answers.withLock { $0 = answers } }

    /// Returns when one more connection has closed.
    package func connectionClosed() async { for await _ in log.closed { return } }

    /// A policy that knows this server alone, by the name `push.test`.
    package func policy(
        resolve: (@Sendable (String) async throws -> [IPAddress])? = nil, patience: Duration = .seconds(20)
    ) -> OutboundPolicy {
        var push = OutboundUse.push
        push.hosts = [.name("push.test")]
        return OutboundPolicy(
            push: push, port: port, resolve: resolve ?? { _ in [IPAddress("127.0.0.1")!] },
            isAllowed: { _ in true }, trust: .certificates([certificate]), patience: patience)
    }

    package func url(_ path: String = "/send/abc") -> String { "https://push.test:\(port)\(path)" }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let log: Log
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(log: Log) { self.log = log }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
            case .body(let bytes): body += Array(bytes.readableBytesView)
            case .end:
                guard let head else { return }
                let address = context.channel.localAddress?.ipAddress ?? ""
                log.received.withLock { $0.append(Received(head: head, body: body, address: address)) }
                answer(log.next(), context)
            }
        }

        private func answer(_ answer: Answer, _ context: ChannelHandlerContext) {
            switch answer {
            case .status(let code, let headers):
                var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
                fields.add(name: "Content-Length", value: "0")
                head(code, fields, context)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            case .silence: break
            case .stall: head(201, ["Content-Length": "10"], context)
            case .flood:
                head(201, ["Transfer-Encoding": "chunked"], context)
                flood(context)
            case .hangUp: context.close(promise: nil)
            }
        }

        private func head(_ code: Int, _ headers: HTTPHeaders, _ context: ChannelHandlerContext) {
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: code), headers: headers)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }

        private func flood(_ context: ChannelHandlerContext) {
            let part = ByteBuffer(repeating: 0x61, count: 65_536)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part)))).whenSuccess {
                let (handler, context) = bound.value
                handler.log.written.withLock { $0 += 65_536 }
                handler.flood(context)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
