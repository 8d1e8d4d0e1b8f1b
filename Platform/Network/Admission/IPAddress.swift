import NIOCore

/// An IPv4 or IPv6 address, without a port or a scope.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The bytes in network order: 4 for IPv4, or 16 for IPv6.
    public let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes in network order; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads `192.168.1.7` or `fe80::1`; a scope such as `%eth0` is left away.
    public init?(_ text: String) {
        let bare = text.prefix { $0 != "%" }
        // The system reads up to a zero byte and takes no notice of what follows.
        guard !bare.utf8.contains(0), let address = try? SocketAddress(ipAddress: String(bare), port: 0) else {
            return nil
        }
        self.init(address)
    }

    /// The address of a socket; nil for one of the file system. An IPv4 address that came mapped into IPv6, as a
    /// socket of both families gives it (RFC 4291, 2.5.5.2), is an IPv4 address here.
    public init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            bytes = all.starts(with: Self.mappedPrefix) ? Array(all[12...]) : all
        case .unixDomainSocket: return nil
        }
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Whether it is this machine itself (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The address as `inet_ntop` writes it (RFC 5952 for IPv6).
    public var description: String {
        (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))?.ipAddress ?? ""
    }
}

/// A range of addresses in CIDR notation (RFC 4632), such as `192.168.0.0/16`.
public struct IPRange: Sendable, Hashable, CustomStringConvertible {
    /// The first address of the range: bits after the prefix are zero.
    public let base: IPAddress
    /// The number of leading bits that all addresses in the range share: 0...32, or 0...128.
    public let prefixLength: Int

    /// Reads `10.0.0.0/8` or `fd00::/8`; an address alone is the range that holds only itself. Bits after the prefix
    /// are cleared. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        let bits = address.bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]), length <= bits
            else { return nil }
            prefixLength = length
        } else {
            prefixLength = bits
        }
        let mask = Self.mask(prefixLength, bytes: address.bytes.count)
        guard let base = IPAddress(bytes: zip(address.bytes, mask).map { $0 & $1 }) else { return nil }
        self.base = base
    }

    /// Whether the address lies in the range. An IPv4 address lies in no range of IPv6.
    public func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        return zip(zip(address.bytes, mask), base.bytes).allSatisfy { $0.0 & $0.1 == $1 }
    }

    /// One bit for each of the prefix, then zeros; as long as the base.
    package var mask: [UInt8] { Self.mask(prefixLength, bytes: base.bytes.count) }

    private static func mask(_ length: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { index in
            let ones = min(max(length - index * 8, 0), 8)
            return UInt8(truncatingIfNeeded: 0xFF00 >> ones)
        }
    }

    public var description: String { "\(base)/\(prefixLength)" }
}
