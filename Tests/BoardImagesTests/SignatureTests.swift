import Crypto
import Foundation
import Testing

@testable import BoardImages

@Suite("Signatures of images")
struct SignatureTests {
    /// A vector of RFC 8032, section 7.1: secret key, public key, message, signature.
    struct Vector: CustomTestStringConvertible, Sendable {
        var name: String
        var key, message, signature: [UInt8]
        var testDescription: String { name }
    }

    static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8.filter { $0 > 32 })
        return stride(from: 0, to: digits.count, by: 2).map { index in
            // Safe: the texts below are hexadecimal.
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)!
        }
    }

    static let standard = [
        Vector(
            name: "TEST 1", key: bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"), message: [],
            signature: bytes(
                """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """)),
        Vector(
            name: "TEST 2", key: bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
            message: [0x72],
            signature: bytes(
                """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """)),
        Vector(
            name: "TEST 3", key: bytes("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"),
            message: [0xAF, 0x82],
            signature: bytes(
                """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """)),
        Vector(
            name: "TEST SHA(abc)", key: bytes("ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf"),
            message: bytes(
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """),
            signature: bytes(
                """
                dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589
                09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704
                """)),
    ]

    static func isValid(_ message: [UInt8], _ signature: [UInt8], _ key: [UInt8]) -> Bool {
        var (fixedSignature, fixedKey) = (InlineArray<64, UInt8>(repeating: 0), InlineArray<32, UInt8>(repeating: 0))
        for index in 0..<64 { fixedSignature[index] = signature[index] }
        for index in 0..<32 { fixedKey[index] = key[index] }
        var check = SignatureCheck(signature: fixedSignature, key: fixedKey)
        check.update(message.span)
        return check.isValid()
    }

    @Test("The vectors of RFC 8032 are valid, and not with a bit changed", arguments: standard)
    func isOfTheStandard(_ vector: Vector) {
        #expect(Self.isValid(vector.message, vector.signature, vector.key))
        for place in [0, 31, 32, 63] {
            var wrong = vector.signature
            wrong[place] ^= 0x04
            #expect(!Self.isValid(vector.message, wrong, vector.key))
        }
        #expect(!Self.isValid(vector.message + [0], vector.signature, vector.key))
    }

    @Test("What swift-crypto signs is valid, whatever its length, and what it did not sign is not", arguments: 0..<24)
    func foreign(_ seed: Int) throws {
        var random = SystemRandomNumberGenerator()
        let key = Curve25519.Signing.PrivateKey()
        let message = (0..<(seed * 61 % 700)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let signature = Array(try key.signature(for: message))
        let publicKey = Array(key.publicKey.rawRepresentation)
        #expect(Self.isValid(message, signature, publicKey))
        #expect(!Self.isValid(message, signature, Array(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)))
        var wrong = signature
        wrong[Int.random(in: 0..<64, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        #expect(!Self.isValid(message, wrong, publicKey))
    }

    @Test("A signature whose scalar is the order more is no second signature of the same message (RFC 8032, 5.1.7)")
    func malleable() {
        // The order of the base point, lowest byte first.
        let order = Self.bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        let vector = Self.standard[1]
        var (signature, carry) = (vector.signature, 0)
        for index in 0..<32 {
            carry += Int(signature[32 + index]) + Int(order[index])
            signature[32 + index] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        #expect(carry == 0 && !Self.isValid(vector.message, signature, vector.key))
    }

    @Test("Bytes that are no point of the curve are nobody's key")
    func noPoint() {
        // y = 2 has no x: (4 - 1) / (4 d + 1) is no square; and p + 1 is not the least number for 1.
        let two = [2] + [UInt8](repeating: 0, count: 31)
        let large = [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        for key in [two, large] {
            var bytes = InlineArray<32, UInt8>(repeating: 0)
            for index in 0..<32 { bytes[index] = key[index] }
            #expect(CurvePoint(decoding: bytes) == nil)
        }
    }

    @Test(
        "SHA-512 is that of swift-crypto around the ends of its blocks",
        arguments: [0, 1, 111, 112, 113, 127, 128, 129, 255, 256, 1_000])
    func hash(_ count: Int) {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var hash = BoardImages.SHA512()
        hash.update(message.span)
        let result = hash.finish()
        #expect((0..<64).map { result[$0] } == Array(Crypto.SHA512.hash(data: message)))
    }
}
