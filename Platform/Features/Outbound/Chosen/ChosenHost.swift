import Admission
import Foundation
import HubKit
import Localization
import Storage
import TLS

/// A host that an adult has chosen, with its port: on the internet by its name, or in the house at the very address that the
/// adult has named.
package struct ChosenHost: Sendable, Equatable {
    /// The protocol that is spoken there.
    package enum Scheme: String, Sendable {
        /// HTTP over TLS.
        case https
        /// HTTP without TLS, which is for addresses in the house.
        case http
        /// SMTP over TLS, which may begin with STARTTLS.
        case smtp
    }

    /// The reason why an address is not taken.
    package enum Fault: Error, Equatable {
        /// The address cannot be used; the text continues a sentence after a colon.
        case refused(LocalizedText)
        /// The name leads into the house, and nobody has named this address.
        case isInHouse(name: String, address: String)
        /// The address that was named for a host in the house is none.
        case noHouseAddress(LocalizedText)
    }

    /// The protocol.
    package let scheme: Scheme
    /// The host in lower case: a name, or an address in digits.
    package let host: String
    /// The port.
    package let port: Int
    /// The address in the house to which connections are made, whatever the name means; nil for a host on the internet.
    package let houseAddress: IPAddress?

    /// The origin of a web address, such as `https://ntfy.example` (RFC 6454).
    package var origin: String {
        let usual = scheme == .https ? 443 : 80
        return "\(scheme.rawValue)://\(host)" + (port == usual ? "" : ":\(port)")
    }

    /// Checks a host.
    ///
    /// - Parameters:
    ///   - scheme: the protocol.
    ///   - host: a name, or an address in digits.
    ///   - port: the port.
    ///   - houseAddress: the address in digits of a name in the house, as an adult has typed it; nil or empty for none.
    /// - Throws: `Fault`.
    package init(_ scheme: Scheme, host text: String, port: Int, houseAddress named: String?) throws(Fault) {
        let host = text.lowercased()
        guard (1...65_535).contains(port) else { throw .refused(LocalizedText("a port is a number from 1 to 65,535")) }
        self.scheme = scheme
        self.port = port
        self.host = host
        if let address = IPAddress(host) {
            guard "\(address)" == host else {
                throw .refused(LocalizedText("it is no address in digits, such as 192.168.1.23"))
            }
            guard address.isInHouse || address.isPublic else {
                throw .refused(LocalizedText("\(host) is neither on the internet nor in a home network"))
            }
            houseAddress = address.isInHouse ? address : nil
        } else {
            guard Self.isName(host) else { throw .refused(LocalizedText("“\(host)” is no host name")) }
            let named = (named ?? "").trimmingCharacters(in: .whitespaces)
            if host == "localhost" {
                houseAddress = IPAddress("127.0.0.1")
            } else if named.isEmpty {
                houseAddress = nil
            } else {
                guard let address = IPAddress(named), "\(address)" == named else {
                    throw .noHouseAddress(LocalizedText("An address in digits looks like 192.168.1.23."))
                }
                guard address.isInHouse else {
                    throw .noHouseAddress(LocalizedText("\(named) is no address of a home network."))
                }
                houseAddress = address
            }
        }
        guard scheme != .http || houseAddress != nil else {
            throw .refused(LocalizedText("http is for addresses in your home network; use https"))
        }
    }

    /// Checks a web address, and takes the host from it.
    ///
    /// - Throws: `Fault`.
    package init(url text: String, houseAddress: String?) throws(Fault) {
        self = try Self.parse(text, houseAddress: houseAddress).host
    }

    /// Checks a web address.
    ///
    /// - Returns: the host, and the path with the query.
    /// - Throws: `Fault`.
    static func parse(_ text: String, houseAddress: String?) throws(Fault) -> (host: ChosenHost, path: String) {
        guard text.utf8.count <= OutboundTarget.longest else {
            throw .refused(LocalizedText("it is longer than \(OutboundTarget.longest) bytes"))
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: text), let scheme = parts.scheme.flatMap({ Scheme($0.lowercased()) }),
            scheme != .smtp, let name = parts.percentEncodedHost
        else { throw .refused(LocalizedText("it is no https address")) }
        guard parts.user == nil, parts.password == nil, !text.contains("@") else {
            throw .refused(LocalizedText("it has a user name in it"))
        }
        guard parts.fragment == nil else { throw .refused(LocalizedText("it has a # in it")) }
        let host = try ChosenHost(
            scheme, host: name, port: parts.port ?? (scheme == .https ? 443 : 80), houseAddress: houseAddress)
        let path = parts.percentEncodedPath.hasPrefix("/") ? parts.percentEncodedPath : "/"
        return (host, path + (parts.percentEncodedQuery.map { "?" + $0 } ?? ""))
    }

    /// Whether a text is a host name: letters, digits, hyphens and dots (RFC 1123, 2.1), and not all digits.
    private static func isName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count) && text.contains(where: \.isLetter)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy {
                        switch $0 {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                            UInt8(ascii: "-"):
                            true
                        default: false
                        }
                    }
            }
    }
}

extension ChosenHost.Fault {
    /// The problem for the adult who has entered the address.
    ///
    /// - Parameter field: the input that has it; an address in the house is asked for in `houseAddress`.
    package func problem(field: String) -> Problem {
        switch self {
        case .refused(let reason): .field(field, detail: LocalizedText("This address is not taken: \(reason)."))
        case .noHouseAddress(let words): .field("houseAddress", detail: words)
        case .isInHouse(let name, let address):
            .field(
                "houseAddress",
                detail: LocalizedText(
                    "\(name) is in your own network, at \(address). If you mean that one, type this address here."))
        }
    }
}

extension ChosenHost.Scheme {
    init?(_ text: String) { self.init(rawValue: text) }
}

extension ChosenHost {
    /// The target of a call of a web address to this host.
    func target(path: String) -> OutboundTarget {
        OutboundTarget(url: origin + path, host: host, origin: origin, houseAddress: houseAddress)
    }

    /// The target of a connection, for which there is no web address.
    var target: OutboundTarget { OutboundTarget(url: "", host: host, origin: "", houseAddress: houseAddress) }
}

extension IPAddress {
    /// Whether the address can be one in the house: of a private network (RFC 1918, RFC 4193), or of this machine. Link-local
    /// addresses are not, where clouds have their keys.
    package var isInHouse: Bool { isPrivate || Self.houseRanges.contains { $0.contains(self) } }

    private static let houseRanges = ["127.0.0.0/8", "::1/128", "fc00::/7"].compactMap { IPRange($0) }
}
