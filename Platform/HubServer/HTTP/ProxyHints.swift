import Admission
import Foundation
import HubKit
import Logging
import NIOCore
import Synchronization

/// The lines of the log that name the settings which a request shows to be wanted: `--origin` where somebody asks for a name that
/// is not the hub's, and `--trusted-proxy` beside it where a proxy hands requests on. Each is said once.
final class ProxyHints: Sendable {
    /// The names that are remembered, at most: scanners ask for many.
    static let most = 8

    private let settings: HubSettings
    private let log: Logger
    private let told = Mutex<Set<String>>([])

    init(settings: HubSettings, log: Logger) { (self.settings, self.log) = (settings, log) }

    /// Looks at a request that came through.
    ///
    /// - Parameters:
    ///   - peer: the address of the other end.
    ///   - host: the request's `Host` or `:authority`.
    ///   - header: returns all values of a header field of the request.
    func look(peer: IPAddress?, host: String?, header: (String) -> [String]) {
        // Without a header no request costs more than this.
        let (hosts, schemes, forwarded) = (header("X-Forwarded-Host"), header("X-Forwarded-Proto"), header("Forwarded"))
        guard let peer, !(hosts.isEmpty && schemes.isEmpty && forwarded.isEmpty), !knowsAll else { return }
        // A proxy of a person's own; what a stranger sends is no reason for anything.
        guard peer.isLoopback || peer.isPrivate || isTrusted(peer) else { return }
        // As it would be read if the proxy were trusted.
        let source = RequestSource(
            peer: try? SocketAddress(ipAddress: "\(peer)", port: 1), isSecure: false, host: host,
            trustedProxies: [IPRange("\(peer)")].compactMap { $0 } + settings.trustedProxies, header: header)
        guard let asked = source.host.flatMap({ RequestHost($0) }) else { return }
        let port = source.host.flatMap { URLComponents(string: "//\($0)")?.port }
        let address = Self.address(asked, port: port, isSecure: source.isSecure)
        let isOrigin = settings.origin.map { Self.isSame($0, address) } ?? asked.isThisMachine
        if isTrusted(peer), isOrigin { return }
        let wanted =
            (isOrigin ? [] : ["--origin \(address)"]) + (isTrusted(peer) ? [] : ["--trusted-proxy \(peer)"])
        say("proxy \(peer) \(address)") {
            log.notice(
                "a proxy hands on requests for an address that the hub was not told of",
                metadata: [
                    "address": "\(address)", "proxy": "\(peer)",
                    "do": "if that is your proxy, start the hub with \(wanted.joined(separator: " "))",
                ])
        }
    }

    /// A request was refused, for its host is none of the hub's.
    func refused(_ host: RequestHost) {
        guard !knowsAll else { return }
        say("host \(host.text)") {
            log.notice(
                "a request was refused, for it asks for a host that is not the hub’s",
                metadata: [
                    "host": "\(host.inURL)",
                    "do": "if that is its address, start the hub with --origin https://\(host.inURL)",
                ])
        }
    }

    private var knowsAll: Bool { told.withLock { $0.count >= Self.most } }

    private func say(_ key: String, _ line: () -> Void) {
        guard told.withLock({ $0.count < Self.most && $0.insert(key).inserted }) else { return }
        line()
    }

    private func isTrusted(_ peer: IPAddress) -> Bool { settings.trustedProxies.contains { $0.contains(peer) } }

    private static func address(_ host: RequestHost, port: Int?, isSecure: Bool) -> String {
        let standard = isSecure ? 443 : 80
        let place = port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
        return (isSecure ? "https://" : "http://") + host.inURL + place
    }

    /// Whether two addresses lead to the same: same scheme, port and host, whatever their spelling.
    private static func isSame(_ origin: String, _ address: String) -> Bool {
        func parts(_ text: String) -> (scheme: String, host: RequestHost, port: Int)? {
            guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
                let host = parts.host.flatMap({ RequestHost($0) })
            else { return nil }
            return (scheme, host, parts.port ?? (scheme == "https" ? 443 : 80))
        }
        guard let one = parts(origin), let other = parts(address) else { return false }
        return one == other
    }
}

extension RequestHost {
    /// The host as it stands in an address: that of IPv6 in brackets.
    var inURL: String {
        guard case .address(let address) = self, address.bytes.count == 16 else { return text }
        return "[\(address)]"
    }

    /// Whether it is this machine by a name that means the same everywhere.
    fileprivate var isThisMachine: Bool {
        switch self {
        case .address(let address): address.isLoopback
        case .name(let name): name == "localhost"
        }
    }
}
