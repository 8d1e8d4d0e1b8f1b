import HTTPTypes
import HubInstruments
import HubKit
import Localization
import Storage
import Synchronization
import Testing

@testable import TriviaToyHub

@Suite("Questions of Open Trivia DB, and the original's sign-up from the command line")
struct FetchTests {
    private typealias App = CompanionTestApp<TriviaToy>

    private static let question = """
        {"response_code":0,"results":[{"type":"Ym9vbGVhbg==","difficulty":"ZWFzeQ==","category":"QW5pbWFscw==",
        "question":"Q2F0cyBwdXJyLg==","correct_answer":"VHJ1ZQ==","incorrect_answers":["RmFsc2U="]}]}
        """

    @Test("An adult asks for questions, and they are facts with their source")
    func fetch() async throws {
        let app = try await App()
        let asked = Mutex("")
        // In place of the network.
        app.hub.outbound.open { call in
            asked.withLock { $0 = call.url }
            return OutboundAnswer(status: 200, retryAfter: nil, body: Array(Self.question.utf8), isWhole: true)
        }
        let answer = try await app.send(
            .post, "/api/toy/imports/open-trivia", #"{"amount":5,"category":"animals","difficulty":"easy"}"#)
        #expect(answer["added"] as? Int == 1, "\(answer.text)")
        #expect(
            asked.withLock { $0 } == "https://opentdb.com/api.php?amount=5&encode=base64&category=27&difficulty=easy")
        let text = try await app.hub.database.pool.read { db in
            try String.fetchOne(db, sql: "SELECT text FROM toy_fact WHERE origin = 'openTrivia'")
        }
        #expect(text == "True or false? Cats purr. That is true.")
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.post, "/api/toy/imports/open-trivia", "{}").status == 403)
    }

    @Test("Whatever comes between is said in words, and nothing is stored")
    func failures() async throws {
        let app = try await App()
        let before = try await app.count("toy_fact")
        func ask(_ body: String = "{}") async throws -> App.Answer {
            try await app.send(.post, "/api/toy/imports/open-trivia", body)
        }
        #expect(try await ask(#"{"amount":51}"#).status == 422)
        #expect(try await ask(#"{"category":"weather"}"#).status == 422)
        for (error, status) in [
            (OutboundError.unreachable("no name"), 502), (.refused(LocalizedText("it is switched off")), 409),
            (.tooMany(retryAfterSeconds: 9), 429),
        ] {
            app.hub.outbound.open { _ in throw error }
            #expect(try await ask().status == status)
        }
        for (status, body, isWhole, expected) in [
            (429, "", true, 429), (500, "", true, 502), (200, Self.question, false, 502), (200, "<html>", true, 422),
            (200, #"{"response_code":5,"results":[]}"#, true, 429),
            (200, #"{"response_code":1,"results":[]}"#, true, 422),
        ] {
            app.hub.outbound.open { _ in
                OutboundAnswer(status: status, retryAfter: nil, body: Array(body.utf8), isWhole: isWhole)
            }
            #expect(try await ask().status == expected, "\(status) \(body)")
        }
        #expect(try await app.count("toy_fact") == before)
    }

    @Test("The command opens the sign-up for five minutes, and says until when")
    func window() async throws {
        let app = try await App(legacy: ["toy"])
        let said = try RegisterWindowCommand.open(app.hub.database, now: app.now)
        #expect(said.hasPrefix("Users of the original’s app can sign up until "))
        let answer = try await app.send(.get, "/api/toy/original-users")
        #expect(answer["openUntil"] as? Int == Int(app.now + 300_000))
        app.advance(milliseconds: 300_000)
        #expect(try await app.send(.get, "/api/toy/original-users")["openUntil"] == nil)
    }
}
