import Foundation
import Logging
import NIOCore
import NIOEmbedded
import NIOSSL
import Synchronization

@testable import TLS

/// What a client and a hub need to speak TLS with each other.
struct Handshake: Sendable {
    let authority: Authority
    let serving: ServingCertificate

    init() throws {
        authority = try Authority.make(hubName: "linden")
        let subjects = CertificateSubjects(names: ["linden.local"], addresses: [])
        serving = try ServingCertificate(try LeafCertificate.issue(for: subjects, by: authority, now: Date()))
    }

    func acceptor(
        _ limits: TLSAcceptor.Limits = .init(), applicationProtocols: [String] = ["h2", "http/1.1"],
        logger: Logger = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
    ) -> TLSAcceptor {
        TLSAcceptor(limits: limits, logger: logger) { try serving.context(applicationProtocols: applicationProtocols) }
    }

    /// A client that trusts the authority.
    func client(
        applicationProtocols: [String] = [], minimum: TLSVersion = .tlsv12, maximum: TLSVersion? = nil,
        trusts other: Authority? = nil
    ) throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([
            try NIOSSLCertificate(bytes: (other ?? authority).der, format: .der)
        ])
        configuration.applicationProtocols = applicationProtocols
        configuration.minimumTLSVersion = minimum
        configuration.maximumTLSVersion = maximum
        return try NIOSSLClientHandler(
            context: try NIOSSLContext(configuration: configuration), serverHostname: "linden.local")
    }

    /// The first flight of a client.
    func clientHello() throws -> [UInt8] {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(try client())
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 8443)).wait()
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        channel.abandon()
        return bytes
    }
}

/// The last handler of a connection: what has come, for a test to read.
final class ReceivedBytes: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let bytes = Mutex<[UInt8]>([])

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let read = unwrapInboundIn(data).readableBytesView
        bytes.withLock { $0 += read }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension EmbeddedChannel {
    /// Ends it. To wait for the farewell of TLS, as `finish` does, would be to wait for ever: time stands still here.
    func abandon() {
        close(promise: nil)
        embeddedEventLoop.advanceTime(by: .hours(1))
    }
}
