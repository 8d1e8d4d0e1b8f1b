import Admission
import Foundation
import NIOCore

/// The names and addresses of this machine at one moment.
public struct LocalNetwork: Sendable, Equatable {
    /// The system's host name as a label without a domain, such as `linden`.
    public var hostName: String
    /// The addresses of active network interfaces, including loopback and public ones; each once, sorted.
    public var addresses: [IPAddress]
    /// The one of them that leads to the router, if any: the first that phones are told.
    public var routed: IPAddress?

    /// Creates the names and addresses.
    public init(hostName: String, addresses: [IPAddress], routed: IPAddress? = nil) {
        self.hostName = hostName
        self.routed = routed
        self.addresses = Set(addresses).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The current names and addresses. If the system does not list its interfaces, there are no addresses.
    public static func current() -> LocalNetwork {
        let devices = (try? System.enumerateDevices()) ?? []
        return LocalNetwork(
            hostName: HostLabel.nearest(to: systemHostName()),
            addresses: devices.filter { !isInternal($0.name) }.compactMap { $0.address.flatMap { IPAddress($0) } },
            routed: addressTowardsRouter())
    }

    /// The address from which this machine would speak to the internet; nil where no route leads there.
    private static func addressTowardsRouter() -> IPAddress? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // An address of documents (RFC 5737): to connect a datagram socket chooses a route and sends nothing.
        guard let there = try? SocketAddress(ipAddress: "192.0.2.1", port: 9) else { return nil }
        let isRouted = there.withSockAddr { address, size in connect(descriptor, address, socklen_t(size)) == 0 }
        var own = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isRouted, isKnown else { return nil }
        return IPAddress(bytes: withUnsafeBytes(of: own.sin_addr) { Array($0) })
    }

    /// Whether an interface leads to containers and virtual machines of this machine only. No phone uses those, and
    /// their addresses come and go with each container.
    static func isInternal(_ interface: String) -> Bool {
        ["docker", "br-", "virbr", "vmnet", "vboxnet", "lxcbr", "lxdbr", "cni", "flannel", "podman", "cali", "kube"]
            .contains { interface.hasPrefix($0) }
    }

    /// The system's host name, with its domain if it has one. Foundation's own function asks the name service, which
    /// may take seconds and return another name.
    public static func systemHostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The names and addresses for the hub's certificate: its own name first, then the machine's other names, and the
    /// addresses; only those that the authority may sign for.
    ///
    /// - Parameters:
    ///   - name: the hub's own name, a label. It stays when the machine is renamed.
    ///   - permitted: the names and addresses that the authority may sign for. A name that the machine got after the
    ///     authority was made is permitted with `.local`, but not without.
    public func subjects(hubName name: String, permitted: LocalNames) -> CertificateSubjects {
        var names: [String] = []
        for candidate in ["\(name).local", "\(hostName).local", name, hostName, "localhost"] + permitted.servers
        where !names.contains(candidate) && permitted.permits(name: candidate) {
            names.append(candidate)
        }
        let loopback = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
        // An address of one link needs its scope, which no address of a page can carry (RFC 6874).
        let ofOneLink = IPRange("fe80::/10")
        let reachable = addresses.filter {
            !loopback.contains($0) && permitted.permits($0) && ofOneLink?.contains($0) != true
        }
        return CertificateSubjects(
            names: names, addresses: Array((loopback + reachable).prefix(Self.maximumAddresses)))
    }

    /// The number of addresses in a certificate, at most. A machine with many containers has hundreds, and each costs
    /// every handshake some bytes.
    static let maximumAddresses = 32
}

/// The names and addresses that a certificate is for.
public struct CertificateSubjects: Sendable, Equatable {
    /// The DNS names in lower case; the first one is the main name.
    public var names: [String]
    /// The addresses.
    public var addresses: [IPAddress]

    /// Creates the subjects of a certificate.
    public init(names: [String], addresses: [IPAddress]) {
        self.names = names
        self.addresses = addresses
    }

    /// Whether all names and addresses of another are included.
    public func covers(_ other: CertificateSubjects) -> Bool {
        Set(names).isSuperset(of: other.names) && Set(addresses).isSuperset(of: other.addresses)
    }
}

extension LocalNetwork {
    /// The addresses at which phones of the household reach this machine: private ones, without loopback, link-local
    /// ones (mDNS gives no scope with them), and those of an overlay such as a VPN (RFC 6598). The one that leads to
    /// the router comes first.
    public var announced: [String] {
        let unannounced = ["127.0.0.0/8", "::1", "169.254.0.0/16", "fe80::/10", "100.64.0.0/10"].compactMap {
            IPRange($0)
        }
        let permitted = LocalNames()
        let first = addresses.filter { $0 == routed }
        return (first + addresses.filter { $0 != routed }).filter { address in
            permitted.permits(address) && !unannounced.contains { $0.contains(address) }
        }.prefix(Self.maximumAddresses).map { "\($0)" }
    }
}
