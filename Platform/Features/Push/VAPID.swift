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
    /// Apple refuses tokens whose subject is a name that does not exist on the internet, such as `linden.local` or
    /// `speedport.ip`. For all whose last part is not known to be public it is an address reserved for such cases (RFC
    /// 2606), since people's e-mail addresses are none of the operators' business.
    static func subject(origin: String?) -> String {
        guard let origin, let host = URL(string: origin)?.host?.lowercased(), origin.hasPrefix("https://"),
            IPAddress(host) == nil, !host.hasSuffix("."), host.split(separator: ".").count > 1,
            let last = host.split(separator: ".").last, publicDomains.contains(last), !isReserved(host)
        else { return "mailto:tandem@example.com" }
        return origin
    }

    /// Whether a name is reserved for examples under a public domain (RFC 2606, 3).
    private static func isReserved(_ host: String) -> Bool {
        ["example.com", "example.net", "example.org"].contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// The top-level domains that names of households and of their providers have: those of countries (the codes of ISO
    /// 3166-1, and `ac`, `eu`, `su`, `uk`) and the usual others. None that routers make up, such as `ip`, `box` or `intern`.
    private static let publicDomains = Set(
        """
        ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw \
        by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et \
        eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie \
        il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv \
        ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr \
        nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl \
        sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz \
        va vc ve vg vi vn vu wf ws ye yt za zm zw app art asia berlin bio biz blog cafe cat care center city \
        cloud club com community design dev digital earth edu email family farm fun garden gmbh gov green \
        group hamburg health host house info int koeln land life link live mil mobi museum name net network \
        news ngo one ong online org page plus pro school science services shop site social solutions space \
        store studio systems tech team tools today top tours town university vip wien wiki works world wtf \
        xyz zone
        """.split(separator: " "))
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
