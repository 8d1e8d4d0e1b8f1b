import Admission
import HubKit
import TLS

/// A range of addresses with a special purpose, which are not public.
struct SpecialRange: Sendable {
    /// The range.
    var range: IPRange
    /// The purpose, in a few words for the owner.
    var purpose: String

    /// The ranges in the registries of RFC 6890 as IANA keeps them ("IPv4 and IPv6 Special-Purpose Address
    /// Registries"), with multicast and reserved ones. Some lead on to other addresses (6to4, NAT64, Teredo), and so
    /// into the home network. IPv6 outside of 2000::/3 is not listed: nothing of it is public, see
    /// `IPAddress.specialPurpose`.
    static let all: [SpecialRange] = [
        ("0.0.0.0/8", "this network, RFC 791"),
        ("10.0.0.0/8", "private networks, RFC 1918"),
        ("100.64.0.0/10", "carriers’ shared addresses, RFC 6598"),
        ("127.0.0.0/8", "this machine, RFC 1122"),
        ("169.254.0.0/16", "link local, RFC 3927"),
        ("172.16.0.0/12", "private networks, RFC 1918"),
        ("192.0.0.0/24", "protocol assignments, RFC 6890"),
        ("192.0.2.0/24", "documentation, RFC 5737"),
        ("192.31.196.0/24", "AS112, RFC 7535"),
        ("192.52.193.0/24", "AMT, RFC 7450"),
        ("192.88.99.0/24", "6to4 relays, RFC 7526"),
        ("192.168.0.0/16", "private networks, RFC 1918"),
        ("192.175.48.0/24", "AS112, RFC 7534"),
        ("198.18.0.0/15", "benchmarks, RFC 2544"),
        ("198.51.100.0/24", "documentation, RFC 5737"),
        ("203.0.113.0/24", "documentation, RFC 5737"),
        ("224.0.0.0/4", "multicast, RFC 5771"),
        ("240.0.0.0/4", "reserved and broadcast, RFC 1112"),
        ("2001::/23", "protocol assignments with Teredo and ORCHID, RFC 2928"),
        ("2001:db8::/32", "documentation, RFC 3849"),
        ("2002::/16", "6to4, RFC 3056"),
        ("2620:4f:8000::/48", "AS112, RFC 7534"),
        ("3fff::/20", "documentation, RFC 9637"),
    ].compactMap { text, purpose in IPRange(text).map { SpecialRange(range: $0, purpose: purpose) } }
}

extension IPAddress {
    /// The purpose of a special address; nil for one that may be public.
    var specialPurpose: String? {
        if bytes.count == 16 {
            // 2000::/3 is all that is given out as global unicast (RFC 4291, 2.4). Outside it lie loopback, mapped and
            // translated IPv4 (64:ff9b::/96), unique local, link-local and multicast addresses.
            guard bytes[0] & 0xE0 == 0x20 else { return "local, mapped or translated addresses, RFC 4291" }
        }
        return SpecialRange.all.first { $0.range.contains(self) }?.purpose
    }

    /// Whether the address is one of a private network (RFC 1918). Loopback and link-local addresses are not, where
    /// clouds have their keys.
    package var isPrivate: Bool { Self.privateRanges.contains { $0.contains(self) } }

    /// The ranges of RFC 1918.
    static let privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].compactMap { IPRange($0) }

    /// Whether the address can be a public server's.
    public var isPublic: Bool { specialPurpose == nil }
}
