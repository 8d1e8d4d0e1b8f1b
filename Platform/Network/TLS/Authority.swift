import Crypto
import Foundation
import SwiftASN1
import X509

/// The household's own certificate authority, which phones are told to trust, for names and addresses of the home
/// network only.
public struct Authority: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    /// The certificate as phones install it: X.509 in DER.
    public let der: [UInt8]
    /// The certificate as text, with its BEGIN and END lines and a final newline.
    public let pem: String
    /// The names and addresses that it may sign for.
    public let permitted: LocalNames

    /// The fingerprint, by which a person compares what the phone shows with what the hub shows.
    public var fingerprint: Fingerprint { Fingerprint(der: der) }

    /// The name in a phone's list, such as `Tandem of linden 4F1A2B`.
    public var name: String {
        certificate.subject.lazy.flatMap { $0 }.first { $0.type == .RDNAttributeType.commonName }
            .flatMap { String($0.value) } ?? "Tandem"
    }

    /// The time after which no certificate of it is valid.
    public var validUntil: Date { certificate.notValidAfter }

    /// The first moment of its validity. Both dates are the same for every hub and come from no clock: a hub whose
    /// clock is wrong by years must not make an authority that phones refuse. The end is the last moment of the years
    /// that X.509 writes with two digits (RFC 5280, 4.1.2.5).
    static let validFrom = Date(timeIntervalSince1970: 1_704_067_200)  // 2024-01-01T00:00:00Z
    static let validUntil = Date(timeIntervalSince1970: 2_524_607_999)  // 2049-12-31T23:59:59Z

    /// Creates an authority with a new key.
    ///
    /// - Parameters:
    ///   - hubName: the hub's name, a label. A random suffix distinguishes two hubs of the same name in a phone's list.
    ///   - hostNames: further names without a domain that it may sign for.
    ///   - servers: names of servers of original systems that it may sign for, too.
    public static func make(hubName: String, hostNames: [String] = [], servers: [String] = []) throws -> Authority {
        let key = P256.Signing.PrivateKey()
        let suffix = (0..<3).map { _ in UInt8.random(in: 0...255) }
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        // 64 characters at most (RFC 5280, appendix A.1: ub-common-name).
        let name = try DistinguishedName { CommonName("Tandem of \(hubName.prefix(40)) \(suffix)") }
        let publicKey = Certificate.PublicKey(key.publicKey)
        let permitted = LocalNames(hostNames: [hubName] + hostNames, servers: servers)
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: validFrom,
            notValidAfter: validUntil, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                Critical(permitted.constraints)
                // Constraints bind only the kinds of names that they list. Without this a stolen key could still sign
                // programs and letters for whoever trusts the authority for all purposes, as Windows does.
                try ExtendedKeyUsage([.serverAuth])
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: .init(key))
        return try Authority(certificate: certificate, key: key)
    }

    /// Wraps a certificate and its key.
    ///
    /// - Throws: if the certificate has no name constraints, or cannot be encoded as DER.
    init(certificate: Certificate, key: P256.Signing.PrivateKey) throws {
        self.certificate = certificate
        self.key = key
        let document = try certificate.serializeAsPEM()
        der = document.derBytes
        pem = document.pemString + "\n"
        permitted = LocalNames(try certificate.extensions.nameConstraints ?? NameConstraints())
    }
}
