import GRDB
import HubInstruments
import HubKit
import TestInstruments
import Testing
import TriviaToyEngine

@testable import TriviaToyHub

@Suite("The original's app and toy against the hub")
struct OriginalTests {
    private typealias App = CompanionTestApp<TriviaToy>

    private static func app() async throws -> App { try await App(legacy: ["toy"]) }

    /// Signs up somebody within an open window.
    private static func user(_ app: App, email: String = "a@example.org") async throws -> Int {
        _ = try await app.send(.post, "/api/toy/registration-window")
        let answer = try await app.send(
            .post, "/User/Register", #"{"username":"Ann","email":"\#(email)","password":"sesame open"}"#, as: nil)
        return try #require(answer["id"] as? Int, "\(answer.text)")
    }

    @Test("Its routes are there only where the owner has switched them on")
    func off() async throws {
        let app = try await App()
        #expect(try await app.send(.get, "/Trivia/1", as: nil).text.contains("screens"))
        #expect(try await app.send(.post, "/api/toy/registration-window").status == 409)
    }

    @Test("Sign-up, sign-in, a fact, a play, the history and a vote, as the original's app and toy ask for them")
    func walk() async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        #expect((1...Int(Int32.max)).contains(id))
        let signIn = try await app.send(
            .post, "/User/Login", #"{"email":"A@Example.org","password":"sesame open"}"#, as: nil)
        #expect(signIn.text == "{\"id\":\(id)}")
        let fact = try await app.send(.get, "/Trivia/\(id)", as: nil)
        #expect(fact.text.hasPrefix("\"") && fact.text.hasSuffix("\"") && fact.text.count { $0 == "\"" } == 2)
        #expect(
            fact.headers.allSatisfy { !$0.value.contains("\"") }, "the toy speaks what stands between the first quotes")
        let second = try await app.send(.get, "/Trivia/\(id)", as: nil)
        #expect(second.text != fact.text)
        #expect(try await app.send(.get, "/User/History/\(id)", as: nil).text == "{\"triviaHistory\":[]}")
        #expect(try await app.send(.get, "/User/History/\(id)/1", as: nil).status == 200)
        let history = try await app.send(.get, "/User/History/\(id)", as: nil)
        let heard = try #require(history["triviaHistory", "0", "trivia", "id"] as? Int)
        #expect((history["triviaHistory"] as? [Any])?.count == 1)
        let body = #"{"userVote":-1,"userId":\#(id),"triviaId":\#(heard)}"#
        for method in ["put", "post"] {
            let vote = try await app.send(method == "put" ? .put : .post, "/Trivia/Vote/\(heard)", body, as: nil)
            #expect(vote.status == 200 && vote["userVote"] as? Int == -1)
        }
        #expect(try await app.send(.get, "/api/toy/facts/\(heard)")["downvotes"] as? Int == 1)
    }

