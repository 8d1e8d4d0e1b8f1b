import Admission
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The origin of a request: the client's address, and the hub's address as the client used it. Both come from the
/// socket or, behind a trusted proxy, from its `X-Forwarded-` headers. These headers are ignored from anyone else.
public struct RequestSource: Sendable, Equatable {
    /// The client's address, by which attempts are counted; "unknown" if the socket has none. For IPv6 it is the
    /// network of 64 bits, since a machine can give itself any number of addresses in it (RFC 8981).
    public let address: String
    /// Whether the client used HTTPS.
    public let isSecure: Bool
    /// The host as the client used it, with its port unless that is the scheme's default.
    public let host: String?

    /// Whether a program on the hub's own machine sent the request directly: over loopback, and without any header that
    /// a proxy adds, known to the hub or not.
    package let isThisMachine: Bool

    /// The headers by which a proxy can be recognised (RFC 7239; RFC 9110, 7.6.3).
    private static let forwarding = ["X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"]

    /// Finds the origin of a request.
    ///
    /// - Parameters:
    ///   - peer: the address of the other end of the connection.
    ///   - isSecure: whether the connection itself uses TLS.
    ///   - host: the request's `Host` or `:authority`.
    ///   - trustedProxies: the addresses of proxies whose headers are trusted.
    ///   - origin: the hub's public address from the settings; it takes precedence over the proxy's headers.
    ///   - header: returns all values of a header field of the request.
    package init(
        peer: SocketAddress?, isSecure: Bool, host: String?, trustedProxies: [IPRange], origin: String? = nil,
        header: (String) -> [String]
    ) {
        func isTrusted(_ address: IPAddress?) -> Bool {
            address.map { address in trustedProxies.contains { $0.contains(address) } } ?? false
        }
        isThisMachine =
            (peer.flatMap { IPAddress($0) }?.isLoopback ?? false)
            && !Self.forwarding.contains { !header($0).isEmpty } && !isTrusted(peer.flatMap { IPAddress($0) })
        guard let peer, isTrusted(IPAddress(peer)) else {
            address = Self.counted(peer.flatMap { IPAddress($0) })
            self.isSecure = isSecure
            self.host = host
            return
        }
        func values(_ name: String) -> [String] {
            header(name).flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        // From the right, since every proxy adds the peer it saw at the end: the first that is no proxy of ours.
        let hops = values("X-Forwarded-For").reversed()
        let client = hops.first { !isTrusted(Self.address(inHop: $0)) }
        address = Self.counted((client ?? hops.last).flatMap { Self.address(inHop: $0) } ?? IPAddress(peer))
        if let origin, let parts = URLComponents(string: origin), let host = parts.host {
            // What the owner says holds, whatever a client has put into a header that the proxy hands on.
            self.isSecure = parts.scheme?.lowercased() == "https"
            self.host = parts.port.map { "\(host):\($0)" } ?? host
            return
        }
        self.isSecure = values("X-Forwarded-Proto").last.map { $0.lowercased() == "https" } ?? isSecure
        self.host = values("X-Forwarded-Host").last ?? host
    }

    /// The address of one hop, which some proxies write with a port: `203.0.113.9:4711`, `[2001:db8::1]:4711`.
    private static func address(inHop hop: String) -> IPAddress? {
        if hop.hasPrefix("[") { return IPAddress(String(hop.dropFirst().prefix { $0 != "]" })) }
        return IPAddress(hop) ?? IPAddress(String(hop.prefix { $0 != ":" }))
    }

    private static func counted(_ address: IPAddress?) -> String {
        guard let address else { return "unknown" }
        guard address.bytes.count == 16 else { return "\(address)" }
        return IPRange("\(address)/64").map { "\($0)" } ?? "\(address)"
    }

    /// Whether a request comes from a page of the hub itself: same scheme, host and port.
    ///
    /// - Parameter origin: the `Origin` header; nil from programs other than browsers, which send no cookie by
    ///   accident.
    package func isOwn(origin: String?) -> Bool {
        guard let origin else { return true }
        guard let host, let parts = URLComponents(string: origin), let name = parts.host,
            parts.scheme?.lowercased() == (isSecure ? "https" : "http")
        else { return false }
        let authority = parts.port.map { "\(name):\($0)" } ?? name
        let standardPort = isSecure ? ":443" : ":80"
        let asked = host.hasSuffix(standardPort) ? String(host.dropLast(standardPort.count)) : host
        return authority.lowercased() == asked.lowercased()
    }
}
