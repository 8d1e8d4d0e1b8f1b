import Crypto
import Testing

@testable import Passkeys

@Suite("Keys as COSE writes them")
struct COSEKeyTests {
    private let x = String(repeating: "11", count: 32)

    private func reason(_ hex: String) -> WebAuthnError? {
        do throws(WebAuthnError) {
            _ = try COSEKey(bytes(hex))
            return nil
        } catch {
            return error
        }
    }

    private var good: String {
        SoftwareAuthenticator().coseKey.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("A point of P-256 is read, and one beside the curve is refused")
    func curve() {
        #expect(reason(good) == nil)
        #expect(reason("a5010203262001215820\(x)225820\(x)") == .malformed)
    }

    @Test("A key has what its kind requires and nothing else (WebAuthn 6.5.1)")
    func others() {
        // A key with key_ops, with a kind that is not its algorithm's, on another curve, and without its second half.
        #expect(reason("a6" + "0102" + "0326" + "048102" + good.dropFirst(10)) == .malformed)
        #expect(reason(good.replacing("a5010203", with: "a5010103")) == .malformed)
        #expect(reason(good.replacing("2001", with: "2002", maxReplacements: 1)) == .malformed)
        #expect(reason("a4010203262001215820\(x)") == .malformed)
    }

    @Test("A compressed point is refused (WebAuthn 5.8.5)")
    func compressed() { #expect(reason("a5010203262001215820\(x)22f5") == .malformed) }

    @Test("Ed25519 has 32 bytes on its own curve")
    func ed25519() {
        let key = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation
        let hex = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(reason("a4010103272006215820\(hex)") == nil)
        #expect(reason("a401010327200621581f\(hex.dropLast(2))") == .malformed)
        #expect(reason("a4010103272004215820\(hex)") == .malformed)
    }

    @Test("RSA has 2048 to 4096 bits")
    func rsa() {
        func key(_ modulus: String) -> String {
            let length = String(modulus.count / 2, radix: 16)
            return "a401030339010020 59" + String(repeating: "0", count: 4 - length.count) + length + modulus
                + "2143010001"
        }
        let of2048 = "c" + String(repeating: "5", count: 511)
        #expect(reason(key(of2048)) == nil)
        #expect(reason(key(String(of2048.prefix(510)) + "55")) == nil)
        #expect(reason(key(String(of2048.prefix(510)))) == .malformed)
        #expect(reason(key("0" + of2048.dropLast())) == .malformed)
        #expect(reason(key(String(repeating: of2048, count: 3))) == .malformed)
    }

    @Test(
        "A key of another kind is told apart from one that is none",
        arguments: [
            ("a301020338222001", WebAuthnError.algorithm), ("a1010a", .malformed), ("a0", .malformed),
            ("80", .malformed),
            ("", .malformed), ("a20102031bffffffffffffffff", .malformed),
        ])
    func kinds(hex: String, error: WebAuthnError) { #expect(reason(hex) == error) }
}
