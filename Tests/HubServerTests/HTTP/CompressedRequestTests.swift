import HTTPTypes
import HubInstruments
import Testing

@testable import HubKit
@testable import HubServer

@Suite("What is sent compressed")
struct CompressedRequestTests {
    // RFC 9110, 8.4 and 15.5.16; identity says that nothing was done (RFC 9110, 12.5.3).
    @Test(
        "A body under a coding is refused by its name, in words, and one under none is read",
        arguments: [("gzip", 415), ("br", 415), ("identity, deflate", 415), ("identity", 200), ("Identity", 200)])
    func codings(coding: String, status: Int) async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        let token = try await client.token(try await test.seed())
        let answer = try await client.send(
            .patch, "/api/household", #"{"name":"Linden Street"}"#, token: token,
            headers: ["Content-Encoding": coding])
        #expect(answer.status == status, "\(answer.text)")
        #expect(status == 200 || answer.text.contains("Send it as it is"))
    }
}
