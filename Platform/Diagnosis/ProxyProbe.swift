import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// The requests by which ``ProxyCheck`` learns what comes through: each on a connection of its own, none with a secret.
struct ProxyProbe {
    private let host: String
    private let port: Int
    private let isSecure: Bool

    /// Creates the probe; nil if the address is none of http or https.
    init?(url: String) {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { return nil }
        isSecure = scheme == "https"
        port = parts.port ?? (isSecure ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// The host and port as a request names them.
    private var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    func answers() async -> ProxyCheck.Answers {
        var answers = ProxyCheck.Answers()
        var trusts = true
        var health = await ask("GET", "/healthz", [], trusts)
        if isSecure, health == nil {
            trusts = false
            health = await ask("GET", "/healthz", [], trusts)
            answers.isTrusted = health == nil
        }
        guard let health else { return answers }
        answers.health = health.status
        answers.isHub = health.isOfHub
        let upgrade = [
            ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            // Any sixteen bytes (RFC 6455, 4.1); these are its own example's.
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Protocol", "mqtt"),
        ]
        answers.upgrade = await ask("GET", "/mqtt", upgrade, trusts)?.status
        // Signing out without having signed in: it changes nothing, and is refused for that once the page is known.
        let (own, other) = isSecure ? ("https", "http") : ("http", "https")
        answers.own = await ask("DELETE", "/api/session", [("Origin", "\(own)://\(authority)")], trusts)?.status
        answers.other = await ask("DELETE", "/api/session", [("Origin", "\(other)://\(authority)")], trusts)?.status
        let body = await ask(
            "POST", "/api/session",
            [
                ("Expect", "100-continue"), ("Content-Type", "application/octet-stream"),
                ("Content-Length", "\(ProxyCheck.bodyBytes)"),
            ], trusts)
        answers.body = body?.status
        answers.isBodyOfHub = body?.isOfHub ?? false
        return answers
    }

    /// Sends the head of a request and reads that of the answer; nil if none comes.
    private func ask(
        _ method: String, _ path: String, _ fields: [(String, String)], _ trusts: Bool
    ) async -> AnswerHead? {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: tandem-doctor\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if !fields.contains(where: { $0.0 == "Connection" }) { text += "Connection: close\r\n" }
        let bytes = ByteBuffer(string: text + "\r\n")
        return try? await withThrowingTaskGroup(of: AnswerHead?.self) { group in
            group.addTask { try await exchange(bytes, trusts: trusts) }
            group.addTask {
                try await Task.sleep(for: .seconds(10))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func exchange(_ request: ByteBuffer, trusts: Bool) async throws -> AnswerHead? {
        var tls = TLSConfiguration.makeClientConfiguration()
        if !trusts { tls.certificateVerification = .none }
        let context = isSecure ? try NIOSSLContext(configuration: tls) : nil
        let host = host
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        // An address has no name that a server could choose a certificate by (RFC 6066, 3).
                        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host))
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request)
            var collected: [UInt8] = []
            for try await bytes in inbound {
                collected += bytes.readableBytesView
                if let head = AnswerHead(collected) { return head }
                if collected.count > AnswerHead.longest { return nil }
            }
            return nil
        }
    }
}
