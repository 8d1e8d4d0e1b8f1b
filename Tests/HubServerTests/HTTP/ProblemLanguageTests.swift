import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import HubKit
@testable import HubServer

@Suite("Problems in the language of whoever asks")
struct ProblemLanguageTests {
    @Test(
        "A route’s problem and the router’s own are said in the language that is asked for, in English for none that is there",
        arguments: [
            ("de-AT, en;q=0.5", "de", "Melde dich zuerst an."), ("fr", "en", "Sign in first."),
            ("", "en", "Sign in first."),
        ])
    func languages(wanted: String, tag: String, detail: String) async throws {
        let client = try await HTTPTestClient(try TestHub())
        let headers: [String: String] = wanted.isEmpty ? [:] : ["Accept-Language": wanted]
        let refused = try await client.send(.get, "/api/people", headers: headers)
        #expect(refused.status == 401)
        #expect(refused.detail == detail)
        #expect(refused.headers[.contentLanguage] == tag)
        let missing = try await client.send(.get, "/api/nowhere", headers: headers)
        #expect(missing.status == 404)
        #expect(missing.headers[.contentLanguage] == tag)
        #expect((missing["detail"] as? String)?.contains("/openapi.json") == true)
    }

    @Test("A sentence within a sentence is said in the same language, and a number has its form")
    func nested() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        _ = try await test.seed()
        func signIn() async throws -> String? {
            try await client.send(
                .post, "/api/session", #"{"email":"ines@example.org","password":"wrong"}"#,
                headers: ["Accept-Language": "de"])["detail"] as? String
        }
        #expect(try await signIn()?.contains("Noch vier Versuche") == true)
        for _ in 0..<3 { _ = try await signIn() }
        #expect(try await signIn()?.contains("Kein Versuch mehr") == true)
        let waiting = try #require(try await signIn())
        #expect(waiting.hasPrefix("Warte") && (waiting.contains("Sekunde") || waiting.contains("Minute")))
    }

    @Test("All inputs that have to change are named in the language that is asked for")
    func fields() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        let body = #"{"household":"Linden","name":"","email":"nobody","password":"short","code":"x"}"#
        let answer = try await client.send(.post, "/api/setup", body, headers: ["Accept-Language": "de"])
        let errors = try #require(answer["errors"] as? [[String: Any]])
        #expect(errors.count > 1)
        for error in errors {
            let detail = try #require(error["detail"] as? String)
            #expect(!detail.contains(" the ") && !detail.contains(" has "), "\(detail)")
        }
    }
}
