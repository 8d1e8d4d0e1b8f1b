import Admission
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Where a request comes from, and under which address its browser sees the hub: what the socket says, or behind a
/// trusted proxy what the proxy's `X-Forwarded-` headers say. From anybody else these headers are words, and ignored.
public struct RequestSource: Sendable, Equatable {
    /// The address of the phone or program that asks, by which tries are counted; "unknown" where the socket has none.
    /// Of IPv6 the network of 64 bits, since a machine gives itself as many addresses in it as it likes (RFC 8981).
    public let address: String
    /// Whether it came over HTTPS.
    public let isSecure: Bool
    /// The host, and its port unless that is the scheme's own, as the browser asked for it.
    public let host: String?

    /// Whether a program on the hub's own machine asks by itself: the socket is of loopback, and nothing says that the
    /// request was handed on by a proxy there, whether the hub knows that proxy or not.
    package let isThisMachine: Bool

    /// What proxies add (RFC 7239; RFC 9110, 7.6.3).
    private static let forwarding = ["X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"]

    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - isSecure: whether the connection itself is TLS.
    ///   - host: of the request's `Host` or `:authority`.
    ///   - origin: the hub's one address where the owner gave it; it wins over what a proxy says.
    ///   - header: all values of a header of the request.
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

    /// The address of a hop, which some proxies write with a port: `203.0.113.9:4711`, `[2001:db8::1]:4711`.
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
    /// - Parameter origin: nil from programs other than browsers, which carry no cookie by accident.
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
