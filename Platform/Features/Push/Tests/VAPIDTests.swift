import Crypto
import Foundation
import HubInstruments
import Testing

@testable import HubKit
@testable import HubServer
@testable import Push
@testable import Storage

@Suite("Who the hub is to push services")
struct VAPIDTests {
    /// A token's claims, once its signature was checked with the key beside it.
    static func claims(_ authorization: String) throws -> [String: Any] {
        let match = try #require(authorization.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        let key = try P256.Signing.PublicKey(x963Representation: #require(Base64URL.bytes(String(match.4))))
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: #require(Base64URL.bytes(String(match.3))))
        try #require(key.isValidSignature(signature, for: Data("\(match.1).\(match.2)".utf8)))
        let header = try JSONSerialization.jsonObject(with: #require(Base64URL.bytes(String(match.1))))
        #expect(header as? [String: String] == ["typ": "JWT", "alg": "ES256"])
        let claims = try JSONSerialization.jsonObject(with: #require(Base64URL.bytes(String(match.2))))
        return try #require(claims as? [String: Any])
    }

    @Test("RFC 8292, 2.4: the example’s token, byte for byte but for its signature, which is of another key")
    func example() throws {
        let input = try VAPID.signingInput(
            audience: "https://push.example.net", subject: "mailto:push@example.com", expires: 1_453_523_768)
        #expect(
            input == """
                eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1\
                MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0
                """)
    }

    @Test("RFC 8292, 2.4: the example’s signature is good by the check that the hub’s own tokens have to pass")
    func check() throws {
        let header = """
            vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1\
            MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDX\
            b1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5a\
            q9ojSwk5Y2EmClBPs
            """
        let claims = try Self.claims(header)
        #expect(claims["aud"] as? String == "https://push.example.net")
        #expect(claims["exp"] as? Int == 1_453_523_768)
        #expect(claims["sub"] as? String == "mailto:push@example.com")
    }

    @Test("RFC 8292, 2: a token names the push service and ends within a day; it serves for a while, and then no more")
    func tokens() async throws {
        let test = try TestHub()
        let push = test.services.push
        let now = test.hub.clock.now() / 1000
        let first = try await push.authorization(audience: "https://fcm.googleapis.com")
        let claims = try Self.claims(first)
        #expect(claims["aud"] as? String == "https://fcm.googleapis.com")
        let expires = try #require(claims["exp"] as? Int64)
        #expect(expires > now && expires <= now + 86_400)
        #expect(first.hasSuffix(", k=\(try await push.publicKey())"))
        test.advance(milliseconds: 3_600_000)
        #expect(try await push.authorization(audience: "https://fcm.googleapis.com") == first)
        let other = try Self.claims(try await push.authorization(audience: "https://web.push.apple.com"))
        #expect(other["aud"] as? String == "https://web.push.apple.com")
        test.advance(milliseconds: 6 * 3_600_000)
        #expect(try await push.authorization(audience: "https://fcm.googleapis.com") != first)
        // A clock that is set back makes no token that ends later than a day from then.
        test.advance(milliseconds: -48 * 3_600_000)
        let early = try Self.claims(try await push.authorization(audience: "https://fcm.googleapis.com"))
        #expect(try #require(early["exp"] as? Int64) <= test.hub.clock.now() / 1000 + 86_400)
    }

    @Test("The key is made once, and is the same after a restart")
    func once() async throws {
        let test = try TestHub()
        let settingsStore = SettingsStore(database: test.hub.database)
        let keys = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await settingsStore.vapid().publicKey } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try await test.services.push.publicKey() == keys.first)
        #expect(Base64URL.bytes(keys.first ?? "")?.count == 65)
        let again = ServerContext(
            hub: HubContext(
                database: test.hub.database, settings: test.hub.settings, clock: test.hub.clock, log: test.hub.log))
        #expect(try await again.push.publicKey() == keys.first)
    }

    @Test(
        "The hub’s address stands for its operator where anybody can make sense of it, else one that is nobody’s",
        arguments: [
            (nil, "mailto:tandem@example.com"), ("https://linden.local:8443", "mailto:tandem@example.com"),
            ("https://linden.fritz.box", "mailto:tandem@example.com"),
            // What routers call a house, none of it a name of the internet.
            ("https://tandem.speedport.ip", "mailto:tandem@example.com"),
            ("https://tandem.fritz.box.", "mailto:tandem@example.com"),
            ("https://hub.intern", "mailto:tandem@example.com"),
            ("https://hub.router.asus", "mailto:tandem@example.com"),
            ("https://hub.local.", "mailto:tandem@example.com"),
            // Vodafone's EasyBox, a NAS of AVM's, the name of RFC 8375, a Tor service, a port behind, and names by DynDNS.
            ("https://hub.easy.box:8443", "mailto:tandem@example.com"),
            ("https://hub.fritz.nas", "mailto:tandem@example.com"),
            ("https://hub.home.arpa", "mailto:tandem@example.com"), ("https://hub.onion", "mailto:tandem@example.com"),
            ("https://[2001:db8::7]:8443", "mailto:tandem@example.com"),
            ("https://linden.duckdns.org", "https://linden.duckdns.org"),
            ("https://linden.myfritz.net:8443", "https://linden.myfritz.net:8443"),
            ("https://hub.example.org", "mailto:tandem@example.com"), ("https://hub", "mailto:tandem@example.com"),
            ("https://de", "mailto:tandem@example.com"), ("https://Hub.Lindner.AT", "https://Hub.Lindner.AT"),
            ("https://192.168.1.7", "mailto:tandem@example.com"),
            ("http://tandem.lindner.at", "mailto:tandem@example.com"),
            ("https://localhost", "mailto:tandem@example.com"),
            ("https://tandem.lindner.at", "https://tandem.lindner.at"),
        ] as [(String?, String)])
    func subject(origin: String?, subject: String) { #expect(VAPID.subject(origin: origin) == subject) }
}
