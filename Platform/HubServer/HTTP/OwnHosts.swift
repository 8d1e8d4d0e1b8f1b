import Admission
import Foundation
import HTTPTypes
import HubKit
import Localization
import NIOCore
import Synchronization
import TLS

/// The names and addresses under which the hub answers; it refuses all others.
///
/// A page on the internet can make its own name lead to the hub's address ("DNS rebinding"), so that its browser takes
/// the hub for that page's server. The browser still sends the name that it asks for.
final class OwnHosts: Sendable {
    private struct Seen {
        var at: NIODeadline
        var network: LocalNetwork
    }

    private let names: Set<String>
    private let originHost: String?
    private let isOriginSecure: Bool
    private let trustedProxies: [IPRange]
    /// The port at which the hub speaks HTTP without TLS.
    private let plainPort: Int
    private let legacy: LegacyPaths
    /// Whether nothing but the paths of original systems is answered, under whatever of the hub's hosts.
    let isForLegacyAlone: Bool
    private let certificateNames: @Sendable () -> [String]
    private let network: @Sendable () -> LocalNetwork
    private let hints: ProxyHints?
    private let seen = Mutex<Seen?>(nil)

    /// The domains that routers and their name service append to a machine's name, and nobody can register: see
    /// `LocalNames`.
    private static let homeDomains = LocalNames.domains
    /// The time for which the system's names and addresses are cached.
    private static let memory = TimeAmount.seconds(10)

    /// Collects the names and addresses.
    ///
    /// - Parameters:
    ///   - settings: the hub's settings.
    ///   - legacy: the hosts and paths of original systems that are switched on.
    ///   - isForLegacyAlone: whether nothing but their paths is answered, under whatever of these hosts.
    ///   - hints: is told of a host that is none of the hub's.
    ///   - certificateNames: the names of the hub's certificate, such as `*.example.org`; asked for each request.
    ///   - network: returns this machine's names and addresses.
    init(
        settings: HubSettings, legacy: LegacyPaths = LegacyPaths(), isForLegacyAlone: Bool = false,
        hints: ProxyHints? = nil, certificateNames: @escaping @Sendable () -> [String] = { [] },
        network: @escaping @Sendable () -> LocalNetwork = { LocalNetwork.current() }
    ) {
        originHost = settings.origin.flatMap { URLComponents(string: $0)?.host }.flatMap { RequestHost($0)?.text }
        isOriginSecure = settings.origin.flatMap { URLComponents(string: $0)?.scheme?.lowercased() } == "https"
        let configured = [
            settings.host, LocalNetwork.systemHostName(), settings.lan?.name.flatMap { HubName($0)?.local },
        ]
        names = Set(configured.compactMap { $0.flatMap { RequestHost($0)?.text } } + ["localhost"])
        trustedProxies = settings.trustedProxies
        plainPort = settings.port
        self.legacy = legacy
        self.isForLegacyAlone = isForLegacyAlone
        self.hints = hints
        self.certificateNames = certificateNames
        self.network = network
    }

    /// The reason to refuse a request; nil if it may be answered.
    ///
    /// - Parameters:
    ///   - hosts: all values of `Host`, or the one `:authority`.
    ///   - target: the path that is asked for. Under the host of an original's server its own paths are answered alone.
    ///   - isRequired: whether a host is required; not over HTTP/1.0, which has no `Host` (RFC 9112, 3.2).
    ///   - peer: the address of the other end. A trusted proxy only needs one well-formed host, since it uses whatever
    ///     name its configuration has.
    ///   - local: the address of this end, which is the hub's.
    func problem(
        hosts: [String], target: String = "/", isRequired: Bool = true, peer: IPAddress?, local: IPAddress?
    ) -> Problem? {
        let isOriginals = hosts.count == 1 && RequestHost(hosts[0]).map { legacy.hosts.contains($0.text) } == true
        var problem =
            isOriginals ? nil : self.problem(hosts: hosts, isRequired: isRequired, peer: peer, local: local)
        guard isForLegacyAlone || isOriginals else { return problem }
        if problem == nil, !legacy.match(target) {
            problem = .notFound("Here are the routes of the original system alone.")
        }
        problem?.hasMessage = true
        return problem
    }

    private func problem(hosts: [String], isRequired: Bool, peer: IPAddress?, local: IPAddress?) -> Problem? {
        guard hosts.count <= 1 else { return .hosts(LocalizedText("The request names more than one host.")) }
        guard let text = hosts.first else {
            return isRequired ? .hosts(LocalizedText("The request does not name the host that it is for.")) : nil
        }
        guard let host = RequestHost(text) else { return .hosts(LocalizedText("The request’s Host is none.")) }
        if let peer, trustedProxies.contains(where: { $0.contains(peer) }) { return nil }
        if isOwn(host, local: local) { return nil }
        let address = address(of: host, in: text)
        hints?.refused(host, address: address)
        let named = String(host.inURL.prefix(100))
        let whole = String(address.prefix(120))
        return Problem(
            .misdirectedRequest, "Another host",
            """
            This hub does not answer to “\(named)”. If that is its address, start it with --origin and \
            the whole address, such as --origin \(whole); else open it at its own.
            """)
    }

