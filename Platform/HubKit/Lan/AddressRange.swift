import NIOCore

/// A range of addresses in CIDR form (RFC 4632, RFC 4291), `10.0.0.0/8` or a single address.
public struct AddressRange: Sendable, Equatable {
    private let bytes: [UInt8]
    private let prefixBits: Int

    /// - Returns: nil for what is no address with an optional length of its prefix.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = try? SocketAddress(ipAddress: String(parts[0]), port: 0),
            let bytes = Self.bytes(of: address)
        else { return nil }
        let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
        guard let bits, (0...bytes.count * 8).contains(bits) else { return nil }
        self.bytes = bytes
        prefixBits = bits
    }

    /// Whether an address lies in the range; an IPv4 address mapped into IPv6 counts as IPv4.
    public func contains(_ address: SocketAddress) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        for index in bytes.indices {
            let bits = min(8, max(0, prefixBits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            guard bytes[index] & mask == other[index] & mask else { return false }
        }
        return true
    }

    private static func bytes(of address: SocketAddress) -> [UInt8]? {
        switch address {
        case .v4(let address): return withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            // ::ffff:a.b.c.d, RFC 4291 2.5.5.2: what a dual-stack socket calls an IPv4 peer.
            return bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) ? Array(bytes[12...]) : bytes
        case .unixDomainSocket: return nil
        }
    }
}
