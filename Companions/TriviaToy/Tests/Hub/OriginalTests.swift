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
        #expect((1...32_767).contains(id), "the toy keeps it in 16 bits with a sign: wire formats, A3")
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
        "Plays beyond the facts that were fetched are of its own card, and a count that no toy has is refused",
        // A toy counts in 16 bits (wire formats, A3).
        arguments: [(0, 0), (1, 1), (3, 2), (2_001, 2), (32_767, 2)])
    func counts(count: Int, plays: Int) async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        for _ in 0..<2 { _ = try await app.send(.get, "/Trivia/\(id)", as: nil) }
        #expect(try await app.send(.get, "/User/History/\(id)/\(count)", as: nil).status == 200)
        #expect(try await app.count("toy_play") == plays)
        #expect(try await app.send(.get, "/api/toy/original-users")["users", "0", "cardPlays"] as? Int == count - plays)
        for bad in ["32768", "-1", "x", "4294967297", "99999999999999999999", "%00"] {
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
            ("/User/Register", #"{"username":"A","email":"a@example.org","password":"shor"}"#, 400),
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

    // What each app reads and sends: wire formats, A3.

    @Test("The Android app signs up with two names and five letters, and a refusal of it is an empty 404")
    func android() async throws {
        let app = try await Self.app()
        let json = ["Content-Type": "application/json"]
        let ios = ["Content-Type": "application/json; charset=utf-8"]
        let body = #"{"firstName":"Ada","lastName":"Byron","email":"ada@example.org","password":"sesam"}"#
        var answer = try await app.send(.post, "/User/Register", body, as: nil, headers: json)
        #expect(answer.status == 404 && answer.text.isEmpty, "nobody has opened it")
        answer = try await app.send(.post, "/User/Register", body, as: nil, headers: ios)
        #expect(answer.status == 403 && answer["message"] != nil)
        _ = try await app.send(.post, "/api/toy/registration-window")
        answer = try await app.send(.post, "/User/Register", body, as: nil, headers: json)
        #expect(answer.status == 200 && answer["id"] as? Int != nil, "\(answer.text)")
        let users = try await app.send(.get, "/api/toy/original-users")
        #expect(users["users", "0", "username"] as? String == "Ada Byron")
        let wrong = #"{"email":"ada@example.org","password":"wrong"}"#
        answer = try await app.send(.post, "/User/Login", wrong, as: nil, headers: json)
        #expect(answer.status == 404 && answer.text.isEmpty)
        answer = try await app.send(.post, "/User/Login", wrong, as: nil, headers: ios)
        #expect(answer.status == 401 && answer["message"] as? String == "The email address or the password is wrong.")
    }

    @Test("A history has each fact's votes and the user's own, and a vote of 0 takes it back")
    func histories() async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        for _ in 0..<2 { _ = try await app.send(.get, "/Trivia/\(id)", as: nil) }
        #expect(try await app.send(.get, "/User/History/\(id)/2", as: nil).text.isEmpty, "the toy's buffer is small")
        let path = "/User/History/\(id)"
        let heard = try #require(
            try await app.send(.get, path, as: nil)["triviaHistory", "0", "trivia", "id"] as? Int)
        func vote(_ vote: Int) async throws -> Int {
            let body = #"{"userVote":\#(vote),"userId":\#(id),"triviaId":\#(heard)}"#
            return try await app.send(.put, "/Trivia/Vote/\(heard)", body, as: nil).status
        }
        #expect(try await vote(1) == 200)
        var history = try await app.send(.get, path, as: nil)
        #expect(history["triviaHistory", "0", "userVote"] as? Int == 1)
        #expect(history["triviaHistory", "0", "trivia", "upvotes"] as? Int == 1)
        #expect(history["triviaHistory", "0", "trivia", "downvotes"] as? Int == 0)
        #expect(history["triviaHistory", "1", "userVote"] as? Int == 0, "each entry has one")
        #expect(try await vote(0) == 200)
        history = try await app.send(.get, path, as: nil)
        #expect(history["triviaHistory", "0", "userVote"] as? Int == 0)
        #expect(history["triviaHistory", "0", "trivia", "upvotes"] as? Int == 0)
    }

    @Test("Plays of a toy that was never online are counted, as facts of its own card")
    func cardPlays() async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        for count in [3, 4] { #expect(try await app.send(.get, "/User/History/\(id)/\(count)", as: nil).status == 200) }
        #expect(try await app.send(.get, "/api/toy/original-users")["users", "0", "cardPlays"] as? Int == 7)
        #expect(try await app.count("toy_play") == 0)
    }

    @Test("A fact that the toy's buffer cannot hold is not sent to it, and the others are")
    func longFacts() async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        let long = String(repeating: "a", count: 580) + "\\\"b\\\"" + String(repeating: "c", count: 20)
        let short = String(repeating: "d", count: 600)
        _ = try await app.send(
            .post, "/api/toy/imports?format=json",
            #"[{"text":"\#(long)","category":"general"},{"text":"\#(short)","category":"general"}]"#)
        try await app.hub.database.pool.write { db in
            try db.execute(
                sql: "DELETE FROM toy_queue WHERE fact NOT IN (SELECT id FROM toy_fact WHERE origin = 'json')")
        }
        for _ in 0..<3 { #expect(try await app.send(.get, "/Trivia/\(id)", as: nil).text == "\"\(short)\"") }
    }

    @Test("An adult removes a user, whose votes are then nobody's; what they heard as somebody of the family stays")
    func removed() async throws {
        let app = try await Self.app()
        let id = try await Self.user(app)
        for _ in 0..<2 { _ = try await app.send(.get, "/Trivia/\(id)", as: nil) }
        _ = try await app.send(.get, "/User/History/\(id)/1", as: nil)
        let heard = try #require(
            try await app.send(.get, "/User/History/\(id)", as: nil)["triviaHistory", "0", "trivia", "id"] as? Int)
        let body = #"{"userVote":1,"userId":\#(id),"triviaId":\#(heard)}"#
        _ = try await app.send(.put, "/Trivia/Vote/\(heard)", body, as: nil)
        #expect(try await app.send(.get, "/api/toy/facts/\(heard)")["upvotes"] as? Int == 1)
        _ = try await app.send(.put, "/api/toy/original-users/\(id)", #"{"person":"mila"}"#)
        _ = try await app.send(.get, "/User/History/\(id)/1", as: nil)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.delete, "/api/toy/original-users/\(id)").status == 403)
        let answer = try await app.send(.delete, "/api/toy/original-users/\(id)", as: "tom")
        #expect(answer.status == 200 && (answer["users"] as? [Any])?.isEmpty == true, "\(answer.text)")
        #expect(try await app.send(.get, "/User/History/\(id)", as: nil).status == 404)
        #expect(try await app.send(.get, "/api/toy/facts/\(heard)", as: "tom")["upvotes"] as? Int == 0)
        #expect(try await app.count("toy_play") == 1)
        #expect(try await app.send(.delete, "/api/toy/original-users/\(id)", as: "tom").status == 404, "again")
    }

    @Test("Who tries numbers is soon answered nothing from there, a right number too, and meets nobody's history")
    func guessing() async throws {
        let log = RecordedLog()
        let app = try await App(legacy: ["toy"], log: log.logger)
        _ = try await Self.user(app)
        // None of those that are tried, and in no time or address of the log.
        let id = 31_234
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE toy_original_user SET id = ?", arguments: [id])
        }
        var statuses: [Int] = []
        for number in 1...12 {
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
