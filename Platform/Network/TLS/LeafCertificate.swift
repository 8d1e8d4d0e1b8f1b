import Admission
import Crypto
import Foundation
import SwiftASN1
import X509

/// The hub's certificate, signed by its authority.
struct LeafCertificate: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    /// The time before now at which a new certificate begins to be valid, since phones' clocks differ from the hub's.
    static let backdating: TimeInterval = 7 * 86_400

    /// The validity of a certificate. Apple's systems refuse a server's certificate of more than 825 days whoever
    /// signed it (support.apple.com/103769), and of more than 398 under the authorities they come with
    /// (support.apple.com/102028, as the CA/Browser Forum's Baseline Requirements 6.3.2): this stays below both.
    static let lifetime: TimeInterval = 397 * 86_400

    /// Signs a new certificate, with a new key.
    ///
    /// - Parameters:
    ///   - subjects: the names and addresses, all permitted by the authority.
    ///   - authority: the authority.
    ///   - now: the hub's time. A time outside of the authority's own dates is certainly wrong, and is replaced by the
    ///     nearest one within them.
    static func issue(for subjects: CertificateSubjects, by authority: Authority, now: Date) throws -> LeafCertificate {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        let (first, last) = (authority.certificate.notValidBefore, authority.certificate.notValidAfter)
        // Whole seconds, as X.509 has them.
        let second = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
        // The last second belongs to it too (RFC 5280, 4.1.2.5).
        let span = lifetime - 1
        let start = max(first, min(second.addingTimeInterval(-backdating), last.addingTimeInterval(-span)))
        let authorityKeyIdentifier = try authority.certificate.extensions.subjectKeyIdentifier?.keyIdentifier
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: start,
            notValidAfter: min(start.addingTimeInterval(span), last), issuer: authority.certificate.subject,
            subject: try DistinguishedName { CommonName(commonName(subjects)) },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(
                    subjects.names.map { .dnsName($0) }
                        + subjects.addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) })
                AuthorityKeyIdentifier(keyIdentifier: authorityKeyIdentifier)
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: .init(authority.key))
        return LeafCertificate(certificate: certificate, key: key)
    }

    // 64 characters at most (RFC 5280, appendix A.1: ub-common-name); clients go by the subjectAltName.
    private static func commonName(_ subjects: CertificateSubjects) -> String {
        subjects.names.first.flatMap { $0.utf8.count <= 64 ? $0 : nil } ?? "Tandem"
    }

    /// The reason why a new certificate is due; nil while this one serves.
    ///
    /// - Parameters:
    ///   - subjects: the names and addresses that are needed.
    ///   - authority: the authority.
    ///   - now: the hub's time, which may have been corrected by a year since the certificate was made.
    func renewal(for subjects: CertificateSubjects, by authority: Authority, now: Date) -> Renewal? {
        guard Certificate.PublicKey(key.publicKey) == certificate.publicKey else { return .otherKey }
        guard certificate.issuer == authority.certificate.subject,
            authority.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
        else { return .otherAuthority }
        let (first, last) = (authority.certificate.notValidBefore, authority.certificate.notValidAfter)
        // By a clock that cannot be right a new one would be no better.
        let now = min(max(now, first), last)
        guard now >= certificate.notValidBefore else { return .notYetValid }
        guard now <= certificate.notValidAfter else { return .expired }
        guard self.subjects.covers(subjects) else { return .newSubjects }
        guard certificate.notValidAfter < last else { return nil }
        let whole = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
        return certificate.notValidAfter.timeIntervalSince(now) < whole / 3 ? .endsSoon : nil
    }

    /// The reason to replace a certificate. A name or address that is gone is not a reason.
    enum Renewal: Equatable {
        case missing, otherKey, otherAuthority, notYetValid, expired, newSubjects, endsSoon

        /// The reason in words that follow “because”.
        var words: String {
            switch self {
            case .missing: "there was none that could be used"
            case .otherKey: "the key on disk belongs to another one"
            case .otherAuthority: "another authority had signed the last one"
            case .notYetValid: "by the clock the last one is not valid yet, so the clock was put back"
            case .expired: "the last one has ended"
            case .newSubjects: "this machine has a new name or address"
            case .endsSoon: "the last one ends soon"
            }
        }
    }

    var subjects: CertificateSubjects { CertificateSubjects(of: certificate) }
}

extension CertificateSubjects {
    /// Reads the certificate's subjectAltName; the common name is not used today (RFC 9525, 6.3).
    init(of certificate: Certificate) {
        self.init(names: [], addresses: [])
        for name in (try? certificate.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames() {
            switch name {
            case .dnsName(let name): names.append(name.lowercased())
            case .ipAddress(let octets):
                if let address = IPAddress(bytes: Array(octets.bytes)) { addresses.append(address) }
            default: break
            }
        }
    }
}
