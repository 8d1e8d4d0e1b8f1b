import Crypto
import Foundation

/// The signature by which a webhook's receiver knows that a message is the hub's, and whole: HMAC-SHA256 of the body, in the
/// header of W3C WebSub ("Authenticated Content Distribution"), which many programs can check.
enum WebhookSignature {
    static let header = "X-Hub-Signature"

    /// The header's value, such as `sha256=9c1f…`.
    static func value(of body: [UInt8], key: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: body, using: SymmetricKey(data: Data(key.utf8)))
        return "sha256=" + code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
