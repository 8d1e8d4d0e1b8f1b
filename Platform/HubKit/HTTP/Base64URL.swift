import Foundation

/// Base 64 with an alphabet for URLs and without padding (RFC 4648, 5), as JSON Web Tokens and push keys are written.
package enum Base64URL {
    /// Encodes bytes.
    package static func text(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().filter { $0 != "=" }
            .replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Decodes text; nil if it has other characters. Padding is accepted, since a few senders add it.
    package static func bytes(_ text: String) -> Data? {
        guard !text.contains("+"), !text.contains("/") else { return nil }
        let bare = text.replacing("-", with: "+").replacing("_", with: "/").replacing(/=+$/, with: "")
        return Data(base64Encoded: bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4))
    }
}
