import Admission
import Foundation
import HubKit
import Logging
import NIOCore
import Outbound
import Synchronization

/// The lines of the log that name the settings which a request shows to be wanted: `--origin` where somebody asks for a name that
/// is not the hub's, and `--trusted-proxy` beside it where a proxy hands requests on. Each is said once.
///
/// Scanners ask for many names, and by no sign can they be told from the true one: through a trusted proxy no name is refused,
/// and through one that was not named all come from its address. So there are a few lines of each kind, and after them one
/// more from time to time: they fill no log, and keep the true name out for no longer than that.
final class ProxyHints: Sendable {
    /// The lines of one kind that are said at once, at most.
    static let most = 8
    /// The pause before each further line of the kind.
    static let pause = TimeAmount.minutes(10)
    /// The lines of one kind that are remembered, so that none is said again, at most.
    private static let remembered = 256

    private enum Kind { case proxy, host }

    /// The lines of one kind.
    private struct LoggedLines {
        var keys: Set<String> = []
        var left = ProxyHints.most
        /// The time of the next line, once none is left.
        var next = NIODeadline.distantPast
    }

    private let settings: HubSettings
    private let log: Logger
    private let now: @Sendable () -> NIODeadline
    private let logged = Mutex<[Kind: LoggedLines]>([:])

    init(settings: HubSettings, log: Logger, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        (self.settings, self.log, self.now) = (settings, log, now)
    }

    /// Looks at a request that came through.
    ///
    /// - Parameters:
    ///   - peer: the address of the other end.
    ///   - host: the request's `Host` or `:authority`.
    ///   - header: returns all values of a header field of the request.
    func look(peer: IPAddress?, host: String?, header: (String) -> [String]) {
        // Without a header no request costs more than this.
        let (hosts, schemes, forwarded) = (header("X-Forwarded-Host"), header("X-Forwarded-Proto"), header("Forwarded"))
        guard let peer, !(hosts.isEmpty && schemes.isEmpty && forwarded.isEmpty), !isSilent(.proxy) else { return }
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
        say(.proxy, "\(peer) \(address)") {
            log.notice(
                "a proxy hands on requests for an address that the hub was not told of",
                metadata: [
                    "address": "\(address)", "proxy": "\(peer)",
                    "do": "if that is your proxy, start the hub with \(wanted.joined(separator: " "))",
                ])
        }
    }

    /// A request was refused, for its host is none of the hub's.
    ///
    /// - Parameter address: the whole address that it seems to be asked for at.
    func refused(_ host: RequestHost, address: String) {
        guard !isSilent(.host) else { return }
        say(.host, address) {
            log.notice(
                "a request was refused, for it asks for a host that is not the hub’s",
                metadata: [
                    "host": "\(host.inURL)",
                    "do": "if that is its address, start the hub with --origin \(address)",
                ])
        }
    }

    /// Whether no line of a kind may be said now.
    private func isSilent(_ kind: Kind) -> Bool {
        let now = now()
        return logged.withLock { logged in logged[kind].map { $0.left == 0 && now < $0.next } ?? false }
    }

    private func say(_ kind: Kind, _ key: String, _ line: () -> Void) {
        let now = now()
        let isNew = logged.withLock { logged in
            var lines = logged[kind, default: LoggedLines()]
            guard lines.left > 0 || now >= lines.next, !lines.keys.contains(key) else { return false }
            if lines.keys.count >= Self.remembered { lines.keys = [] }
            lines.keys.insert(key)
            lines.left = max(0, lines.left - 1)
            lines.next = now + Self.pause
            logged[kind] = lines
            return true
        }
        if isNew { line() }
    }

    private func isTrusted(_ peer: IPAddress) -> Bool { settings.trustedProxies.contains { $0.contains(peer) } }

    /// The whole address of a host, without a port that is its scheme's own.
    static func address(_ host: RequestHost, port: Int?, isSecure: Bool) -> String {
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
