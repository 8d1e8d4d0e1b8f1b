import Admission
import SwiftASN1
import X509

/// The names and addresses that a hub's authority may sign for: those that nobody on the internet has.
///
/// A phone that trusts the authority trusts it for these alone (RFC 5280, 4.2.1.10), so whoever steals its key cannot
/// impersonate a bank.
public struct LocalNames: Sendable, Equatable {
    /// The domains; a name is permitted if it is one of them or ends in one after a dot.
    public let domains: [String]
    /// The ranges of addresses that are permitted.
    public let ranges: [IPRange]

    /// The names that never lead out of the home network: `local` (RFC 6762), `home.arpa` (RFC 8375), `internal`
    /// (reserved by ICANN in 2024), `localhost` (RFC 6761), and `lan` and `home`, which home routers use and no
    /// registry will.
    public static let domains = ["local", "home.arpa", "internal", "lan", "home", "localhost"]

    /// The addresses that are not routed on the internet: RFC 1918, RFC 3927, RFC 1122 (3.2.1.3), RFC 6598, RFC 4193,
    /// and RFC 4291 (2.5.6 and 2.5.3).
    public static let ranges = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "100.64.0.0/10", "fc00::/7",
        "fe80::/10", "::1/128",
    ].compactMap(IPRange.init)

    /// Creates the names and addresses.
    ///
    /// - Parameters:
    ///   - hostNames: further names without a domain, such as `linden`; those with a dot are ignored.
    ///   - servers: full names of servers of original systems, which the owner has asked for.
    public init(hostNames: [String] = [], servers: [String] = []) {
        let bare = hostNames.filter { HostLabel.isLabel($0) && !Self.domains.contains($0) }
        self.init(domains: Self.domains + Set(bare).sorted() + Set(servers).sorted(), ranges: Self.ranges)
    }

    /// The servers of original systems among ``domains``.
    public var servers: [String] { domains.filter { $0.contains(".") && !Self.domains.contains($0) } }

    private init(domains: [String], ranges: [IPRange]) {
        self.domains = domains
        self.ranges = ranges
    }

    /// Whether a certificate of the authority may have the DNS name, in upper or lower case.
    public func permits(name: String) -> Bool {
        let name = name.lowercased()
        return domains.contains { name == $0 || name.hasSuffix("." + $0) }
    }

    /// Whether a certificate of the authority may have the address.
    public func permits(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

extension LocalNames {
    /// The name constraints for the certificate. An address is encoded as its bytes followed by those of the mask (RFC
    /// 5280, 4.2.1.10).
    var constraints: NameConstraints {
        NameConstraints(
            permittedDNSDomains: domains,
            permittedIPRanges: ranges.map { ASN1OctetString(contentBytes: ($0.base.bytes + $0.mask)[...]) })
    }

    /// Reads the name constraints of a certificate.
    init(_ constraints: NameConstraints) {
        self.init(
            domains: Array(constraints.permittedDNSDomains),
            ranges: constraints.permittedIPRanges.compactMap { octets in
                let half = octets.bytes.count / 2
                let length = octets.bytes.suffix(half).reduce(0) { $0 + $1.nonzeroBitCount }
                return IPAddress(bytes: Array(octets.bytes.prefix(half))).flatMap { IPRange("\($0)/\(length)") }
            })
    }
}
