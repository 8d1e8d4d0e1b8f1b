import HubInstruments
import Testing

@testable import HubKit
@testable import HubServer

@Suite("What waits on a device")
struct WaitingRouteTests {
    private func client() async throws -> HTTPTestClient {
        let test = try TestHub()
        _ = try await test.seed()
        return try await HTTPTestClient(test, app: HubApplication(services: test.services, companions: []))
    }

    // RFC 6265bis: Secure and SameSite are 5.6.5 and 5.6.7, and 400 days are the longest Max-Age that a browser takes (5.5).
    // WebKit's seven days are for cookies that a script wrote, so that it is an answer that has to set this one.
    @Test("The hub's answer sets a cookie of count and time alone, which the page may read", arguments: [true, false])
    func cookie(isSecure: Bool) async throws {
        let here = isSecure ? "https8443" : "http8080"
        let answer = try await client().send(
            .put, "/api/waiting", "{\"here\":\"\(here)\",\"count\":3,\"at\":1795266000000}", isSecure: isSecure)
        #expect(answer.status == 204, "\(answer.text)")
        #expect(
            answer.headers[.setCookie]
                == "tandem-waiting-\(here)=3.1795266000000; Path=/; Max-Age=34560000; SameSite=Strict"
                + (isSecure ? "; Secure" : ""))
    }

    @Test(
        "Nothing but the place of a page gets into the cookie's name, and nothing but numbers into it",
        arguments: [
            "{\"here\":\"http; Domain=example.org\",\"count\":3,\"at\":1}", "{\"here\":\"\",\"count\":3,\"at\":1}",
            "{\"here\":\"http8080=1\",\"count\":3,\"at\":1}", "{\"here\":\"https٣\",\"count\":3,\"at\":1}",
            "{\"here\":\"http808080\",\"count\":3,\"at\":1}", "{\"here\":\"http\",\"count\":0,\"at\":1}",
            "{\"here\":\"http\",\"count\":-1,\"at\":1}", "{\"here\":\"http\",\"count\":1,\"at\":-1}",
            "{\"here\":\"http\",\"count\":1000000,\"at\":1}", "{\"here\":\"http\",\"count\":\"1\",\"at\":1}",
        ])
    func refused(body: String) async throws {
        let answer = try await client().send(.put, "/api/waiting", body)
        #expect((400..<500).contains(answer.status), "\(answer.text)")
        #expect(answer.headers[.setCookie] == nil)
    }
}
