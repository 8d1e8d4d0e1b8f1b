import GRDB
import HubInstruments
import Storage
import Testing

@testable import TriviaToyHub

@Suite("Facts, history and votes in the hub")
struct ListeningTests {
    private typealias App = CompanionTestApp<TriviaToy>

    @Test("A fact is next, is heard, stands in the history with its vote, and another one is next")
    func walk() async throws {
        let app = try await App()
        let next = try await app.send(.get, "/api/toy/people/mila/next")
        let fact = try #require(next["fact", "id"] as? Int)
        #expect(next["fact", "language"] as? String == "en")
        #expect((next["fact", "sourceURL"] as? String)?.hasPrefix("https://") == true)
        let body = #"{"fact":\#(fact),"ending":"finished"}"#
        for _ in 0..<2 {
            let answer = try await app.send(
                .post, "/api/toy/people/mila/plays", body, headers: ["Idempotency-Key": "play-1"])
            #expect(answer.status == 201)
        }
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.put, "/api/toy/facts/\(fact)/vote", #"{"vote":1}"#).status == 200)
        let history = try await app.send(.get, "/api/toy/people/mila/history")
        #expect((history["plays"] as? [Any])?.count == 1, "sent twice with one key")
        #expect(history["plays", "0", "fact", "id"] as? Int == fact)
        #expect(history["plays", "0", "fact", "vote"] as? Int == 1)
        #expect(history["plays", "0", "ending"] as? String == "finished")
        #expect(history["plays", "0", "at"] as? Int == Int(app.now))
        #expect(try await app.send(.get, "/api/toy/people/mila/next")["fact", "id"] as? Int != fact)
    }

