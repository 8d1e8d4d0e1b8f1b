import GRDB
import HubInstruments
import HubKit
import Storage
import Testing
import TriviaToyEngine

@testable import TriviaToyHub

/// The Lindens' clock stands at 14:00 when a test begins.
@Suite("The rules of the house where no toy keeps them")
struct SilenceTests {
    private typealias App = CompanionTestApp<TriviaToy>

    private static let next = "/api/toy/people/mila/next"

    @Test("A page tells nothing in quiet hours and says when they end, in the language of whoever reads it")
    func quiet() async throws {
        let app = try await App()
        let rules = "/api/toy/people/mila/rules"
        #expect(try await app.send(.put, rules, #"{"quietHours":{"from":840,"until":905}}"#).status == 200)
        try await app.hub.database.pool.write { db in
            try MessageRecord(
                household: "linden", person: "mila", sentBy: "ines", title: "Grandma", milliseconds: 100, createdAt: 1
            ).insert(db)
        }
        let silent = try await app.send(.get, Self.next)
        #expect(silent["fact"] == nil && silent["message"] == nil)
        #expect(silent["silence", "reason"] as? String == "quietHours")
        #expect(silent["silence", "headline"] as? String == "These are quiet hours for Mila.")
        #expect(silent["silence", "lead"] as? String == "Facts are told again from 15:05.")
        let german = try await app.send(.get, Self.next, headers: ["Accept-Language": "de"])
        #expect(german["silence", "headline"] as? String == "Für Mila ist gerade Ruhezeit.")
        // Her brother has no such hours.
        #expect(try await app.send(.get, "/api/toy/people/theo/next")["fact", "id"] != nil)
        app.advance(milliseconds: 65 * 60_000)
        let again = try await app.send(.get, Self.next)
        #expect(again["silence"] == nil && again["fact", "id"] != nil && again["message", "id"] != nil)
    }

    @Test("A page ends with the limit of a day, whoever told the facts, lets messages through, and goes on at midnight")
    func limit() async throws {
        let owl = try await ToyTestApp()
        let app = owl.app
        #expect(try await app.send(.put, "/api/toy/toys/\(owl.toy.id)", #"{"person":"mila"}"#).status == 200)
        #expect(try await app.send(.put, "/api/toy/people/mila/rules", #"{"dailyLimit":2}"#).status == 200)
        try await owl.publish((ToyTopic.play, owl.play(1, 1)))
        let second = try #require(try await app.send(.get, Self.next)["fact", "id"] as? Int)
        let body = #"{"fact":\#(second),"ending":"finished"}"#
        #expect(try await app.send(.post, "/api/toy/people/mila/plays", body).status == 201)
        let silent = try await app.send(.get, Self.next)
        #expect(silent["fact"] == nil)
        #expect(silent["silence", "reason"] as? String == "dailyLimit")
        #expect(silent["silence", "headline"] as? String == "Mila has heard all of today’s facts.")
        try await app.hub.database.pool.write { db in
            try MessageRecord(
                household: "linden", person: "mila", sentBy: "ines", title: "Grandma", milliseconds: 100, createdAt: 1
            ).insert(db)
        }
        let message = try await app.send(.get, Self.next)
        #expect(message["message", "id"] != nil && message["fact"] == nil)
        // Ten hours after 14:00 it is midnight.
        app.advance(milliseconds: 10 * 3_600_000)
        #expect(try await app.send(.get, Self.next)["fact", "id"] != nil)
    }

    @Test("A fact’s page says nothing aloud in the quiet hours, and a limit does not count there")
    func factPage() async throws {
        let app = try await App()
        let rules = "/api/toy/people/ines/rules"
        #expect(try await app.send(.put, rules, #"{"dailyLimit":1}"#).status == 200)
        let body = #"{"fact":1,"ending":"finished"}"#
        _ = try await app.send(.post, "/api/toy/people/ines/plays", body)
        #expect(try await app.send(.get, "/api/toy/facts/1/context")["silence"] == nil)
        #expect(try await app.send(.put, rules, #"{"quietHours":{"from":840,"until":900}}"#).status == 200)
        let context = try await app.send(.get, "/api/toy/facts/1/context")
        #expect(context["silence", "reason"] as? String == "quietHours")
        #expect(try await app.send(.get, "/api/toy/facts/1/context", as: "tom")["silence"] == nil)
    }

    @Test("The sample household's toy has never spoken in its quiet hours, nor beyond its limit", arguments: 0..<24)
    func sample(hour: Int32) async throws {
        let app = try await App(now: App.vienna("2026-03-30", hour, 10))
        // The clock was put forward on 29 March.
        try await app.companion.seedDemo(household: app.household)
        try await app.hub.database.pool.read { db in
            let zone = LocalCalendar(timeZone: try #require(.init(identifier: "Europe/Vienna")))
            var days: [Int32: Int] = [:]
            let mila = try #require(try FactQueue.known(person: "mila", db))
            for play in try PlayRecord.fetchAll(db) {
                let local = zone.moment(of: play.at)
                #expect(play.at <= app.now)
                // 20:00 to 7:00.
                #expect(local.minute >= 420 && local.minute < 1_200, "minute \(local.minute) of day \(local.day)")
                if play.listener == mila { days[local.day, default: 0] += 1 }
            }
            // As the settings say when it was heard.
            let heard = try Int64.fetchOne(
                db,
                sql: "SELECT max(at) FROM reading WHERE series IN (SELECT id FROM series WHERE quantity = 'battery')")
            #expect(heard == app.now - 240_000)
            #expect(days.count >= 4 && days.values.allSatisfy { $0 <= 10 })
        }
    }
}
