import Admission
import Foundation
import HubKit
import Localization
import NIOSSL
import TLS

/// The rules for calls to other hosts: how names become addresses, which addresses are allowed, and how long to wait.
/// The hosts are declared by an ``OutboundUse``.
///
/// Devices of the home network are called by http at a numeric address, so there is no name that could lead elsewhere
/// between two lookups.
///
/// There is one, `internet`. Only tests make others, in code: no flag, setting or variable widens it. Hosts that an adult has
/// chosen are called for the purposes of `OutboundUse.chosen` alone (`ChosenHost`).
public struct OutboundPolicy: Sendable {
    /// The purpose of notifications; companions declare further ones.
    var push = OutboundUse.push
    /// The port of https; another than 443 in tests only.
    var port = 443
    /// Returns every address of a host name, in the order to try them.
    var resolve: @Sendable (String) async throws -> [IPAddress] = SystemResolver.addresses
    /// Whether the hub may connect to an address.
    var isAllowed: @Sendable (IPAddress) -> Bool = { $0.isPublic }
    /// The authorities that are trusted for the servers' certificates.
    var trust: NIOSSLTrustRoots = .default
    /// The time that a whole call may take.
    var patience = Duration.seconds(20)

    /// The rules for the internet: its names and certificates, and public addresses only.
    public static let internet = OutboundPolicy()

    /// Parses an address and rebuilds it from its parts, so that nothing is left in it that two readers could
    /// understand differently.
    ///
    /// - Throws: `OutboundError.refused`, in words.
    func target(_ text: String, for use: OutboundUse) throws(OutboundError) -> OutboundTarget {
        guard text.utf8.count <= OutboundTarget.longest else {
            throw .refused(LocalizedText("it is longer than \(OutboundTarget.longest) bytes"))
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: text), let scheme = parts.scheme,
            let name = parts.percentEncodedHost?.lowercased()
        else { throw .refused(LocalizedText("it is no https address")) }
        guard parts.user == nil, parts.password == nil, !text.contains("@") else {
            throw .refused(LocalizedText("it has a user name in it"))
        }
        guard parts.fragment == nil else { throw .refused(LocalizedText("it has a # in it")) }
        if case .privateNetwork(let ports, let paths) = use.reach {
            return try houseTarget(parts, ports: ports, paths: paths)
        }
        guard scheme.lowercased() == "https" else { throw .refused(LocalizedText("it is not https")) }
        guard (parts.port ?? 443) == port else { throw .refused(LocalizedText("it names a port of its own")) }
        let isName = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName, IPAddress(name) == nil, use.hosts.contains(where: { $0.covers(name) }) else {
            throw .refused(LocalizedText("\(name) is none of the hosts that this hub calls for \(use.title)"))
        }
        let origin = "https://\(name)" + (port == 443 ? "" : ":\(port)")
        let path = parts.percentEncodedPath.hasPrefix("/") ? parts.percentEncodedPath : "/"
        let url = origin + path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        // What connects looks the host up by this very text.
        guard URL(string: url)?.host == name else { throw .refused(LocalizedText("it is no https address")) }
        return OutboundTarget(url: url, host: name, origin: origin)
    }

    /// Parses an address of the home network: IPv4, in the usual notation.
    private func houseTarget(_ parts: URLComponents, ports: ClosedRange<Int>, paths: [String]) throws(OutboundError)
        -> OutboundTarget
    {
        guard parts.scheme?.lowercased() == "http" else { throw .refused(LocalizedText("it is not http")) }
        guard let host = parts.percentEncodedHost, let address = IPAddress(host), address.bytes.count == 4,
            "\(address)" == host
        else { throw .refused(LocalizedText("it is no address in digits, such as 192.168.1.23")) }
        guard address.isPrivate else { throw .refused(LocalizedText("\(host) is no address of a private network")) }
        let port = parts.port ?? 80
        guard ports.contains(port) else { throw .refused(LocalizedText("it names a port of its own")) }
        guard paths.contains(parts.percentEncodedPath) else {
            throw .refused(LocalizedText("it names a path of its own"))
        }
        let origin = "http://\(host)" + (port == 80 ? "" : ":\(port)")
        let url = origin + parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        guard URL(string: url)?.host == host else { throw .refused(LocalizedText("it is no http address")) }
        return OutboundTarget(url: url, host: host, origin: origin, houseAddress: address)
    }

    /// The addresses to connect to, from one lookup: at most the first of each family.
    ///
    /// - Throws: `OutboundError.refused` if any of the addresses is not allowed, `.unreachable` if there is none.
    func addresses(of target: OutboundTarget) async throws(OutboundError) -> [IPAddress] {
        if let address = target.houseAddress { return [address] }
        let all: [IPAddress]
        do { all = try await resolve(target.host) } catch { throw .unreachable("\(target.host) was not found") }
        if let wrong = all.first(where: { !isAllowed($0) }) {
            let purpose = wrong.specialPurpose.map { " (\($0))" } ?? ""
            throw .refused(
                LocalizedText(
                    "\(target.host) leads to \(wrong.description), which is not on the internet\(purpose); something in the hub’s network answers for that name, such as an ad blocker"
                ))
        }
        guard let first = all.first else { throw .unreachable("\(target.host) was not found") }
        return [first] + (all.first { $0.bytes.count != first.bytes.count }.map { [$0] } ?? [])
    }
}

/// The checked target of a call.
package struct OutboundTarget: Sendable, Equatable {
    /// The length of an address, at most, in bytes.
    static let longest = 2_048

    /// The address, rebuilt from its parts.
    var url: String
    /// The host in lower case.
    var host: String
    /// The origin, such as `https://host` (RFC 6454).
    var origin: String
    /// The address in the home network, for which nothing is looked up; nil for a host on the internet.
    var houseAddress: IPAddress?
}
