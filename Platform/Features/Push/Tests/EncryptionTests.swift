import Crypto
import Foundation
import Testing

@testable import HubKit
@testable import HubServer
@testable import Push

@Suite("What a push service carries and cannot read")
struct EncryptionTests {
    private func bytes(_ text: String) throws -> [UInt8] { Array(try #require(Base64URL.bytes(text))) }

    @Test("RFC 8188, 3.1: one record, byte for byte, with its content key and nonce")
    func oneRecord() throws {
        var content = try EncryptedContent(
            key: SymmetricKey(data: bytes("yqdlZ-tYemfogSmv7Ws5PQ")), salt: bytes("I1BsxtFttlv3u_Oo94xnmw"), keyID: [],
            recordSize: 4096)
        #expect(content.contentKey == SymmetricKey(data: try bytes("_wniytB-ofscZDh4tbSjHw")))
        #expect(content.nonce == (try bytes("Bcs8gkIRKLI8GeI8")))
        try content.append(Array("I am the walrus".utf8), padding: 0, isLast: true)
        #expect(
            Base64URL.text(content.bytes)
                == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
    }

    @Test("RFC 8188, 3.2: two records, the first with a byte of padding, byte for byte")
    func twoRecords() throws {
        var content = try EncryptedContent(
            key: SymmetricKey(data: bytes("BO3ZVPxUlnLORbVGMpbT1Q")), salt: bytes("uNCkWiNYzKTnBN9ji3-qWA"),
            keyID: Array("a1".utf8), recordSize: 25)
        try content.append(Array("I am th".utf8), padding: 1, isLast: false)
        try content.append(Array("e walrus".utf8), padding: 0, isLast: true)
        #expect(
            Base64URL.text(content.bytes)
                == "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA")
    }

    @Test("RFC 8188, 2: what does not fit into its record is not sealed")
    func tooLong() throws {
        var content = try EncryptedContent(
            key: SymmetricKey(size: .bits128), salt: [UInt8](repeating: 0, count: 16), keyID: [], recordSize: 25)
        #expect(throws: EncryptedContent.TooLong.self) {
            try content.append([UInt8](repeating: 1, count: 9), padding: 0, isLast: true)
        }
        #expect(throws: EncryptedContent.TooLong.self) {
            try content.append([UInt8](repeating: 1, count: 8), padding: 1, isLast: true)
        }
        try content.append([UInt8](repeating: 1, count: 8), padding: 0, isLast: true)
    }

    @Test("RFC 8291, 5 and Appendix A: the example’s message, with its intermediate values")
    func example() throws {
        let keys = try PushKeys(
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg")
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        #expect(
            Base64URL.text(sender.publicKey.x963Representation)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
        let shared = try sender.sharedSecretFromKeyAgreement(with: keys.publicKey)
        #expect(
            shared.withUnsafeBytes { Array($0) } == (try bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")))
        let key = try PushEncryption.key(for: keys, sender: sender)
        #expect(key == SymmetricKey(data: try bytes("S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg")))
        let salt = try bytes("DGv6ra1nlYgDCS1FRnbzlw")
        let content = try EncryptedContent(key: key, salt: salt, keyID: [], recordSize: 4096)
        #expect(content.contentKey == SymmetricKey(data: try bytes("oIhVW04MRdy2XN9CiKLxTg")))
        #expect(content.nonce == (try bytes("4h_95klXJ5E_qnoN")))
        let body = try PushEncryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), for: keys, sender: sender, salt: salt,
            paddedTo: nil)
        #expect(
            Base64URL.text(body) == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w\
                EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """)
    }

    @Test("The phone reads what was meant for it", arguments: [0, 1, 100, 2_047, 2_048])
    func roundTrip(length: Int) throws {
        let phone = TestPhone()
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try phone.open(PushEncryption.encrypt(content, for: phone.pushKeys)) == content)
    }

    @Test("Another phone does not")
    func otherPhone() throws {
        let body = try PushEncryption.encrypt([1, 2, 3], for: TestPhone().pushKeys)
        #expect(throws: CryptoKitError.self) { try TestPhone().open(body) }
    }

    @Test("The length tells nothing, and no two bodies are alike")
    func padding() throws {
        let keys = try TestPhone().pushKeys
        let bodies = try [[], [1], [UInt8](repeating: 7, count: 2_048), [1]].map {
            try PushEncryption.encrypt($0, for: keys)
        }
        #expect(Set(bodies.map(\.count)) == [2_151])
        #expect(Set(bodies.map { $0[..<16] }).count == bodies.count)
        #expect(Set(bodies.map { $0[21..<86] }).count == bodies.count)
        #expect(throws: EncryptedContent.TooLong.self) {
            try PushEncryption.encrypt([UInt8](repeating: 0, count: 2_049), for: keys)
        }
    }

    @Test("Base 64 for URLs comes back as it went, padded or not", arguments: 0..<20)
    func base64(length: Int) {
        let data = Data((0..<length).map { _ in UInt8.random(in: .min ... .max) })
        let text = Base64URL.text(data)
        #expect(!text.contains("=") && !text.contains("+") && !text.contains("/"))
        #expect(Base64URL.bytes(text) == data)
        #expect(Base64URL.bytes(text + String(repeating: "=", count: (4 - text.count % 4) % 4)) == data)
    }

    @Test("What is not base 64 for URLs is no bytes", arguments: ["+A==", "a/b=", "a b", "ä", "a", "AA\u{0}A", "A*AA"])
    func notBase64(text: String) { #expect(Base64URL.bytes(text) == nil) }
}
