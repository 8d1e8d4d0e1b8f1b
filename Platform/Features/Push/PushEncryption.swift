import Crypto
import Foundation
import HubKit

/// The encryption of messages for Web Push (RFC 8291): only the browser that subscribed can read the content.
enum PushEncryption {
    /// The length of every message, so that the length reveals nothing. With its header a body has 2,151 bytes: all
    /// push services accept it, also those that encode it in base64 within 4 KB of their own.
    static let paddedLength = 2_048
    private static let recordSize: UInt32 = 4_096

    /// Encrypts a message.
    ///
    /// - Parameters:
    ///   - content: at most `length` bytes.
    ///   - keys: the keys of the subscription.
    ///   - sender: a key pair for this message only; given by tests only.
    ///   - salt: 16 random bytes; given by tests only.
    ///   - length: the length to which the content is padded; nil for no padding.
    /// - Returns: the body of the request to the push service.
    static func encrypt(
        _ content: [UInt8], for keys: PushKeys, sender: P256.KeyAgreement.PrivateKey = .init(),
        salt: [UInt8] = (0..<EncryptedContent.saltLength).map { _ in .random(in: .min ... .max) },
        paddedTo length: Int? = paddedLength
    ) throws -> [UInt8] {
        guard content.count <= length ?? content.count else { throw EncryptedContent.TooLong() }
        let own = Array(sender.publicKey.x963Representation)
        var sealed = try EncryptedContent(
            key: key(for: keys, sender: sender), salt: salt, keyID: own, recordSize: recordSize)
        try sealed.append(content, padding: (length ?? content.count) - content.count, isLast: true)
        return sealed.bytes
    }

    /// The keying material that both sides share (RFC 8291, 3.4).
    static func key(for keys: PushKeys, sender: P256.KeyAgreement.PrivateKey) throws -> SymmetricKey {
        let shared = try sender.sharedSecretFromKeyAgreement(with: keys.publicKey)
        let info =
            Data("WebPush: info\0".utf8) + keys.publicKey.x963Representation + sender.publicKey.x963Representation
        return shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: keys.secret, sharedInfo: info, outputByteCount: 32)
    }
}
