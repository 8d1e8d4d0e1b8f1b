import Foundation
import GRDB
import HubInstruments
import HubKit
import HubServer
import NIOCore
import NIOPosix
import Storage
import Testing
import TriviaToyEngine

@testable import Devices
@testable import TriviaToyHub

/// A hub with a toy that is called Owl.
struct ToyTestApp {
    let app: CompanionTestApp<TriviaToy>
    let toy: DeviceRecord

    init() async throws {
        app = try await CompanionTestApp<TriviaToy>()
        toy = try await app.services.devices.add(kind: TriviaToy.toyKind, name: "Owl", household: "linden").device
        try await app.companion.prepare("linden")
    }

    /// Publishes as the toy does, and waits until all of it is stored.
    func publish(_ messages: (topic: StaticString, bytes: [UInt8])...) async throws {
        let hubApp = app.hubApp
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let id = toy.id
        let sent = messages.map { ("\($0.topic)", $0.bytes) }
        try await loop.flatSubmit {
            do {
                let host = try HubBrokerDelegate(context: hubApp.deviceContext, loop: loop)
                let handler = host.handler(for: .device(id: id), clientID: "owl")
                for (topic, bytes) in sent {
                    _ = handler.receive(
                        topic: ByteBuffer(string: "tandem/\(id)/\(topic)"), payload: ByteBuffer(bytes: bytes),
                        retain: false)
                }
                return host.batchWriter.perform { _ in }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    func play(_ sequence: UInt32, _ fact: UInt32, at: Int64? = nil, _ ending: PlayEnding = .finished) -> [UInt8] {
        var bytes: [UInt8] = []
        PlayReport(
            sequence: sequence, fact: fact, time: UInt32((at ?? app.now) / 1_000), cause: .thrown, ending: ending
        ).encode(into: &bytes)
        return bytes
    }

    func vote(_ sequence: UInt32, _ fact: UInt32, _ vote: FactVote, at: Int64 = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        VoteReport(sequence: sequence, fact: fact, time: UInt32(at / 1_000), vote: vote).encode(into: &bytes)
        return bytes
    }

    func status(wanted: UInt16 = 0, stored: UInt16 = 0, percent: UInt8 = 80, faults: StatusReport.Faults = [])
        -> [UInt8]
    {
        var status = StatusReport()
        (status.wanted, status.storedFacts, status.batteryPercent) = (wanted, stored, percent)
        (status.batteryMillivolts, status.faults) = (3_700, faults)
        var bytes: [UInt8] = []
        status.encode(into: &bytes)
        return bytes
    }

    func sent() async throws -> [Int64] {
        try await app.hub.database.pool.read { db in
            try Int64.fetchAll(db, sql: "SELECT fact FROM toy_sent ORDER BY rowid")
        }
    }
}

@Suite("A toy and the hub")
struct ToyDeviceTests {
    @Test("A toy that wants facts gets those that its child hears next, and no two of them twice")
    func facts() async throws {
        let test = try await ToyTestApp()
        let next = try await test.app.send(.get, "/api/toy/people/mila/next")["fact", "id"] as? Int
        #expect(try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#).status == 200)
        try await test.publish((ToyTopic.status, test.status(wanted: 5)))
        try await test.app.companion.delivery.send(to: test.toy.id)
        let first = try await test.sent()
        #expect(first.count == 5)
        #expect(first.first == next.map(Int64.init))
        try await test.app.companion.delivery.send(to: test.toy.id)
        #expect(try await test.sent() == first, "it has not asked again")
        try await test.publish((ToyTopic.status, test.status(wanted: 200, stored: 5)))
        try await test.app.companion.delivery.send(to: test.toy.id)
        let all = try await test.sent()
        #expect(all.count == 5 + test.app.companion.limits.factsAtOnce)
        #expect(Set(all).count == all.count)
        let after = try await test.app.send(.get, "/api/toy/people/mila/next")["fact", "id"] as? Int
        #expect(!all.contains(Int64(after ?? 0)), "what the toy says is not said by the page too")
    }

    @Test("What a toy tells of its image is known by its name in the pack: it is heard, and voted on")
    func starters() async throws {
        let test = try await ToyTestApp()
        #expect(try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#).status == 200)
        let number = StarterFacts.firstID + 1
        try await test.publish(
            (ToyTopic.play, test.play(1, number)), (ToyTopic.vote, test.vote(2, number, .up, at: test.app.now)))
        let history = try await test.app.send(.get, "/api/toy/people/mila/history")
        let play = (history["plays"] as? [[String: Any]])?.first?["fact"] as? [String: Any]
        #expect(play?["text"] as? String == "\(StarterFacts.fact(1).text)" && play?["vote"] as? Int == 1)
        try await test.publish((ToyTopic.play, test.play(3, StarterFacts.firstID + 500)))
        #expect(try await test.app.count("toy_play") == 1, "no fact has this number")
    }

    @Test(
        "Each fact of the image stands in the pack, word for word, for the youngest, in letters that a speech module has"
    )
    func image() {
        for index in 0..<StarterFacts.count {
            let fact = StarterFacts.fact(index)
            let known = FactPack.facts.first { $0.key == "\(fact.key)" && $0.language == .en }
            #expect(known?.text == "\(fact.text)" && known.map { $0.youngestAge <= 5 } == true, "\(fact.key)")
            #expect("\(fact.text)".allSatisfy { $0.isASCII })
            #expect(StarterFacts.index(of: StarterFacts.firstID + UInt32(index)) == index)
        }
        #expect(StarterFacts.index(of: StarterFacts.firstID + UInt32(StarterFacts.count)) == nil)
        #expect(Set((0..<StarterFacts.count).map { "\(StarterFacts.fact($0).key)" }).count == StarterFacts.count)
    }

    @Test("A toy that has lost its memory is sent facts again that it had")
    func forgetful() async throws {
        let test = try await ToyTestApp()
        // It has been there, and there are few facts.
        try await test.app.companion.delivery.send(to: test.toy.id)
        try await test.app.hub.database.pool.write { db in
            try db.execute(sql: "DELETE FROM toy_queue WHERE fact > 20")
        }
        try await test.publish((ToyTopic.status, test.status(wanted: 30)))
        try await test.app.companion.delivery.send(to: test.toy.id)
        let before = try await test.sent()
        test.app.advance(milliseconds: 300_000)
        try await test.publish((ToyTopic.status, test.status(wanted: 30, stored: 0)))
        try await test.app.companion.delivery.send(to: test.toy.id)
        let after = try await test.sent()
        #expect(after.sorted() == before.sorted())
    }

    @Test(
        "Plays of a day without the hub stand in the child’s history at their own times, each once however often it is sent"
    )
    func offline() async throws {
        let test = try await ToyTestApp()
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"theo"}"#)
        let yesterday = test.app.now - 86_400_000
        let first = test.play(1, 3, at: yesterday)
        try await test.publish(
            (ToyTopic.play, first), (ToyTopic.play, first), (ToyTopic.play, test.play(2, 4, .stopped)))
        try await test.publish((ToyTopic.play, first))
        let history = try await test.app.send(.get, "/api/toy/people/theo/history")
        let plays = try #require(history["plays"] as? [[String: Any]])
        #expect(plays.map { $0["ending"] as? String } == ["stopped", "finished"])
        #expect(plays.last?["at"] as? Int == Int(yesterday / 1_000 * 1_000))
        #expect(plays.last?["deviceName"] as? String == "Owl")
        #expect(try await test.app.send(.get, "/api/toy/people/mila/history")["plays", "0"] == nil, "nobody else’s")
    }

    @Test("Two toys with one identity: nothing is lost, and the owner is told what to do until somebody has")
    func twins() async throws {
        let test = try await ToyTestApp()
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"theo"}"#)
        try await test.publish((ToyTopic.play, test.play(1, 3)))
        #expect(try await test.app.send(.get, "/api/toy/toys")["toys", "0", "twin"] == nil)
        try await test.publish((ToyTopic.play, test.play(1, 9)))
        let toys = try await test.app.send(.get, "/api/toy/toys")
        #expect((toys["toys", "0", "twin"] as? String)?.contains("set one of them up anew") == true)
        #expect(try await test.app.send(.get, "/api/toy")["headline", "text"] as? String == "There may be two of Owl.")
        let history = try await test.app.send(.get, "/api/toy/people/theo/history")
        #expect((history["plays"] as? [Any])?.count == 2)
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"theo"}"#)
        #expect(try await test.app.send(.get, "/api/toy/toys")["toys", "0", "twin"] == nil)
    }

