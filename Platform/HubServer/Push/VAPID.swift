import Admission
import Crypto
import Foundation
import HubKit
import Storage
import TLS

/// The identity of the hub for push services (RFC 8292): a permanent key pair to which browsers bind subscriptions.
struct VAPID: Sendable {
    private let key: P256.Signing.PrivateKey

    init(key: P256.Signing.PrivateKey) { self.key = key }

    /// The public key that a page passes to `PushManager.subscribe`: the uncompressed point in base64url.
    var publicKey: String { Base64URL.text(key.publicKey.x963Representation) }

    /// The header `Authorization` of a request (RFC 8292, 3).
    ///
    /// - Parameters:
    ///   - audience: the origin of the push service.
    ///   - subject: the contact for its operator, a `mailto:` or `https:` URI.
    ///   - expires: UTC seconds, at most a day from now.
    func authorization(audience: String, subject: String, expires: Int64) throws -> String {
        let input = try Self.signingInput(audience: audience, subject: subject, expires: expires)
        let signature = try key.signature(for: Data(input.utf8))
        return "vapid t=\(input).\(Base64URL.text(signature.rawRepresentation)), k=\(publicKey)"
    }

    /// The signed part of the token (RFC 7515, 5.1): header and claims.
    static func signingInput(audience: String, subject: String, expires: Int64) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let claims = try encoder.encode(Claims(aud: audience, exp: expires, sub: subject))
        return Base64URL.text(Data(#"{"typ":"JWT","alg":"ES256"}"#.utf8)) + "." + Base64URL.text(claims)
    }

    private struct Claims: Encodable {
        var aud: String
        var exp: Int64
        var sub: String
    }

    /// The contact for operators of push services: the hub's own address if it exists on the internet.
    ///
    /// Apple refuses tokens whose subject is a name that does not exist on the internet, such as `linden.local`. For
    /// those it is an address reserved for such cases (RFC 2606), since people's e-mail addresses are none of the
    /// operators' business.
    static func subject(origin: String?) -> String {
        guard let origin, let host = URL(string: origin)?.host?.lowercased(), origin.hasPrefix("https://"),
            IPAddress(host) == nil, host.contains("."),
            !unknownDomains.contains(where: { host.hasSuffix("." + $0) })
        else { return "mailto:tandem@example.com" }
        return origin
    }

    /// The top-level domains that no public name has (RFC 2606, 6761, 6762, 8375, and those that routers make up).
    private static let unknownDomains = [
        "local", "localhost", "internal", "home", "lan", "test", "invalid", "example", "home.arpa", "corp", "intranet",
        "localdomain", "fritz.box",
    ]
}

extension SettingsStore {
    /// The hub's key, created at the first call. It is as secret as the database that it is stored in.
    func vapid() async throws -> VAPID {
        let made = P256.Signing.PrivateKey().rawRepresentation.base64EncodedString()
        let kept = try await get(.pushKey, orSet: made)
        guard let raw = Data(base64Encoded: kept), let key = try? P256.Signing.PrivateKey(rawRepresentation: raw) else {
            throw DamagedKey()
        }
        return VAPID(key: key)
    }

    private struct DamagedKey: Error, CustomStringConvertible {
        var description: String { "the key for push messages in the database is damaged" }
    }
}