    @Test("Nobody hears a fact twice while there are others, and then the one that was heard longest ago")
    func round() async throws {
        let app = try await App()
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "DELETE FROM toy_queue; DELETE FROM toy_fact_kind; DELETE FROM toy_fact")
        }
        let list = (1...5).map { #"{"text":"Fact number \#($0)."}"# }.joined(separator: ",")
        #expect(try await app.send(.post, "/api/toy/imports?format=json", "[\(list)]")["added"] as? Int == 5)
        var heard: [Int] = []
        for _ in 0..<7 {
            let fact = try #require(try await app.send(.get, "/api/toy/people/theo/next")["fact", "id"] as? Int)
            app.advance(milliseconds: 1_000)
            _ = try await app.send(.post, "/api/toy/people/theo/plays", #"{"fact":\#(fact),"ending":"stopped"}"#)
            heard.append(fact)
        }
        #expect(Set(heard.prefix(5)).count == 5)
        #expect(Array(heard.suffix(2)) == Array(heard.prefix(2)))
    }

    @Test(
        "Below a fact stand those who heard it, as far as one may see, and more of its subject that one has the age for"
    )
    func context() async throws {
        let app = try await App()
        let fact = try #require(try await app.send(.get, "/api/toy/people/mila/next")["fact", "id"] as? Int)
        let empty = try await app.send(.get, "/api/toy/facts/\(fact)/context")
        #expect((empty["heard"] as? [Any])?.isEmpty == true)
        #expect((empty["more"] as? [Any])?.count == 3)
        let body = #"{"fact":\#(fact),"ending":"finished"}"#
        for person in ["mila", "theo"] {
            app.advance(milliseconds: 1_000)
            _ = try await app.send(.post, "/api/toy/people/\(person)/plays", body)
        }
        let both = try await app.send(.get, "/api/toy/facts/\(fact)/context")
        #expect((both["heard"] as? [[String: Any]])?.compactMap { $0["person"] as? String } == ["theo", "mila"])
        #expect(both["heard", "0", "ending"] as? String == "finished")
        #expect((both["heard", "0", "unheard"] as? Int ?? 0) > 100)
        let ids = try #require(both["more"] as? [[String: Any]]).compactMap { $0["id"] as? Int }
        #expect(!ids.contains(fact) && Set(ids).count == 3)
        // A child sees nothing of brothers and sisters.
        try await app.use("ines", profile: "mila")
        let own = try await app.send(.get, "/api/toy/facts/\(fact)/context")
        #expect((own["heard"] as? [[String: Any]])?.compactMap { $0["person"] as? String } == ["mila"])
        #expect(try await app.send(.get, "/api/toy/facts/0/context").status == 404)
    }

    @Test("Everybody’s history is one list, by subject and words too, of those whose history one may see")
    func everybody() async throws {
        let app = try await App()
        var categories: [String] = []
        for person in ["mila", "theo", "mila"] {
            let next = try await app.send(.get, "/api/toy/people/\(person)/next")
            let fact = try #require(next["fact", "id"] as? Int)
            categories.append(try #require(next["fact", "category"] as? String))
            _ = try await app.send(.post, "/api/toy/people/\(person)/plays", #"{"fact":\#(fact),"ending":"finished"}"#)
        }
        let all = try await app.send(.get, "/api/toy/history")
        #expect((all["plays"] as? [[String: Any]])?.compactMap { $0["person"] as? String } == ["mila", "theo", "mila"])
        let some = try await app.send(.get, "/api/toy/history?category=\(categories[1])")
        let plays = try #require(some["plays"] as? [[String: Any]])
        #expect(plays.count == categories.count { $0 == categories[1] })
        let own = try await app.send(.get, "/api/toy/people/theo/history?category=\(categories[1])")
        #expect((own["plays"] as? [Any])?.count == 1)
        try await app.use("ines", profile: "theo")
        #expect((try await app.send(.get, "/api/toy/history")["plays"] as? [Any])?.count == 1)
    }

    @Test("A category that there is not is refused", arguments: ["", "unicorns", "1", "Animals"])
    func noCategory(category: String) async throws {
        let app = try await App()
        for path in ["/api/toy/history", "/api/toy/people/mila/history"] {
            let answer = try await app.send(.get, "\(path)?category=\(category)")
            #expect(answer.status == 422)
            #expect(answer["field"] as? String == "category")
        }
    }

    @Test("Categories, language and age decide, and a better vote of anybody makes a fact come sooner")
    func wishes() async throws {
        let app = try await App()
        let settings = try await app.send(
            .put, "/api/toy/people/mila/settings", #"{"categories":["space","oceans"],"language":"de"}"#)
        #expect(settings["categories"] as? [String] == ["space", "oceans"])
        var next = try await app.send(.get, "/api/toy/people/mila/next")
        #expect(["space", "oceans"].contains(next["fact", "category"] as? String))
        #expect(next["fact", "language"] as? String == "de")
        let first = try #require(next["fact", "id"] as? Int)
        let other = try await app.hub.database.pool.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT id FROM toy_fact WHERE language = 'de' AND category = 4 AND youngest_age <= 5 AND id <> ?
                    ORDER BY id DESC LIMIT 1
                    """, arguments: [first])
        }
        _ = try await app.send(.put, "/api/toy/facts/\(other ?? 0)/vote", #"{"vote":1}"#, as: "tom")
        next = try await app.send(.get, "/api/toy/people/mila/next")
        #expect(next["fact", "id"] as? Int == other)
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE person SET birth_year = 2025 WHERE id = 'mila'")
        }
        #expect(try await app.send(.get, "/api/toy/people/mila/next")["fact"] == nil, "one year old: none is for her")
    }

    @Test("A vote is changed and taken back, and counted once")
    func votes() async throws {
        let app = try await App()
        for (vote, up, down) in [(1, 1, 0), (1, 1, 0), (-1, 0, 1), (0, 0, 0), (0, 0, 0), (-1, 0, 1)] {
            let answer = try await app.send(.put, "/api/toy/facts/3/vote", #"{"vote":\#(vote)}"#)
            #expect(
                answer["upvotes"] as? Int == up && answer["downvotes"] as? Int == down && answer["vote"] as? Int == vote
            )
        }
        #expect(try await app.send(.put, "/api/toy/facts/3/vote", #"{"vote":-1}"#, as: "tom")["downvotes"] as? Int == 2)
        #expect(try await app.send(.get, "/api/toy/facts/3", as: "tom")["vote"] as? Int == -1)
    }

    @Test("A vote of 7 is refused in words")
    func badVote() async throws {
        let app = try await App()
        for vote in ["7", "-2", "1000", "128"] {
            let answer = try await app.send(.put, "/api/toy/facts/3/vote", #"{"vote":\#(vote)}"#)
            #expect(answer.status == 422 && answer.detail.contains("take it back"), "\(vote)")
        }
    }

    @Test("An id that overflows, or is none, is no fact")
    func badID() async throws {
        let app = try await App()
        for id in [
            "4294967297", "9223372036854775808", "-1", "0", "1%20OR%201=1", "%3Cb%3E", "99999999999999999999",
        ] {
            #expect(try await app.send(.get, "/api/toy/facts/\(id)").status == 404, "\(id)")
            #expect(try await app.send(.put, "/api/toy/facts/\(id)/vote", #"{"vote":1}"#).status == 404, "\(id)")
        }
    }

    @Test("History is searched, signs of SQL in it stand for themselves, and it comes in pages")
    func search() async throws {
        let app = try await App()
        _ = try await app.send(
            .post, "/api/toy/imports?format=json",
            #"[{"text":"100 % of it."},{"text":"Nothing_here."},{"text":"<b>'; DROP TABLE toy_fact; --</b>"}]"#)
        let ids = try await app.hub.database.pool.read { db in
            try Int.fetchAll(db, sql: "SELECT id FROM toy_fact WHERE origin = 'json' ORDER BY id")
        }
        for id in ids {
            _ = try await app.send(.post, "/api/toy/people/tom/plays", #"{"fact":\#(id),"ending":"finished"}"#)
        }
        func texts(_ search: String) async throws -> [Int] {
            let answer = try await app.send(.get, "/api/toy/people/tom/history?search=\(search)")
            return (answer["plays"] as? [[String: Any]] ?? []).compactMap {
                ($0["fact"] as? [String: Any])?["id"] as? Int
            }
        }
        #expect(try await texts("%25") == [ids[0]])
        #expect(try await texts("_") == [ids[2], ids[1]])
        #expect(try await texts("drop%20table") == [ids[2]])
        #expect(try await texts("'%20OR%201=1") == [])
        #expect(try await app.send(.get, "/api/toy/people/tom/history?before=x").status == 422)
        let response = try await app.hub.database.pool.read { db in
            let listener = try [FactQueue.known(person: "tom", db)].compactMap { $0 }
            let first = try HistoryResponse(of: listener, count: 2, db)
            let second = try HistoryResponse(of: listener, .init(before: first.next), count: 2, db)
            return (first.plays + second.plays).map { Int($0.fact.id) } + [second.next == nil ? 0 : 1]
        }
        #expect(response == Array(ids.reversed()) + [0])
    }

    @Test("Who is not signed in sees nothing, and no route says more of a sibling than a child is to see")
    func siblings() async throws {
        let app = try await App()
        #expect(try await app.send(.get, "/api/toy", as: nil).status == 401)
        let message = try await app.hub.database.pool.write { db in
            try MessageRecord(
                household: "linden", person: "mila", sentBy: "ines", title: "Grandma", milliseconds: 100, createdAt: 1
            ).insert(db)
            return db.lastInsertedRowID
        }
        try await app.use("ines", profile: "theo")
        let walk = SiblingWalk(about: "mila") {
            $0.hasPrefix("/api/toy")
        } send: { method, path, body, bytes in
            try await app.send(method, path, body, bytes: bytes)
        }
        let person = "/api/toy/people/mila"
        let faults = try await walk.faults([
            "GET /api/toy": .household, "GET /api/toy/facts/{id}": .household,
            "PUT /api/toy/facts/{id}/vote": .household,
            "GET /api/toy/facts/{id}/context": .says([], "/api/toy/facts/1/context"),
            "GET /api/toy/history": .says([], "/api/toy/history"),
            "GET /api/toy/people/{person}/next": .refused("\(person)/next"),
            "GET /api/toy/people/{person}/history": .refused("\(person)/history"),
            "GET /api/toy/people/{person}/settings": .refused("\(person)/settings"),
            "GET /api/toy/people/{person}/rules": .refused("\(person)/rules"),
            "GET /api/toy/people/{person}/week": .refused("\(person)/week"),
            "GET /api/toy/messages": .says([], "/api/toy/messages"),
            "GET /api/toy/messages/{id}/audio": .refused("/api/toy/messages/\(message)/audio"),
            "POST /api/toy/messages/{id}/heard": .refused("/api/toy/messages/\(message)/heard"),
            // What a toy of nobody's in particular says is heard by whoever stands beside it; of the others see SiblingTests.
            "GET /api/toy/toys/{id}/speech": .household, "GET /api/toy/speech/{id}": .household,
            // Who plays with which toy is in sight of everybody.
            "GET /api/toy/toys": .household,
            "PUT /api/toy/people/{person}/settings": .refused("\(person)/settings", "{}"),
            // As with sessions: another may hold the phone on which she heard it. It says nothing of her, see SiblingTests.
            "POST /api/toy/people/{person}/plays": .household,
        ])
        #expect(faults == [])
    }

    @Test("Who moves out takes their history and votes along")
    func removed() async throws {
        let app = try await App()
        _ = try await app.send(.post, "/api/toy/people/theo/plays", #"{"fact":1,"ending":"finished"}"#)
        try await app.hub.database.pool.write { db in try db.execute(sql: "DELETE FROM person WHERE id = 'theo'") }
        for table in ["toy_play", "toy_heard", "toy_queue", "toy_listener"] { #expect(try await app.count(table) == 0) }
    }
}
