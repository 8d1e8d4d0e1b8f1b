import Foundation
import GRDB
import HubInstruments
import HubKit
import Storage
import Testing
import TriviaToyEngine

@testable import TriviaToyHub

@Suite("What brothers and sisters see of a toy and its facts")
struct SiblingTests {
    private typealias App = CompanionTestApp<TriviaToy>

    @Test("The answer of a play tells a vote to those who may see it, and to no sibling", arguments: [1, -1])
    func play(vote: Int) async throws {
        let app = try await App()
        let fact = try #require(try await app.send(.get, "/api/toy/people/mila/next")["fact", "id"] as? Int)
        try await app.use("ines", profile: "mila")
        _ = try await app.send(.put, "/api/toy/facts/\(fact)/vote", #"{"vote":\#(vote)}"#)
        let body = #"{"fact":\#(fact),"ending":"finished"}"#
        let own = try await app.send(.post, "/api/toy/people/mila/plays", body)
        #expect(own.status == 201 && own["vote"] as? Int == vote)
        try await app.use("ines", profile: "theo")
        let other = try await app.send(.post, "/api/toy/people/mila/plays", body, headers: ["Idempotency-Key": "a"])
        #expect(other.status == 201 && other["vote"] as? Int == 0)
        let again = try await app.send(.post, "/api/toy/people/mila/plays", body, headers: ["Idempotency-Key": "a"])
        #expect(again["vote"] as? Int == 0)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.post, "/api/toy/people/mila/plays", body)["vote"] as? Int == vote)
    }

    @Test("Pages are told that somebody heard or voted, and neither whose it was nor which fact")
    func told() async throws {
        let app = try await App()
        let fact = try #require(try await app.send(.get, "/api/toy/people/mila/next")["fact", "id"] as? Int)
        let member = try await app.services.accounts.signIn(app.person("ines"), agent: "test").member
        let (_, frames) = app.hub.live.listen(member, resume: nil, now: 0)
        try await app.use("ines", profile: "mila")
        let body = #"{"fact":\#(fact),"ending":"finished"}"#
        #expect(try await app.send(.post, "/api/toy/people/mila/plays", body).status == 201)
        #expect(try await app.send(.put, "/api/toy/facts/\(fact)/vote", #"{"vote":1}"#).status == 200)
        var told: [[String: String]] = []
        for await frame in frames {
            if case .text(let text) = frame, text.contains(#""toy""#) {
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                told.append((object ?? [:]).filter { $0.key != "id" }.compactMapValues { $0 as? String })
            }
            if told.count == 2 { break }
        }
        #expect(
            told
                == ["play", "vote"].map { ["type": "changed", "companion": "toy", "what": $0, "item": ""] })
    }

    @Test("Nobody votes in another child's name, but adults, and whoever holds the family's device")
    func votes() async throws {
        let app = try await App()
        let body = #"{"vote":1,"person":"mila"}"#
        try await app.use("ines", profile: "theo")
        let refused = try await app.send(.put, "/api/toy/facts/3/vote", body)
        #expect(refused.status == 403 && refused.detail.contains("in the name of Mila"))
        #expect(try await app.send(.put, "/api/toy/facts/3/vote", #"{"vote":1,"person":"tom"}"#).status == 403)
        #expect(try await app.send(.put, "/api/toy/facts/3/vote", #"{"vote":1,"person":"theo"}"#).status == 200)
        try await app.use("ines", profile: "theo", isShared: true)
        #expect(try await app.send(.put, "/api/toy/facts/3/vote", body).status == 200)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.put, "/api/toy/facts/3/vote", body).status == 200)
    }

    @Test("A message for one child is made heard by them and by adults, and by no sibling")
    func message() async throws {
        let app = try await App()
        let id = try await app.hub.database.pool.write { db in
            try MessageRecord(
                household: "linden", person: "mila", sentBy: "ines", title: "Grandma", milliseconds: 100, createdAt: 1
            ).insert(db)
            return db.lastInsertedRowID
        }
        for (profile, isShared) in [("theo", false), ("theo", true)] {
            try await app.use("ines", profile: profile, isShared: isShared)
            #expect(try await app.send(.post, "/api/toy/messages/\(id)/heard").status == 403)
        }
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.get, "/api/toy/people/mila/next")["message", "id"] as? Int64 == id)
        #expect(try await app.send(.post, "/api/toy/messages/\(id)/heard").status == 204)
        #expect(try await app.send(.get, "/api/toy/people/mila/next")["message"] == nil)
    }

    @Test("Of a sibling's toy its battery is told, and neither its counts nor its words; of nobody's all is")
    func toy() async throws {
        let owl = try await ToyTestApp()
        let app = owl.app
        try await owl.publish((ToyTopic.status, owl.status(stored: 12, percent: 55)))
        app.companion.spoken.say(
            SpokenWords.Spoken(
                id: "spoken", device: owl.toy.id, household: "linden", at: app.now,
                utterance: .init(words: "Owls turn.", voice: 0, volume: 0, wordsPerMinute: 150, language: .english)))
        func seen() async throws -> (stored: Int?, percent: Int?, words: String?, sound: Int, overview: Int?) {
            let toys = try await app.send(.get, "/api/toy/toys")
            return (
                toys["toys", "0", "stored"] as? Int, toys["toys", "0", "battery", "percent"] as? Int,
                try await app.send(.get, "/api/toy/toys/\(owl.toy.id)/speech")["speech", "words"] as? String,
                try await app.send(.get, "/api/toy/speech/spoken").status,
                try await app.send(.get, "/api/toy")["toys", "0", "stored"] as? Int
            )
        }
        try await app.use("ines", profile: "theo")
        let nobodys = try await seen()
        #expect(nobodys.stored == 12 && nobodys.words == "Owls turn." && nobodys.overview == 12)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.put, "/api/toy/toys/\(owl.toy.id)", #"{"person":"mila"}"#).status == 200)
        try await app.use("ines", profile: "theo")
        let milas = try await seen()
        #expect(milas.stored == nil && milas.percent == 55 && milas.words == nil && milas.overview == nil)
        #expect(milas.sound == 404)
        try await app.use("ines", profile: "mila")
        let own = try await seen()
        #expect(own.stored == 12 && own.words == "Owls turn." && own.overview == 12)
    }

    @Test("When something was heard last is told a child of what it may see alone")
    func lastHeard() async throws {
        let app = try await App()
        let fact = try #require(try await app.send(.get, "/api/toy/people/mila/next")["fact", "id"] as? Int)
        let body = #"{"fact":\#(fact),"ending":"finished"}"#
        _ = try await app.send(.post, "/api/toy/people/mila/plays", body)
        try await app.use("ines", profile: "theo")
        #expect(try await app.send(.get, "/api/toy")["lastHeardAt"] == nil)
        let at = app.now
        _ = try await app.send(.post, "/api/toy/people/theo/plays", body)
        #expect(try await app.send(.get, "/api/toy")["lastHeardAt"] as? Int64 == at)
    }
}
