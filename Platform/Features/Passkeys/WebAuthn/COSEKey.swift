import Crypto
import CryptoExtras
import Foundation

/// The public key of a passkey, as COSE writes it (RFC 9052, 7; RFC 9053, 7; RFC 8230, 4).
///
/// It has the parameters that its kind requires and no others (WebAuthn 6.5.1).
struct COSEKey: Sendable {
    /// The signatures that the hub knows, by their numbers in COSE, the ones to prefer first.
    enum Algorithm: Int, CaseIterable, Sendable {
        /// ECDSA on P-256 with SHA-256.
        case es256 = -7
        /// Ed25519.
        case edDSA = -8
        /// RSASSA-PKCS1-v1_5 with SHA-256, as some computers' own chips have it.
        case rs256 = -257
    }

    private enum Key: Sendable {
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
    }

    /// The sizes of RSA keys that are taken, in bits.
    private static let rsaBits = 2_048...4_096

    /// The kind of its signatures.
    let algorithm: Algorithm
    private let key: Key

    /// Reads a key from its bytes, which are all of it.
    ///
    /// - Throws: `malformed` for anything that is no key, `algorithm` for a key of a kind that the hub does not know.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        do {
            try self.init(try CBORReader.whole(bytes))
        } catch let error as WebAuthnError {
            throw error
        } catch {
            throw .malformed
        }
    }

    /// Reads a key from its value.
    ///
    /// - Throws: the errors of ``init(_:)-([UInt8])``.
    init(_ value: CBORValue) throws(WebAuthnError) {
        guard let entries = value.entries else { throw .malformed }
        func parameter(_ label: Int) -> CBORValue? {
            entries[label < 0 ? .negative(UInt64(-1 - label)) : .unsigned(UInt64(label))]
        }
        func bytes(_ label: Int) throws(WebAuthnError) -> [UInt8] {
            guard let bytes = parameter(label)?.byteString else { throw .malformed }
            return bytes
        }
        guard let kind = parameter(1)?.integer, let number = parameter(3)?.integer else { throw .malformed }
        guard let algorithm = Algorithm(rawValue: number) else { throw .algorithm }
        self.algorithm = algorithm
        switch algorithm {
        case .es256:
            let (x, y) = (try bytes(-2), try bytes(-3))
            guard kind == 2, parameter(-1)?.integer == 1, x.count == 32, y.count == 32, entries.count == 5,
                // An uncompressed point (SEC 1, 2.3.3), which is refused where it is not on the curve.
                let point = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
            else { throw .malformed }
            key = .p256(point)
        case .edDSA:
            guard kind == 1, parameter(-1)?.integer == 6, entries.count == 4,
                let point = try? Curve25519.Signing.PublicKey(rawRepresentation: try bytes(-2))
            else { throw .malformed }
            key = .ed25519(point)
        case .rs256:
            let (modulus, exponent) = (try bytes(-1), try bytes(-2))
            let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
            guard kind == 3, entries.count == 4, Self.rsaBits.contains(bits), exponent.count <= 4,
                let pair = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { throw .malformed }
            key = .rsa(pair)
        }
    }

    /// Whether the holder of the private key has signed some bytes.
    func isSigned(_ bytes: [UInt8], by signature: [UInt8]) -> Bool {
        switch key {
        case .p256(let key):
            (try? P256.Signing.ECDSASignature(derRepresentation: signature)).map {
                key.isValidSignature($0, for: SHA256.hash(data: bytes))
            } ?? false
        case .ed25519(let key): key.isValidSignature(signature, for: bytes)
        case .rsa(let key):
            key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
                padding: .insecurePKCS1v1_5)
        }
    }
}
