import Admission
import Foundation
import NIOCore

/// The names and addresses of this machine at one moment.
public struct LocalNetwork: Sendable, Equatable {
    /// The system's host name as a label without a domain, such as `linden`.
    public var hostName: String
    /// The addresses of active network interfaces, including loopback and public ones; each once, sorted.
    public var addresses: [IPAddress]

    /// Creates the names and addresses.
    public init(hostName: String, addresses: [IPAddress]) {
        self.hostName = hostName
        self.addresses = Set(addresses).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The current names and addresses. If the system does not list its interfaces, there are no addresses.
    public static func current() -> LocalNetwork {
        let devices = (try? System.enumerateDevices()) ?? []
        return LocalNetwork(
            hostName: HostLabel.nearest(to: systemHostName()),
            addresses: devices.filter { !isInternal($0.name) }.compactMap { $0.address.flatMap { IPAddress($0) } })
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
    /// ones (mDNS gives no scope with them), and those of an overlay such as a VPN (RFC 6598).
    public var announced: [String] {
        let unannounced = ["127.0.0.0/8", "::1", "169.254.0.0/16", "fe80::/10", "100.64.0.0/10"].compactMap {
            IPRange($0)
        }
        let permitted = LocalNames()
        return addresses.filter { address in
            permitted.permits(address) && !unannounced.contains { $0.contains(address) }
        }.prefix(Self.maximumAddresses).map { "\($0)" }
    }
}
