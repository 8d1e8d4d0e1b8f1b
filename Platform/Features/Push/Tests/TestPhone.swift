import Crypto
import Foundation
import Testing

@testable import HubKit
@testable import HubServer
@testable import Push

/// A browser that has subscribed: its keys, and how it opens what it is sent.
struct TestPhone: Sendable {
    let key = P256.KeyAgreement.PrivateKey()
    let secret = (0..<16).map { _ in UInt8.random(in: .min ... .max) }

    var p256dh: String { Base64URL.text(key.publicKey.x963Representation) }
    var auth: String { Base64URL.text(secret) }
    var pushKeys: PushKeys { get throws { try PushKeys(p256dh: p256dh, auth: auth) } }

    /// The body of `POST /api/push/subscriptions`.
    func offer(_ endpoint: String, people: [String]) -> String {
        let names = people.map { "\"\($0)\"" }.joined(separator: ",")
        return
            "{\"endpoint\":\"\(endpoint)\",\"keys\":{\"p256dh\":\"\(p256dh)\",\"auth\":\"\(auth)\"},\"people\":[\(names)]}"
    }

    /// Reads a body as RFC 8291, 4 tells a browser to, with none of the hub's own steps.
    func open(_ body: [UInt8]) throws -> [UInt8] {
        let salt = body[..<16]
        try #require(Array(body[16..<21]) == [0, 0, 16, 0, 65])
        let sender = try P256.KeyAgreement.PublicKey(x963Representation: body[21..<86])
        let shared = try key.sharedSecretFromKeyAgreement(with: sender)
        let info =
            Data("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender.x963Representation
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: info, outputByteCount: 32)
        func derive(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Data("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count)
        }
        let nonce = derive("nonce", 12).withUnsafeBytes { Array($0) }
        let box = try AES.GCM.SealedBox(combined: nonce + body[86...])
        let plain = Array(try AES.GCM.open(box, using: derive("aes128gcm", 16)))
        let end = try #require(plain.lastIndex { $0 != 0 })
        try #require(plain[end] == 2)
        return Array(plain[..<end])
    }
}
