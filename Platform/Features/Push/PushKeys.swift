import Crypto
import Foundation
import HubKit

/// The checked keys of a browser's subscription.
struct PushKeys: Sendable {
    /// The public key of the subscription.
    let publicKey: P256.KeyAgreement.PublicKey
    /// The secret that only the browser and the hub know, 16 bytes.
    let secret: [UInt8]

    /// Reads keys.
    ///
    /// - Parameters:
    ///   - p256dh: an uncompressed point of P-256 in base64url.
    ///   - auth: the secret in base64url.
    /// - Throws: a 422 problem that names the field.
    init(p256dh: String, auth: String) throws(Problem) {
        guard let point = Base64URL.bytes(p256dh), let secret = Base64URL.bytes(auth) else {
            throw .field("keys", "The keys are to be in base64url, as PushSubscription.toJSON() writes them.")
        }
        try self.init(point: point, secret: secret)
    }

    /// Checks keys.
    ///
    /// - Throws: a 422 problem that names the field.
    init(point: Data, secret: Data) throws(Problem) {
        guard point.count == 65, point.first == 4, let key = try? P256.KeyAgreement.PublicKey(x963Representation: point)
        else {
            throw .field(
                "keys.p256dh",
                "p256dh is to be a point of the curve P-256 with 65 bytes. Turn notifications off and on again.")
        }
        guard secret.count == 16 else {
            throw .field(
                "keys.auth", "auth is to have 16 bytes, not \(secret.count). Turn notifications off and on again.")
        }
        publicKey = key
        self.secret = Array(secret)
    }
}