    @Test(
        "More plays than facts go round, and a count that no toy has is refused",
        arguments: [(0, 0), (3, 3), (2_000, 2_000)])
    func counts(count: Int, plays: Int) async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        for _ in 0..<2 { _ = try await app.send(.get, "/Trivia/\(id)", as: nil) }
        #expect(try await app.send(.get, "/User/History/\(id)/\(count)", as: nil).status == 200)
        #expect(try await app.count("toy_play") == plays)
        for bad in ["2001", "-1", "x", "4294967297", "99999999999999999999", "%00"] {
            #expect(try await app.send(.get, "/User/History/\(id)/\(bad)", as: nil).status == 400)
        }
        #expect(try await app.count("toy_play") == plays)
    }

    @Test("Registration is open for five minutes and no longer, and an adult opens it")
    func window() async throws {
        let app = try await Self.app()
        let body = #"{"username":"Ann","email":"a@example.org","password":"sesame open"}"#
        var answer = try await app.send(.post, "/User/Register", body, as: nil)
        #expect(answer.status == 403 && (answer["message"] as? String)?.contains("five minutes") == true)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.post, "/api/toy/registration-window").status == 403)
        _ = try await app.send(.post, "/api/toy/registration-window", as: "tom")
        app.advance(milliseconds: 300_001)
        answer = try await app.send(.post, "/User/Register", body, as: nil)
        #expect(answer.status == 403)
        _ = try await app.send(.post, "/api/toy/registration-window", as: "tom")
        #expect(try await app.send(.post, "/User/Register", body, as: nil).status == 200)
        answer = try await app.send(.post, "/User/Register", body, as: nil)
        #expect(answer.status == 409 && (answer["message"] as? String)?.contains("already") == true)
    }

    @Test("What cannot be taken is answered by an object with a message, as the original's alert shows it")
    func refused() async throws {
        let app = try await Self.app()
        _ = try await app.send(.post, "/api/toy/registration-window")
        for (path, body, status) in [
            ("/User/Login", "", 400), ("/User/Login", "[]", 400), ("/User/Login", #"{"email":"a@example.org"}"#, 400),
            ("/User/Login", #"{"email":"' OR 1=1 --","password":"' OR 1=1 --"}"#, 401),
            ("/User/Login", #"{"email":"<script>","password":"\u0000"}"#, 400),
            ("/User/Register", #"{"username":"A","email":"no address","password":"sesame open"}"#, 400),
            ("/User/Register", #"{"username":"A","email":"a@example.org","password":"short"}"#, 400),
            ("/Trivia/Vote/1", #"{"userVote":7,"userId":1,"triviaId":1}"#, 400),
            ("/Trivia/Vote/1", #"{"userVote":1,"userId":4294967297,"triviaId":1}"#, 400),
            ("/Trivia/Vote/99999999999", #"{"userVote":1,"userId":1,"triviaId":1}"#, 400),
            ("/Trivia/Vote/2", #"{"userVote":1,"userId":1,"triviaId":1}"#, 400),
            ("/Trivia/Vote/1", #"{"userVote":1,"userId":1,"triviaId":1}"#, 404),
        ] {
            let answer = try await app.send(.post, path, body, as: nil)
            #expect(answer.status == status, "\(path) \(body): \(answer.text)")
            #expect((answer["message"] as? String)?.isEmpty == false)
        }
        #expect(try await app.count("toy_original_user") == 0)
    }

    @Test("Who tries numbers is soon answered nothing from there, a right number too, and meets nobody's history")
    func guessing() async throws {
        let log = RecordedLog()
        let app = try await App(legacy: ["toy"], log: log.logger)
        let id = try await Self.user(app)
        var statuses: [Int] = []
        for number in 1...12 where number != id {
            statuses.append(try await app.send(.get, "/User/History/\(number)", as: nil).status)
        }
        #expect(statuses.prefix(10).allSatisfy { $0 == 404 } && statuses.suffix(2) == [429, 429])
        #expect(try await app.send(.get, "/User/History/\(id)", as: nil).status == 429)
        #expect(log.text.contains("numbers of users"))
        #expect(!log.text.contains("\(id)") && !log.text.contains("a@example.org"), "nobody’s number or email")
        app.advance(milliseconds: 30_000)
        #expect(try await app.send(.get, "/User/History/\(id)", as: nil).status == 200)
        #expect(try await app.send(.get, "/User/History/\(id)", as: nil).status == 200, "who is known is not counted")
    }

    @Test("Passwords are tried five times, then slowly")
    func passwords() async throws {
        let app = try await Self.app()
        _ = try await Self.user(app)
        app.advance(milliseconds: 60_000)
        var statuses: [Int] = []
        for _ in 0..<6 {
            statuses.append(
                try await app.send(.post, "/User/Login", #"{"email":"a@example.org","password":"wrong one"}"#, as: nil)
                    .status)
        }
        #expect(statuses == [401, 401, 401, 401, 401, 429])
    }

    @Test("A user who is linked to somebody hears their facts, and their plays stand in that history")
    func linked() async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        let answer = try await app.send(.put, "/api/toy/original-users/\(id)", #"{"person":"mila"}"#)
        #expect(answer["users", "0", "person"] as? String == "mila")
        _ = try await app.send(.get, "/Trivia/\(id)", as: nil)
        _ = try await app.send(.get, "/User/History/\(id)/1", as: nil)
        let history = try await app.send(.get, "/api/toy/people/mila/history")
        #expect((history["plays"] as? [Any])?.count == 1)
        #expect(history["plays", "0", "ending"] as? String == "unknown")
        #expect(try await app.send(.put, "/api/toy/original-users/7", #"{"person":"mila"}"#).status == 404)
        #expect(try await app.send(.put, "/api/toy/original-users/\(id)", #"{"person":"nobody"}"#).status == 404)
    }

    @Test("A fact with quotes, emoji, backslashes and HTML reaches the original toy between two quotes alone")
    func letters() async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        _ = try await app.send(
            .post, "/api/toy/imports?format=json",
            #"[{"text":"She said \"hi\" \\ \u0007<b>\ud83d\ude00</b>.","category":"general"}]"#)
        try await app.hub.database.pool.write { db in
            try db.execute(
                sql: "DELETE FROM toy_queue WHERE fact NOT IN (SELECT id FROM toy_fact WHERE origin = 'json')")
        }
        let text = try await app.send(.get, "/Trivia/\(id)", as: nil).text
        #expect(text == "\"She said \u{201C}hi\u{201D} /  <b>\u{1F600}</b>.\"")
    }
}