    @Test("Of votes by buttons the newest stands, in whatever order they come, and a vote of 7 is refused in words")
    func votes() async throws {
        let test = try await ToyTestApp()
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#)
        try await test.publish((ToyTopic.vote, test.vote(8, 3, .down)), (ToyTopic.vote, test.vote(7, 3, .up)))
        try await test.app.use("ines", profile: "mila")
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == -1)
        var wrong = test.vote(9, 3, .up)
        wrong[wrong.count - 1] = 7
        try await test.publish((ToyTopic.vote, wrong))
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == -1)
        let message = try await test.app.hub.database.pool.read { [id = test.toy.id] db in
            try DeviceRecord.fetchOne(db, key: id)?.errorMessage
        }
        #expect(message?.contains("Update the toy’s firmware") == true)
    }

    @Test("A vote of the holidays stands in the week in which it was given")
    func awayVote() async throws {
        let test = try await ToyTestApp()
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"theo"}"#)
        let then = test.app.now - 10 * 86_400_000
        try await test.publish((ToyTopic.vote, test.vote(1, 3, .up, at: then)))
        #expect(try await test.app.send(.get, "/api/toy/people/theo/week?weeksAgo=0")["upvotes"] as? Int == 0)
        #expect(try await test.app.send(.get, "/api/toy/people/theo/week?weeksAgo=1")["upvotes"] as? Int == 1)
    }

    @Test("What the page says again is newer than what a toy brings from before, and a toy counts whole seconds")
    func saidAgain() async throws {
        let test = try await ToyTestApp()
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#)
        try await test.app.use("ines", profile: "mila")
        _ = try await test.app.send(.put, "/api/toy/facts/3/vote", #"{"vote":1}"#)
        test.app.advance(milliseconds: 3_600_400)
        _ = try await test.app.send(.put, "/api/toy/facts/3/vote", #"{"vote":1}"#)
        try await test.publish((ToyTopic.vote, test.vote(1, 3, .down, at: test.app.now - 1_800_000)))
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == 1)
        // In the same second, of which the page says the part and the toy cannot.
        try await test.publish((ToyTopic.vote, test.vote(2, 3, .down, at: test.app.now)))
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == -1)
    }

    @Test("A toy that knows no time changes its own vote, and none of the page's")
    func withoutClock() async throws {
        let test = try await ToyTestApp()
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#)
        try await test.app.use("ines", profile: "mila")
        try await test.publish((ToyTopic.vote, test.vote(1, 3, .up)), (ToyTopic.vote, test.vote(2, 3, .down)))
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == -1)
        _ = try await test.app.send(.put, "/api/toy/facts/3/vote", #"{"vote":1}"#)
        try await test.publish((ToyTopic.vote, test.vote(3, 3, .none)))
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == 1)
    }

    @Test(
        "A vote of a toy that was away does not change what was said on the page since, nor bring back what was taken back"
    )
    func olderVote() async throws {
        let test = try await ToyTestApp()
        _ = try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#)
        try await test.app.use("ines", profile: "mila")
        let then = test.app.now - 86_400_000
        _ = try await test.app.send(.put, "/api/toy/facts/3/vote", #"{"vote":-1}"#)
        _ = try await test.app.send(.put, "/api/toy/facts/4/vote", #"{"vote":1}"#)
        _ = try await test.app.send(.put, "/api/toy/facts/4/vote", #"{"vote":0}"#)
        try await test.publish(
            (ToyTopic.vote, test.vote(1, 3, .up, at: then)), (ToyTopic.vote, test.vote(2, 4, .up, at: then)),
            (ToyTopic.vote, test.vote(3, 5, .up, at: then)))
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == -1)
        #expect(try await test.app.send(.get, "/api/toy/facts/4")["vote"] as? Int == 0)
        #expect(try await test.app.send(.get, "/api/toy/facts/5")["vote"] as? Int == 1, "nobody said otherwise")
        test.app.advance(milliseconds: 60_000)
        try await test.publish((ToyTopic.vote, test.vote(4, 3, .up, at: test.app.now)))
        #expect(try await test.app.send(.get, "/api/toy/facts/3")["vote"] as? Int == 1, "a later one does")
    }

    @Test("Battery, facts and faults of a toy are shown, and the first sentence says which one wants something")
    func shown() async throws {
        let test = try await ToyTestApp()
        try await test.publish((ToyTopic.status, test.status(stored: 40, percent: 12, faults: [.batteryLow])))
        var toys = try await test.app.send(.get, "/api/toy/toys")
        #expect(toys["toys", "0", "battery", "percent"] as? Int == 12)
        #expect(toys["toys", "0", "battery", "isLow"] as? Bool == true)
        #expect(toys["toys", "0", "stored"] as? Int == 40)
        #expect(try await test.app.send(.get, "/api/toy")["headline", "text"] as? String == "Owl wants charging.")
        try await test.publish((ToyTopic.status, test.status(faults: [.speech])))
        toys = try await test.app.send(.get, "/api/toy/toys")
        #expect((toys["toys", "0", "faults", "0"] as? String)?.hasPrefix("It cannot speak") == true)
    }

    @Test("Who plays with a toy is somebody of the household, and only adults say so")
    func player() async throws {
        let test = try await ToyTestApp()
        let path = "/api/toy/toys/\(test.toy.id)"
        let refused = try await test.app.send(.put, path, #"{"person":"nobody"}"#)
        #expect(refused.status == 422)
        #expect(refused["detail"] as? String == "Choose somebody of this household.")
        #expect(try await test.app.send(.put, "/api/toy/toys/none", #"{"person":"mila"}"#).status == 404)
        try await test.app.use("ines", profile: "mila")
        #expect(try await test.app.send(.put, path, #"{"person":"mila"}"#).status == 403)
    }
}

@Suite("The rules of the house, and a week")
struct HouseRulesTests {
    private typealias App = CompanionTestApp<TriviaToy>

    @Test("Rules are laid down one by one, and what is left out stays")
    func rules() async throws {
        let app = try await App()
        let path = "/api/toy/people/mila/rules"
        var rules = try await app.send(.get, path)
        #expect(rules["quietHours"] == nil && rules["dailyLimit"] == nil)
        #expect(rules["loudness"] as? String == "normal")
        rules = try await app.send(.put, path, #"{"quietHours":{"from":780,"until":1200},"dailyLimit":10}"#)
        #expect(rules["isQuietNow"] as? Bool == true, "it is two in the afternoon")
        rules = try await app.send(.put, path, #"{"hasQuietHours":false,"loudness":"whisper"}"#)
        #expect(rules["quietHours"] == nil)
        #expect(rules["dailyLimit"] as? Int == 10)
        #expect(rules["loudness"] as? String == "whisper")
        #expect(try await app.send(.get, "/api/toy/people/theo/rules")["dailyLimit"] == nil)
    }

    @Test(
        "What no rule can be is refused in words, and nothing changes",
        arguments: [
            #"{"quietHours":{"from":0,"until":1440}}"#, #"{"quietHours":{"from":-1,"until":9}}"#,
            #"{"quietHours":{"from":9,"until":9}}"#, #"{"dailyLimit":0}"#, #"{"dailyLimit":1001}"#,
            #"{"wordsPerMinute":20}"#, #"{"voice":9}"#,
        ])
    func refused(body: String) async throws {
        let app = try await App()
        let answer = try await app.send(.put, "/api/toy/people/mila/rules", body)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String != nil)
        #expect(try await app.send(.get, "/api/toy/people/mila/rules")["dailyLimit"] == nil)
    }

    @Test("A child lays down no rules, its own neither")
    func child() async throws {
        let app = try await App()
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.put, "/api/toy/people/mila/rules", #"{"dailyLimit":1000}"#).status == 403)
        #expect(try await app.send(.get, "/api/toy/people/mila/rules").status == 200)
        #expect(try await app.send(.get, "/api/toy/people/theo/rules").status == 403)
    }

    @Test("The rules that a toy is sent say the time, the wall clock’s offset with summer time, and the child’s rules")
    func message() async throws {
        let app = try await App()
        let device = try await app.services.devices.add(kind: "toy", name: "Owl", household: "linden").device
        _ = try await app.send(.put, "/api/toy/people/mila/rules", #"{"dailyLimit":3}"#)
        _ = try await app.send(.put, "/api/toy/toys/\(device.id)", #"{"person":"mila"}"#)
        func rules() async throws -> RulesMessage {
            let (now, limits) = (app.now, app.companion.limits)
            let sync = try await app.hub.database.pool.write { db in
                try ToySync(for: device.id, now: now, limits, db)
            }
            let bytes = try #require(sync?.rules)
            return try RulesMessage(decoding: bytes.span)
        }
        var message = try await rules()
        #expect(message.now == UInt32(app.now / 1_000))
        #expect(message.utcOffset == 60)
        #expect(message.rules.dailyLimit == 3)
        app.advance(milliseconds: 200 * App.day)
        message = try await rules()
        #expect(message.utcOffset == 120)
    }

    @Test("A week says what was heard by days and categories, what was new, and what was liked")
    func week() async throws {
        let app = try await App()
        try await app.companion.prepare("linden")
        for fact in [1, 2, 3] {
            _ = try await app.send(.post, "/api/toy/people/mila/plays", #"{"fact":\#(fact),"ending":"finished"}"#)
        }
        app.advance(milliseconds: App.day)
        _ = try await app.send(.post, "/api/toy/people/mila/plays", #"{"fact":1,"ending":"stopped"}"#)
        try await app.use("ines", profile: "mila")
        _ = try await app.send(.put, "/api/toy/facts/2/vote", #"{"vote":1}"#)
        try await app.use("ines", profile: "ines")
        var week = try await app.send(.get, "/api/toy/people/mila/week")
        #expect(week["headline"] as? String == "4 facts for Mila in seven days, 3 of them new.")
        #expect((week["days"] as? [Any])?.count == 7)
        #expect(week["days", "5", "finished"] as? Int == 3)
        #expect(week["days", "6", "others"] as? Int == 1)
        #expect(week["upvotes"] as? Int == 1)
        #expect(week["favourites", "0", "id"] as? Int == 2)
        week = try await app.send(.get, "/api/toy/people/mila/week?weeksAgo=1")
        #expect(week["headline"] as? String == "Mila heard nothing in these seven days.")
        #expect(try await app.send(.get, "/api/toy/people/mila/week?weeksAgo=x").status == 422)
    }
}
