import Admission
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The origin of a request: the client's address, and the hub's address as the client used it. Both come from the
/// socket or, behind trusted proxies, from their `X-Forwarded-` headers, and where there are none from `Forwarded` (RFC
/// 7239). These headers are ignored from anyone else. Of several proxies in a row each adds one value at the end; what
/// counts is the value of the one that the client spoke to.
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
        var (hops, schemes, hosts) = (
            values("X-Forwarded-For"), values("X-Forwarded-Proto"), values("X-Forwarded-Host")
        )
        // From the right, since every proxy adds the peer it saw at the end: the first that is no proxy of ours.
        func client(_ hops: [String]) -> Int {
            hops.lastIndex { !isTrusted(Self.address(inHop: $0)) } ?? hops.startIndex
        }
        let elements = Self.forwarded(header("Forwarded"))
        let forwarded = elements.map { $0["for"] ?? "" }
        if hops.isEmpty, schemes.isEmpty, hosts.isEmpty {
            hops = forwarded
            schemes = elements.map { $0["proto"] ?? "" }
            hosts = elements.map { $0["host"] ?? "" }
        } else if !hops.isEmpty, !forwarded.isEmpty,
            Self.address(inHop: hops[client(hops)]) != Self.address(inHop: forwarded[client(forwarded)])
        {
            // A proxy writes one of them and hands the other on as its client wrote it. Nobody knows which, and who could choose
            // an address would have each of its limits anew: all that such a proxy brings is counted as its own.
            (hops, schemes, hosts) = ([], [], [])
        }
        let place = client(hops)
        address = Self.counted(
            (hops.indices.contains(place) ? Self.address(inHop: hops[place]) : nil) ?? IPAddress(peer))
        // As many of our proxies came after the one that saw the client. A proxy that tells one value told the client's.
        let after = hops.isEmpty ? 0 : hops.count - 1 - place
        func clients(_ values: [String]) -> String? {
            let value = values.isEmpty ? nil : values[max(0, values.count - 1 - after)]
            return value?.isEmpty == false ? value : nil
        }
        if let origin, let parts = URLComponents(string: origin), let host = parts.host {
            // What the owner says holds, whatever a client has put into a header that the proxy hands on.
            self.isSecure = parts.scheme?.lowercased() == "https"
            self.host = parts.port.map { "\(host):\($0)" } ?? host
            return
        }
        self.isSecure = clients(schemes).map { ["https", "wss"].contains($0.lowercased()) } ?? isSecure
        self.host = clients(hosts) ?? host
    }

    /// The elements of `Forwarded`, the one that was added first at the front: `for=192.0.2.60;proto=https, for="[2001:db8::1]"`
    /// (RFC 7239, 4). Names are in lower case, quoted values without their quotes.
    private static func forwarded(_ values: [String]) -> [[String: String]] {
        values.flatMap { split($0, at: ",") }.map { element in
            var parts: [String: String] = [:]
            for pair in split(element, at: ";") {
                guard let equals = pair.firstIndex(of: "=") else { continue }
                let name = pair[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
                parts[name] = unquoted(pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces))
            }
            return parts
        }
    }

    /// Splits a text where a separator stands outside of quotes.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, isQuoted, isEscaped) = ([""], false, false)
        for letter in text {
            if letter == separator, !isQuoted {
                parts.append("")
                continue
            }
            if letter == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && letter == "\\" && !isEscaped
            parts[parts.count - 1].append(letter)
        }
        return parts
    }

    /// The content of a quoted string (RFC 9110, 5.6.4); another text as it is.
    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var (content, isEscaped) = ("", false)
        for letter in text.dropFirst().dropLast() {
            if letter == "\\", !isEscaped {
                isEscaped = true
            } else {
                content.append(letter)
                isEscaped = false
            }
        }
        return content
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
    /// - Parameters:
    ///   - origin: the `Origin` header; nil from programs other than browsers, which send no cookie by accident.
    ///   - anyScheme: whether host and port are enough. Eclipse Paho before 2.0 sends `https` for each WebSocket, and no
    ///     other site has this port of this host.
    package func isOwn(origin: String?, anyScheme: Bool = false) -> Bool {
        guard let origin else { return true }
        guard let host, let parts = URLComponents(string: origin), let name = parts.host,
            ["http", "https"].contains(parts.scheme?.lowercased()),
            anyScheme || parts.scheme?.lowercased() == (isSecure ? "https" : "http")
        else { return false }
        guard let asked = URLComponents(string: "//\(host)"), let askedName = asked.host else { return false }
        return Self.spelled(name) == Self.spelled(askedName)
            && (parts.port ?? Self.port(isSecure: parts.scheme?.lowercased() == "https"))
                == (asked.port ?? Self.port(isSecure: isSecure))
    }

    private static func port(isSecure: Bool) -> Int { isSecure ? 443 : 80 }

    /// A host in one spelling: an address as RFC 5952 writes it, a name in lower case without the dot at its end.
    private static func spelled(_ host: String) -> String {
        let bare = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
        if let address = IPAddress(bare) { return "\(address)" }
        let name = bare.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
