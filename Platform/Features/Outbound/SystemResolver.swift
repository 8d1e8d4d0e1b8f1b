import Admission
import Foundation
import HubKit
import NIOCore
import NIOPosix
import TLS

/// The machine's own way from names to addresses.
enum SystemResolver {
    /// No such name, or nobody to ask.
    struct NotFound: Error { var code: Int32 }

    /// Every address of a host name, in the order in which RFC 6724 would try them.
    ///
    /// - Throws: `NotFound`.
    @Sendable static func addresses(of host: String) async throws -> [IPAddress] {
        // The C library waits for its answer, so that no event loop or task may do it.
        try await NIOThreadPool.singleton.runIfActive { try lookUp(host) }
    }

    private static func lookUp(_ host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { throw NotFound(code: code) }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = address(of: entry), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses
    }

    /// The bytes as they stand: a mapped IPv4 address stays one of IPv6 here, and so is not public.
    private static func address(of entry: addrinfo) -> IPAddress? {
        guard let raw = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { IPAddress(bytes: Array($0)) }
        case AF_INET6:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
                IPAddress(bytes: Array($0))
            }
        default: return nil
        }
    }
}
