import HTTPTypes
import HubInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("The cookie")
struct CredentialsTests {
    @Test("The token is taken from the header or the cookie, among other cookies")
    func credentials() {
        #expect(Credentials.token(authorization: "Bearer abc", cookies: [], isSecure: false) == "abc")
        #expect(
            Credentials.token(authorization: nil, cookies: ["a=b; tandem_session=xyz; c=d"], isSecure: false) == "xyz")
        #expect(
            Credentials.token(authorization: nil, cookies: ["a=b", "__Host-tandem_session=xyz"], isSecure: false)
                == "xyz")
        #expect(Credentials.token(authorization: "Bearer ", cookies: [], isSecure: false) == nil)
        #expect(Credentials.token(authorization: "Basic abc", cookies: ["a=b"], isSecure: false) == nil)
    }

    @Test("Over HTTPS the cookie that a plain page could plant is not believed")
    func planted() {
        #expect(Credentials.token(authorization: nil, cookies: ["tandem_session=evil"], isSecure: true) == nil)
        let both = ["tandem_session=plain; __Host-tandem_session=secure"]
        #expect(Credentials.token(authorization: nil, cookies: both, isSecure: true) == "secure")
        #expect(Credentials.token(authorization: nil, cookies: both, isSecure: false) == "plain")
    }

    @Test("Over HTTPS the cookie is the host’s and for secure pages alone (RFC 6265bis, 4.1.3.2)")
    func attributes() {
        let secure = Credentials.setCookie("abc", maximumAgeSeconds: 60, isSecure: true)
        #expect(secure.hasPrefix("__Host-tandem_session=abc; Path=/; "))
        #expect(secure.hasSuffix("HttpOnly; SameSite=Strict; Secure"))
        #expect(!secure.contains("Domain"))
        let plain = Credentials.setCookie("abc", maximumAgeSeconds: 60, isSecure: false)
        #expect(plain.hasPrefix("tandem_session=abc; Path=/; "))
        #expect(plain.hasSuffix("HttpOnly; SameSite=Strict"))
        for isSecure in [true, false] {
            let cleared = Credentials.clearCookie(isSecure: isSecure)
            #expect(cleared.contains("tandem_session=; "))
            #expect(cleared.contains("Max-Age=0"))
        }
    }

    @Test("Signing in and out over HTTPS sets and clears the cookie of HTTPS", arguments: [true, false])
    func round(isSecure: Bool) async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        _ = try await test.seed()
        let name = isSecure ? "__Host-tandem_session" : "tandem_session"
        let signedIn = try await client.send(
            .post, "/api/session", "{\"email\":\"ines@example.org\",\"password\":\"correct horse\"}",
            isSecure: isSecure)
        let cookie = try #require(signedIn.headers[.setCookie]?.split(separator: ";").first.map { String($0) })
        #expect(cookie.hasPrefix(name + "="))
        let session = try await client.send(.get, "/api/session", headers: ["Cookie": cookie], isSecure: isSecure)
        #expect(session.status == 200)
        let out = try await client.send(.delete, "/api/session", headers: ["Cookie": cookie], isSecure: isSecure)
        #expect(out.headers[.setCookie]?.hasPrefix(name + "=;") == true)
        let after = try await client.send(.get, "/api/session", headers: ["Cookie": cookie], isSecure: isSecure)
        #expect(after.status == 401)
    }
}