    /// The address that a refused host seems to be asked for at, for `--origin`: with its port, and with HTTPS but at the port
    /// at which the hub speaks without. Behind a proxy that was not named it is the proxy's, which ends TLS as a rule.
    private func address(of host: RequestHost, in text: String) -> String {
        let port = URLComponents(string: "//\(text)")?.port
        return ProxyHints.address(host, port: port, isSecure: port != plainPort)
    }

    /// Whether a host is that of the hub's own origin, and a name.
    func isOrigin(_ host: String?) -> Bool {
        guard let originHost, let host = host.flatMap({ RequestHost($0) }), case .name(let name) = host else {
            return false
        }
        return name == originHost && name != "localhost" && !name.hasSuffix(".localhost")
    }

    /// Whether an answer promises HTTPS (HSTS): it goes over TLS, or a trusted proxy says that its client speaks it, and the
    /// request is for the host of the hub's own origin.
    ///
    /// - Parameters:
    ///   - isSecure: whether the connection to the hub uses TLS.
    ///   - host: the request's `Host` or `:authority`.
    ///   - peer: the address of the other end.
    ///   - header: returns all values of a header field of the request.
    func promisesHTTPS(isSecure: Bool, host: String?, peer: IPAddress?, header: (String) -> [String]) -> Bool {
        if isSecure { return isOrigin(host) }
        guard isOriginSecure, let peer, trustedProxies.contains(where: { $0.contains(peer) }) else { return false }
        // Without the settings' origin, which would speak for the proxy.
        let source = RequestSource(
            peer: try? SocketAddress(ipAddress: "\(peer)", port: 1), isSecure: false, host: host,
            trustedProxies: trustedProxies, header: header)
        return source.isSecure && isOrigin(source.host)
    }

    private func isOwn(_ host: RequestHost, local: IPAddress?) -> Bool {
        if names.contains(host.text) || host.text == originHost { return true }
        switch host {
        case .address(let address):
            return address == local || address.isLoopback || current().addresses.contains(address)
        case .name(let name):
            if certificateNames().contains(where: { Self.matches(name, $0.lowercased()) }) { return true }
            let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let label = parts.first, label == current().hostName || isHubName(label) else { return false }
            return parts.count == 1 || Self.homeDomains.contains(String(parts[1]))
        }
    }

    /// Whether a label is the hub's name in its certificate, such as `linden` for `linden.local`.
    private func isHubName(_ label: Substring) -> Bool {
        ([originHost].compactMap { $0 } + certificateNames()).contains { $0.lowercased() == "\(label).local" }
    }

    /// Whether a name matches a pattern, in which `*` stands for one label (RFC 9525, 6.3).
    private static func matches(_ name: String, _ pattern: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return name == pattern }
        return name.drop { $0 != "." } == pattern.dropFirst() && !name.hasPrefix(".")
    }

    private func current() -> LocalNetwork {
        let now = NIODeadline.now()
        if let seen = seen.withLock({ $0 }), now - seen.at < Self.memory { return seen.network }
        let network = network()
        seen.withLock { $0 = Seen(at: now, network: network) }
        return network
    }
}

/// The host of a request, without its port (RFC 9110, 7.2).
enum RequestHost: Equatable {
    case address(IPAddress)
    /// A name in lower case, without the dot at the end of a full name.
    case name(String)

    /// Reads `linden.local:8443`, `127.0.0.1` or `[::1]:8080`, and `::1` as it appears in a setting; nil for an invalid
    /// host or port.
    init?(_ field: String) {
        let text = field.lowercased()
        if let address = IPAddress(text), !text.contains("%") {
            self = .address(address)
            return
        }
        var host = Substring(text)
        var port: Substring = ""
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.dropFirst()
            guard let address = IPAddress(String(host)), address.bytes.count == 16 || host.contains(":") else {
                return nil
            }
            self = .address(address)
        } else {
            if let colon = text.firstIndex(of: ":") {
                host = text[..<colon]
                port = text[text.index(after: colon)...]
            }
            if let address = IPAddress(String(host)) {
                self = .address(address)
            } else {
                if host.hasSuffix(".") { host.removeLast() }
                guard Self.isName(host) else { return nil }
                self = .name(String(host))
            }
        }
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), port.isEmpty || UInt16(port) != nil else {
            return nil
        }
    }

    /// The host without brackets.
    var text: String {
        switch self {
        case .address(let address): "\(address)"
        case .name(let name): name
        }
    }

    /// Whether a text is a host name: letters, digits, hyphens, dots, and the underscore that some networks use, of at
    /// most 253 bytes (RFC 1035, 2.3.4).
    private static func isName(_ text: Substring) -> Bool {
        (1...253).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasSuffix(".") && !text.contains("..")
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
            }
    }
}

extension Problem {
    fileprivate static func hosts(_ what: LocalizedText) -> Problem {
        Problem(.badRequest, "Which host?", "\(what) It needs one Host, such as localhost:8080.")
    }
}
