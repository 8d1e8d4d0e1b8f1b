import Foundation
import GRDB
import Storage
import TestInstruments
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("A drum session is delivered")
struct DrumDeliveryTests {
    private let app: DrumsTestApp
    private let at = DrumsTestApp.start - 3_600_000

    init() async throws { app = try await DrumsTestApp() }

    private func expectRefused(_ bytes: [UInt8], _ status: Int, _ words: String, as account: String? = "ines")
        async throws
    {
        let answer = try await app.deliver(bytes, as: account)
        #expect(answer.status == status)
        #expect(answer.detail.contains(words), "\(answer.text)")
        #expect(try await app.count() == 0)
    }

    @Test("It is stored, and answered with the hub's own result on the person's local day")
    func whole() async throws {
        let session = try DrumsTestApp.played("mila", at: at)
        let answer = try await app.deliver(session.encoded())
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["person"] as? String == "mila")
        #expect(answer["day"] as? String == "2026-11-21")
        #expect(answer["minute"] as? Int == 13 * 60)
        #expect(answer["startedAt"] as? Int64 == at)
        #expect(answer["end"] as? String == "finished")
        #expect(answer["song", "title"] as? String == "Ode to Joy")
        #expect(answer["level"] as? Int == 2)
        #expect(answer["beats"] as? Int == 16)
        #expect(answer["answered"] as? Int == 16)
        // Beats 3, 8 and 13 had another drum first.
        #expect(answer["right"] as? Int == 13)
        #expect(answer["reaction", "n"] as? Int == 16)
        #expect(answer["reaction", "median"] as? Double == 452.5)
        #expect(answer["latency", "median"] as? Double == 18)
        #expect(answer["claim"] == nil)
        #expect(answer["isClosedByHub"] as? Bool == false)
        let id = try #require(answer["id"] as? String)
        let record = try #require(
            try await app.hub.database.pool.read { db in try Sessions.find(id, household: "linden", db) })
        #expect(Array(record.content) == session.encoded())
        #expect(record.companion == "drums")
        #expect(!record.claimDiffers)
    }

    @Test("Its page gets every beat with its drum, wrong hits, reaction and wait")
    func score() async throws {
        let id = try #require(
            try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded())["id"] as? String)
        let answer = try await app.send(.get, "/api/drums/sessions/\(id)")
        #expect(answer.status == 200)
        let beats = try #require(answer["beatList"] as? [[String: Any]])
        #expect(beats.count == 16)
        #expect(beats.map { $0["step"] as? Int } == Array(0..<16))
        #expect(beats[3]["verdict"] as? String == "wrongFirst")
        #expect((beats[3]["wrong"] as? [Int])?.count == 1)
        #expect(beats[4]["verdict"] as? String == "right")
        #expect(beats[4]["reaction"] as? Int == 428)
        #expect(beats[1]["position"] as? Double == 500)
        #expect(beats.allSatisfy { ($0["force"] != nil) == ($0["drum"] as? Int == 0) })
        #expect(answer["forceDrums"] as? [Int] == [0])
        #expect(answer["chart", "steps"] as? String == String(repeating: "1", count: 16))
        #expect(answer["chart", "tempo", "0", "beatsPerMinute"] as? Double == 120)
        #expect(answer["drums"] as? [Bool] == [true, true, true, true])
        #expect(answer["happened", "0", "what"] as? String == "stored")
    }

    @Test("A lost link is told with its time, how long, and the link that it went on with")
    func lost() async throws {
        let session = try DrumsTestApp.played("mila", at: at, beats: 6) { session, now in
            _ = session.handle(.linkLost, atMicroseconds: now + 50_000)
            _ = session.handle(.linkBack(.screen, latencyTenths: 0), atMicroseconds: now + 14_050_000)
            _ = session.handle(.pause, atMicroseconds: now + 15_000_000)
            _ = session.handle(.resume, atMicroseconds: now + 18_000_000)
            _ = session.handle(.stop, atMicroseconds: now + 19_000_000)
        }
        let id = try #require(try await app.deliver(session.encoded())["id"] as? String)
        let answer = try await app.send(.get, "/api/drums/sessions/\(id)")
        #expect(answer["end"] as? String == "stopped")
        #expect(answer["lostMilliseconds"] as? Int == 14_000)
        #expect(answer["happened", "0", "what"] as? String == "linkLost")
        #expect(answer["happened", "0", "milliseconds"] as? Int == 14_000)
        #expect(answer["happened", "0", "link"] as? String == "bluetooth")
        #expect(answer["happened", "0", "to"] as? String == "screen")
        #expect(answer["happened", "1", "what"] as? String == "paused")
        #expect(answer["happened", "1", "milliseconds"] as? Int == 3_000)
        #expect(answer["links"] as? [String] == ["bluetooth", "screen"])
    }

    @Test("A result that the page claims and the hub does not find is stored, flagged and shown; the hub's stands")
    func claim() async throws {
        var bytes = try DrumsTestApp.played("mila", at: at).encoded()
        // The finish is the last event: right u16, answered u16, median u32.
        let place = bytes.count - 8
        bytes.replaceSubrange(place..<place + 2, with: [16, 0])
        let answer = try await app.deliver(bytes)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["right"] as? Int == 13)
        #expect(answer["claim", "right"] as? Int == 16)
        #expect(answer["claim", "answered"] as? Int == 16)
    }

    @Test("One that runs still is closed by the hub with its reason, and a longer one replaces it later")
    func unfinished() async throws {
        let part = try DrumsTestApp.played("mila", at: at, beats: 5, isFinished: false)
        let closed = try await app.deliver(part.encoded())
        #expect(closed.status == 201)
        #expect(closed["end"] as? String == "left")
        #expect(closed["isClosedByHub"] as? Bool == true)
        #expect(closed["answered"] as? Int == 5)
        #expect(try await app.deliver(part.encoded()).status == 200)
        let whole = try DrumsTestApp.played("mila", at: at)
        let answer = try await app.deliver(whole.encoded())
        #expect(answer.status == 200)
        #expect(answer["end"] as? String == "finished")
        #expect(answer["answered"] as? Int == 16)
        #expect(answer["isClosedByHub"] as? Bool == false)
        #expect(try await app.count() == 1)
        #expect(try await app.count("drums_session") == 1)
        // And what is shorter changes nothing any more.
        #expect(try await app.deliver(part.encoded())["answered"] as? Int == 16)
    }

    @Test("What ended by itself is not gone on with")
    func ended() async throws {
        let stopped = try DrumsTestApp.played("mila", at: at, beats: 5)
        _ = try await app.deliver(stopped.encoded())
        #expect(try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded()).status == 409)
    }

    @Test("Bytes that are no session are refused in words, each kind in its own, and nothing is stored")
    func noSession() async throws {
        let good = try DrumsTestApp.played("mila", at: at).encoded()
        try await expectRefused([], 422, "no drum session")
        try await expectRefused(Array("hello".utf8), 422, "no drum session")
        try await expectRefused(Array(good.dropLast(7)), 422, "ends in the middle")
        try await expectRefused(good + [0], 422, "ends in the middle")
        try await expectRefused(good + [5, 0, 0, 0, 0], 422, "after the end")
        try await expectRefused([UInt8](repeating: 0, count: DrumSession.Limits.bytes + 1), 413, "more than")
        var newer = good
        newer[3] = 9
        try await expectRefused(newer, 422, "newer page")
        // The bytes of Companions/Drums/Vectors/codec-v1.txt: after the mark and the engine the identifier; at the end the
        // finish, of a kind, a time and eight bytes.
        var nameless = good
        nameless.replaceSubrange(6..<22, with: repeatElement(0, count: 16))
        try await expectRefused(nameless, 422, "no id")
        var strange = good
        strange[good.count - 13] = 99
        try await expectRefused(strange, 422, "does not know")
    }

    @Test(
        "A clock that cannot be right is refused",
        arguments: [(Int64(301_000), "in the future"), (-400_000_000_000, "before 2016")])
    func clock(offset: Int64, words: String) async throws {
        try await expectRefused(try DrumsTestApp.played("mila", at: DrumsTestApp.start + offset).encoded(), 422, words)
    }

    @Test("Somebody of another house, and another adult at a child's profile, are refused")
    func owners() async throws {
        try await expectRefused(try DrumsTestApp.played("jo", at: at).encoded(), 422, "not any more")
        try await app.use("ines", profile: "mila")
        try await expectRefused(try DrumsTestApp.played("tom", at: at).encoded(), 403, "Tom’s")
        #expect(try await app.deliver(try DrumsTestApp.played("theo", at: at).encoded()).status == 201)
        try await expectRefusedToSee()
    }

    private func expectRefusedToSee() async throws {
        let list = try await app.send(.get, "/api/drums/sessions?person=theo")
        #expect(list.status == 403)
        #expect(try await app.send(.get, "/api/drums/sessions").status == 422)
        try await app.use("ines", profile: "ines")
        let seen = try await app.send(.get, "/api/drums/sessions?person=theo")
        #expect((seen["sessions"] as? [Any])?.count == 1)
        #expect(try await app.send(.get, "/api/drums/sessions?person=theo&from=2026-11-22").status == 422)
        #expect(try await app.send(.get, "/api/drums/sessions?person=theo&from=tomorrow").status == 422)
        let days = try await app.send(.get, "/api/drums/days?person=theo")
        #expect(days["days", "0", "day"] as? String == "2026-11-21")
        #expect(days["days", "0", "sessions"] as? Int == 1)
    }

    @Test("A day is the day of the person's own clock, and stays that day when they move")
    func day() async throws {
        let late = try DrumsTestApp.vienna("2026-11-20", 23, 59)
        _ = try await app.deliver(try DrumsTestApp.played("mila", at: late).encoded())
        try await app.hub.database.pool.write { [now = app.now] db in
            try db.execute(
                sql: "UPDATE person SET time_zone = 'Pacific/Auckland', time_zone_since = ? WHERE id = 'theo'",
                arguments: [now])
        }
        _ = try await app.deliver(try DrumsTestApp.played("theo", at: late).encoded())
        let days = try await app.hub.database.pool.read { db in
            try Int32.fetchAll(db, sql: "SELECT DISTINCT day FROM drums_session")
        }
        #expect(days == [CivilDate("2026-11-20")?.day])
    }

    @Test("What a later engine refuses is still listed, with the result that it came to")
    func laterEngine() async throws {
        let id = try #require(
            try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded())["id"] as? String)
        try await app.hub.database.pool.write { db in try db.execute(sql: "UPDATE session SET content = x'5444'") }
        let answer = try await app.send(.get, "/api/drums/sessions/\(id)")
        #expect(answer.status == 200)
        #expect(answer["right"] as? Int == 13)
        #expect(answer["beatList"] == nil)
    }

    @Test(
        "Bytes that were changed at random never bring the hub down, and never store what is none",
        .timeLimit(.minutes(5)))
    func fuzz() async throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let good = try DrumsTestApp.played("mila", at: at, beats: 9).encoded()
        for round in 0..<150 {
            var bytes = good
            for _ in 0..<Int(random.between(1, 5)) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if round % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            let answer = try await app.deliver(bytes)
            #expect([200, 201, 409, 422].contains(answer.status), "seed \(seed), round \(round): \(answer.text)")
            if answer.status == 422 { #expect(!answer.detail.isEmpty) }
        }
    }
}
