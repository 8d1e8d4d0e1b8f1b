import Crypto
import Foundation
import HubKit

@testable import Passkeys

/// An authenticator of one passkey, whose parts a test changes. It writes its bytes by itself, not with the code that it tests.
struct SoftwareAuthenticator {
    var origin = "https://linden.local:8443"
    var relyingParty = "linden.local"
    var id = [UInt8](repeating: 7, count: 16)
    var key = P256.Signing.PrivateKey()
    var user: [UInt8] = []
    var isUserPresent = true
    var isUserVerified = true
    var isBackupEligible = false
    var isBackedUp = false
    var signCount: UInt32 = 0

    private static func head(_ major: UInt8, _ count: Int) -> [UInt8] {
        count < 24
            ? [major << 5 | UInt8(count)]
            : count < 256
                ? [major << 5 | 24, UInt8(count)]
                : [major << 5 | 25, UInt8(count >> 8), UInt8(count & 0xFF)]
    }
    static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + text.utf8 }
    static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }

    /// The public key as COSE writes it.
    var coseKey: [UInt8] {
        let point = Array(key.publicKey.x963Representation)
        return [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21] + Self.bytes(Array(point[1..<33])) + [0x22]
            + Self.bytes(Array(point[33...]))
    }

    func clientData(_ type: String, _ challenge: [UInt8], more: String = "") -> [UInt8] {
        Array(
            #"{"type":"\#(type)","challenge":"\#(Base64URL.text(challenge))","origin":"\#(origin)"\#(more)}"#.utf8)
    }

    func authenticatorData(credential: Bool) -> [UInt8] {
        var flags: UInt8 = credential ? 0x40 : 0
        for (bit, isSet) in [
            (0x01, isUserPresent), (0x04, isUserVerified), (0x08, isBackupEligible), (0x10, isBackedUp),
        ]
        where isSet { flags |= UInt8(bit) }
        let count = (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
        let attested = [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id + coseKey
        return Array(SHA256.hash(data: Array(relyingParty.utf8))) + [flags] + count + (credential ? attested : [])
    }

    /// A passkey is made, with no attestation.
    func make(_ challenge: [UInt8], more: String = "") -> Registration {
        Registration(
            clientData: clientData("webauthn.create", challenge, more: more),
            attestation: attestation(
                "none", statement: [0xA0], authenticatorData: authenticatorData(credential: true)))
    }

    func attestation(_ format: String, statement: [UInt8], authenticatorData: [UInt8]) -> [UInt8] {
        [0xA3] + Self.text("fmt") + Self.text(format) + Self.text("attStmt") + statement + Self.text("authData")
            + Self.bytes(authenticatorData)
    }

    /// A passkey is made that attests itself.
    func makePacked(_ challenge: [UInt8], algorithm: UInt8 = 0x26, with signer: P256.Signing.PrivateKey? = nil) throws
        -> Registration
    {
        let client = clientData("webauthn.create", challenge)
        let data = authenticatorData(credential: true)
        let signature = try (signer ?? key).signature(for: data + SHA256.hash(data: client))
        return Registration(
            clientData: client,
            attestation: attestation(
                "packed",
                statement: [0xA2] + Self.text("alg") + [algorithm] + Self.text("sig")
                    + Self.bytes(Array(signature.derRepresentation)), authenticatorData: data))
    }

    /// The passkey is used.
    func use(_ challenge: [UInt8], type: String = "webauthn.get", more: String = "") throws -> Assertion {
        let client = clientData(type, challenge, more: more)
        let data = authenticatorData(credential: false)
        let signature = try key.signature(for: data + SHA256.hash(data: client))
        return Assertion(
            id: id, clientData: client, authenticatorData: data, signature: Array(signature.derRepresentation),
            user: user)
    }
}
