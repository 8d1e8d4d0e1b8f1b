import Crypto
import NIOCore
import NIOSSL

/// The trust in a server that a household has chosen: one of the machine's authorities, one authority that was given, or exactly
/// the certificate with a fingerprint.
public struct ServerTrust: Sendable {
    /// An error for a text that is no certificate or no fingerprint.
    public struct Fault: Error {}

    private let context: NIOSSLContext
    private let host: String?
    private let fingerprint: [UInt8]?

    /// Creates the trust in a server.
    ///
    /// - Parameters:
    ///   - host: the host name or address, as it was entered.
    ///   - authority: the certificate of the authority to trust, PEM; nil for those that the machine trusts.
    ///   - fingerprint: the SHA-256 of the server's certificate in hexadecimal digits, instead of an authority.
    ///   - roots: the authorities that are trusted where none was given; others than the machine's in tests.
    /// - Throws: `Fault`, or an error of NIOSSL for a certificate that cannot be read.
    public init(host: String, authority: String?, fingerprint: String?, roots: NIOSSLTrustRoots = .default) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = roots
        if let authority {
            let certificates = try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8))
            guard !certificates.isEmpty else { throw Fault() }
            configuration.trustRoots = .certificates(certificates)
        }
        self.fingerprint = try fingerprint.map { text in
            guard let bytes = Self.bytes(ofHexadecimal: text), bytes.count == SHA256.byteCount else { throw Fault() }
            return bytes
        }
        // An authority that a household made itself names what it likes: who holds its key is whom it trusts.
        if authority != nil { configuration.certificateVerification = .noHostnameVerification }
        context = try NIOSSLContext(configuration: configuration)
        self.host = host.contains(where: \.isLetter) && !host.contains(":") ? host : nil
    }

    /// The handler for a new connection.
    public func handler() throws -> NIOSSLClientHandler {
        guard let fingerprint else { return try NIOSSLClientHandler(context: context, serverHostname: host) }
        return try NIOSSLClientHandler(
            context: context, serverHostname: host,
            customVerificationCallback: { certificates, promise in
                let own = try? certificates.first?.toDERBytes()
                let isKnown = own.map { Array(SHA256.hash(data: $0)) == fingerprint } ?? false
                promise.succeed(isKnown ? .certificateVerified : .failed)
            })
    }

    /// The bytes of hexadecimal digits, with or without colons between them.
    private static func bytes(ofHexadecimal text: String) -> [UInt8]? {
        let digits = text.filter { $0 != ":" && $0 != " " }
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
