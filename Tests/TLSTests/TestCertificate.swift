import Crypto
import Foundation
import TestInstruments
import X509

@testable import TLS

/// A pair of files as somebody else's authority gives them.
struct TestCertificate {
    var key = P256.Signing.PrivateKey()
    var names = ["tandem.example.org"]
    var from: TimeInterval = -86_400
    var until: TimeInterval = 86_400

    /// The certificate in PEM, signed by itself; `from` and `until` are seconds from `now`.
    func pem(now: Date) throws -> String {
        let name = try DistinguishedName { CommonName("somebody") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(from), notValidAfter: now.addingTimeInterval(until), issuer: name,
            subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init { SubjectAlternativeNames(names.map { .dnsName($0) }) }, issuerPrivateKey: .init(key))
        return try certificate.serializeAsPEM().pemString + "\n"
    }

    /// Writes `fullchain.pem` and `privkey.pem`.
    func write(to folder: TemporaryFolder, now: Date) throws {
        try folder.write(pem(now: now), to: "fullchain.pem", mode: 0o644)
        try folder.write(key.pemRepresentation + "\n", to: "privkey.pem")
    }
}

extension OwnCertificate {
    /// What `TestCertificate` writes.
    init(in folder: TemporaryFolder, name: String? = "tandem.example.org") {
        self.init(
            certificateFile: folder.path + "/fullchain.pem", keyFile: folder.path + "/privkey.pem", name: name)
    }
}
