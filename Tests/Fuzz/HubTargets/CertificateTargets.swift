import Foundation
import FuzzTargets

@testable import TLS

extension FuzzTarget {
    static var certificates: [FuzzTarget] {
        [
            FuzzTarget(
                "certificates", longestInput: 4_096,
                dictionary: [
                    "-----BEGIN CERTIFICATE-----\\x0a", "-----END CERTIFICATE-----\\x0a",
                    "-----BEGIN PRIVATE KEY-----\\x0a", "-----END PRIVATE KEY-----\\x0a", "MIIB", "AQAB", "AgEA",
                    "oIID",
                ], seeds: pairs
            ) { bytes throws(BrokenProperty) in try checkCertificate(bytes) }
        ]
    }

    /// A certificate with its key, as a hub makes them, and one without.
    private static var pairs: [[UInt8]] {
        guard let authority = try? Authority.make(hubName: "linden", hostNames: []) else { return [] }
        return [Array((authority.pem + authority.key.pemRepresentation).utf8), Array(authority.pem.utf8)]
    }

    /// The files of the owner's are read or refused in words, whatever is in them.
    private static func checkCertificate(_ bytes: [UInt8]) throws(BrokenProperty) {
        let text = String(decoding: bytes, as: UTF8.self)
        let content = DurableFile.Content(text: text, mode: 0o600)
        let own = OwnCertificate(certificateFile: "hub.pem", keyFile: "hub.key")
        do throws(OwnCertificateError) {
            let serving = try own.check(
                OwnCertificate.Texts(certificate: content, key: content),
                now: Date(timeIntervalSince1970: 1_795_266_000))
            _ = serving.subjects.names
        } catch {
            try require(error.description.contains("hub."), "the words name the file")
        }
    }
}
