import Foundation
import GRDB
import HTTPTypes
import HubServer
import Storage
import TestInstruments
import Testing

@testable import BrushingEngine
@testable import BrushingHub
@testable import HubKit

@Suite("A session is delivered")
struct DeliveryTests {
    private let app: BrushingTestApp
    private let at = BrushingTestApp.start - 3_600_000

    init() async throws { app = try await BrushingTestApp() }

    private func stored() async throws -> Int { try await app.count() }

    @Test("It is stored, and answered with the hub's own result on the person's local day")
    func whole() async throws {
        let session = try BrushingTestApp.recorded("mila", at: at)
        let answer = try await app.deliver(session.encoded())
        #expect(answer.status == 201)
        #expect(answer["person"] as? String == "mila")
        #expect(answer["day"] as? String == "2026-11-21")
        #expect(answer["slot"] as? String == "morning")
        #expect(answer["minute"] as? Int == 13 * 60)
        #expect(answer["startedAt"] as? Int64 == at)
        #expect(answer["endedAt"] as? Int64 == at + 210_000)
        #expect(answer["brushSeconds"] as? Int == 120)
        #expect(answer["flossSeconds"] as? Int == 60)
        #expect(answer["rinseSeconds"] as? Int == 30)
        #expect(answer["counts"] as? Bool == true)
        #expect(answer["isComplete"] as? Bool == true)
        #expect(answer["reason"] as? String == "finished")
        #expect(answer["award"] as? String == "first")
        #expect(answer["engineVersion"] as? Int == Int(BrushingSession.engineVersion))
        #expect(answer["claim"] == nil)
        let id = try #require(answer["id"] as? String)
        #expect(id == session.id.map { String(format: "%02x", $0) }.joined())
        let record = try #require(
            try await app.hub.database.pool.read { db in try Sessions.find(id, household: "linden", db) })
        #expect(Array(record.content) == session.encoded())
        #expect(record.companion == "brushing")
        #expect(!record.claimDiffers)
    }

    @Test("One that was stopped early is stored too, and does not count")
    func short() async throws {
        let answer = try await app.deliver(try BrushingTestApp.recorded("mila", at: at, seconds: 40).encoded())
        #expect(answer.status == 201)
        #expect(answer["counts"] as? Bool == false)
        #expect(answer["brushSeconds"] as? Int == 40)
        #expect(answer["reason"] as? String == "stopped")
        #expect(answer["award"] == nil)
    }

    @Test(
        "Delivered five times at once, with keys of their own or none, it is stored once, and all get the same session")
    func parallel() async throws {
        let bytes = try BrushingTestApp.recorded("mila", at: at).encoded()
        let app = app
        let answers = try await withThrowingTaskGroup(of: BrushingTestApp.Answer.self) { group in
            for key in [nil, nil, "a", "b", "b"] {
                group.addTask { try await app.deliver(bytes, key: key) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let sessions = try answers.map { answer in
            try #require(JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? NSDictionary)
        }
        #expect(Set(sessions).count == 1)
        // One is the first; what comes with its key gets the same answer.
        #expect(Set(answers.map(\.status)).isSubset(of: [200, 201]))
        #expect((1...2).contains(answers.count { $0.status == 201 }))
        #expect(try await stored() == 1)
        #expect(try await app.count("brushing_session") == 1)
        #expect(try await app.count("brushing_award") == 1)
    }

    @Test("Pages are told once, of whom it is")
    func told() async throws {
        let ines = try await app.person("ines")
        let (_, frames) = app.hub.live.listen(
            Member(person: ines, profile: ines, signIn: "s"), resume: nil, now: app.now)
        let bytes = try BrushingTestApp.recorded("mila", at: at).encoded()
        for _ in 0..<3 { _ = try await app.deliver(bytes) }
        app.hub.live.publish(.device("the last"), household: "linden")
        var texts: [String] = []
        for await frame in frames {
            if case .text(let text) = frame { texts.append(text) }
            if texts.last?.contains("the last") == true { break }
        }
        let told = texts.filter { $0.contains("changed") }
        #expect(told.count == 1)
        for part in ["\"companion\":\"brushing\"", "\"what\":\"session\"", "\"item\":\"mila\""] {
            #expect(told.first?.contains(part) == true)
        }
    }

    @Test("It silences today's reminder; one that comes days later, or was too short, does not")
    func settled() async throws {
        try await app.hub.database.pool.write { [hub = app.hub] db in
            var record = try hub.reminders.setDaily(
                companion: "brushing", name: "morning", person: "mila", isOn: true, minute: 420, db)
            record.isVisible = true
            try record.update(db)
        }
        func isVisible() async throws -> Bool? {
            try await app.hub.database.pool.read { db in
                try BrushingReminder.morning.record(of: "mila", db)?.isVisible
            }
        }
        _ = try await app.deliver(try BrushingTestApp.recorded("mila", at: at - BrushingTestApp.day).encoded())
        #expect(try await isVisible() == true)
        _ = try await app.deliver(try BrushingTestApp.recorded("mila", at: at, seconds: 10).encoded())
        #expect(try await isVisible() == true)
        _ = try await app.deliver(try BrushingTestApp.recorded("mila", at: at + 600_000).encoded())
        #expect(try await isVisible() == false)
    }

    @Test("A reminder that cannot be silenced costs no session")
    func unsettled() async throws {
        try await app.hub.database.pool.write { [hub = app.hub] db in
            var record = try hub.reminders.setDaily(
                companion: "brushing", name: "morning", person: "mila", isOn: true, minute: 420, db)
            record.isVisible = true
            try record.update(db)
            try db.execute(
                sql: "CREATE TRIGGER refuse BEFORE UPDATE ON reminder BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        let answer = try await app.deliver(try BrushingTestApp.recorded("mila", at: at).encoded())
        #expect(answer.status == 201, "\(answer.text)")
        #expect(
            try await app.hub.database.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM brushing_session WHERE person = 'mila'")
            } == 1)
    }

    @Test("A result that the page claims and the hub does not find is stored, flagged and shown; the hub's stands")
    func claim() async throws {
        var session = try BrushingTestApp.recorded("mila", at: at, seconds: 40).encoded()
        session = changed(session) { bytes in
            // The claim is the last thing: brush, floss, rinse, and two bits.
            let place = bytes.count - 13
            bytes.replaceSubrange(place..<place + 4, with: [0xC0, 0xD4, 0x01, 0x00])  // 120,000 ms
            bytes[bytes.count - 1] = 3
        }
        let answer = try await app.deliver(session)
        #expect(answer.status == 201)
        #expect(answer["brushSeconds"] as? Int == 40)
        #expect(answer["counts"] as? Bool == false)
        #expect(answer["claim", "brushSeconds"] as? Int == 120)
        #expect(answer["claim", "counts"] as? Bool == true)
        let flagged = try await app.hub.database.pool.read { db in
            try Bool.fetchOne(db, sql: "SELECT claim_differs FROM session")
        }
        #expect(flagged == true)
        let shown = try await app.send(.get, "/api/brushing/sessions/\(try #require(answer["id"] as? String))")
        #expect(shown["claim", "brushSeconds"] as? Int == 120)
    }

    @Test("A session from an older engine keeps that engine's version")
    func version() async throws {
        let bytes = changed(try BrushingTestApp.recorded("mila", at: at).encoded()) { $0[4] = 0x2A }
        #expect(try await app.deliver(bytes)["engineVersion"] as? Int == 42)
    }

    @Test("A session can be looked at with each repetition of its steps")
    func steps() async throws {
        let answer = try await app.deliver(try BrushingTestApp.recorded("mila", at: at, seconds: 40).encoded())
        let id = try #require(answer["id"] as? String)
        let shown = try await app.send(.get, "/api/brushing/sessions/\(id)", as: "tom")
        #expect(shown["id"] as? String == id)
        let steps = try #require(shown["steps"] as? [[String: Any]])
        #expect(steps.map { $0["kind"] as? String } == ["brush", "brush", "brush", "brush", "floss", "rinse"])
        #expect(steps.map { $0["doneSeconds"] as? Int } == [30, 10, 0, 0, 0, 0])
        #expect(steps.map { $0["plannedSeconds"] as? Int } == [30, 30, 30, 30, 60, 30])
        #expect(try await app.send(.get, "/api/brushing/sessions/\(id.reversed())").status == 404)
        #expect(try await app.send(.get, "/api/brushing/sessions/\(id)", as: nil).status == 401)
    }

    // MARK: Bad input

    /// Where the first event of a session of Mila's with the original's routine begins.
    private let events = 4 + 2 + 16 + 1 + 4 + 2 + 1 + 15

    /// Refused with these words, and nothing is stored.
    private func expectRefused(
        _ bytes: [UInt8], _ status: Int, _ words: String, as account: String = "ines",
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await app.deliver(bytes, as: account)
        #expect(answer.status == status, sourceLocation: location)
        #expect(answer["field"] as? String == "events", sourceLocation: location)
        #expect(answer.detail.contains(words), "\(answer.detail)", sourceLocation: location)
        #expect(answer.headers[.contentType] == "application/problem+json", sourceLocation: location)
        #expect(try await stored() == 0, sourceLocation: location)
    }

    @Test("Events out of order are refused, and the one that is meant is named")
    func outOfOrder() async throws {
        let bytes = changed(try BrushingTestApp.recorded("mila", at: at).encoded()) { bytes in
            // The monotonic time of the second event: a moment before the first.
            bytes.replaceSubrange(events + 17 + 9..<events + 17 + 17, with: [1, 0, 0, 0, 0, 0, 0, 0])
        }
        try await expectRefused(bytes, 422, "Event 2 of this session comes before the one in front of it")
    }

    @Test(
        "A session from the future is refused, and taken when its time has come", arguments: [6 * 60_000, 86_400_000])
    func future(ahead: Int64) async throws {
        let bytes = try BrushingTestApp.recorded("mila", at: app.now + ahead).encoded()
        try await expectRefused(bytes, 422, "lies in the future")
        app.advance(milliseconds: ahead)
        #expect(try await app.deliver(bytes).status == 201)
    }

    @Test("A clock that is a few minutes ahead is no reason")
    func ahead() async throws {
        #expect(
            try await app.deliver(try BrushingTestApp.recorded("mila", at: app.now + 299_000).encoded()).status == 201
        )
    }

    @Test(
        "A time before there was brushing is refused, and so are the least and the greatest",
        arguments: [
            (1_451_606_399_999, "before 2016"), (0, "before 2016"), (.min, "before 2016"), (.max, "in the future"),
        ]
            as [(Int64, String)])
    func extremes(time: Int64, words: String) async throws {
        let bytes = changed(try BrushingTestApp.recorded("mila", at: at).encoded()) { bytes in
            for event in 0..<3 {
                for index in 0..<8 {
                    bytes[events + 17 * event + 1 + index] = UInt8(truncatingIfNeeded: time >> Int64(8 * index))
                }
            }
        }
        try await expectRefused(bytes, 422, words)
    }

    @Test("Brushed at another adult's phone, it is stored although that one has taken the phone back")
    func anotherPersons() async throws {
        // Tom brushed at Ines's phone while the hub was away; then Ines used it again.
        let answer = try await app.deliver(try BrushingTestApp.recorded("tom", at: at).encoded())
        #expect(answer.status == 201)
        #expect(answer["person"] as? String == "tom")
    }

    @Test("Another adult's session is refused at a child's profile, and taken when an adult uses the page again")
    func childsProfile() async throws {
        let bytes = try BrushingTestApp.recorded("tom", at: at).encoded()
        try await app.use("ines", profile: "mila")
        try await expectRefused(bytes, 403, "This session is Tom’s. It can be delivered when an adult")
        try await app.use("ines", profile: "ines")
        #expect(try await app.deliver(bytes).status == 201)
    }

    @Test("However late it is delivered, it is on the day that it was where it was brushed")
    func moved() async throws {
        // 22:00 in Tokyo is 14:00 in Vienna; 1:00 in Tokyo is 17:00.
        let evening = try BrushingTestApp.vienna("2026-11-20", 14)
        let night = try BrushingTestApp.vienna("2026-11-20", 17)
        func tell(_ zone: String) async throws {
            let answer = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\(zone)}")
            #expect(answer.status == 200, "\(answer.text)")
        }
        func recorded(_ time: Int64) throws -> [UInt8] {
            try BrushingTestApp.recorded("mila", at: time, utcOffsetMinutes: 540).encoded()
        }
        app.advance(milliseconds: -2 * BrushingTestApp.day)
        try await tell("\"Asia/Tokyo\"")
        app.advance(milliseconds: 2 * BrushingTestApp.day)
        let atOnce = try await app.deliver(try recorded(evening))
        #expect(atOnce["day"] as? String == "2026-11-20")
        #expect(atOnce["minute"] as? Int == 22 * 60)
        try await tell("null")
        let late = try await app.deliver(try recorded(evening + 600_000))
        #expect(late["day"] as? String == "2026-11-20")
        #expect(late["minute"] as? Int == 22 * 60 + 10)
        #expect(late["slot"] as? String == "evening")
        let latest = try await app.deliver(try recorded(night))
        #expect(latest["day"] as? String == "2026-11-20")
        #expect(latest["minute"] as? Int == 60)
        #expect(latest["slot"] as? String == "evening")
        // From then on it is the person's own clock that counts, whatever the device's shows.
        app.advance(milliseconds: 3_600_000)
        let here = try await app.deliver(try recorded(app.now - 60_000))
        #expect(here["day"] as? String == "2026-11-21")
        #expect(here["minute"] as? Int == 14 * 60 + 59)
    }

    @Test("A zone that is set to what it was changes nothing")
    func sameZone() async throws {
        for _ in 0..<2 {
            _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\"Asia/Tokyo\"}")
            app.advance(milliseconds: 3_600_000)
        }
        #expect(try await app.person("mila").timeZoneSince == BrushingTestApp.start)
        let at = app.now - 60_000
        let answer = try await app.deliver(try BrushingTestApp.recorded("mila", at: at).encoded())
        #expect(answer["minute"] as? Int == 23 * 60 + 59)
    }

    @Test("A day takes a hundred sessions of one person and no more; what is there is answered again")
    func hundred() async throws {
        func session(_ number: Int, _ person: String = "mila") throws -> [UInt8] {
            try BrushingTestApp.recorded(person, at: at + Int64(number) * 1_000, seconds: 1).encoded()
        }
        for number in 0..<100 { #expect(try await app.deliver(try session(number)).status == 201) }
        let answer = try await app.deliver(try session(100))
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "events")
        #expect(answer.detail.contains("100 sessions on that day"))
        #expect(try await stored() == 100)
        #expect(try await app.deliver(try session(99)).status == 200)
        #expect(try await app.deliver(try session(100, "theo")).status == 201)
        #expect(
            try await app.deliver(try BrushingTestApp.recorded("mila", at: at - BrushingTestApp.day).encoded()).status
                == 201)
    }

    @Test("Steps that a later engine refuses are left out, and the result is shown all the same")
    func laterEngine() async throws {
        let answer = try await app.deliver(try BrushingTestApp.recorded("mila", at: at, seconds: 40).encoded())
        let id = try #require(answer["id"] as? String)
        try await app.hub.database.pool.write { db in try db.execute(sql: "UPDATE session SET content = x'00'") }
        let shown = try await app.send(.get, "/api/brushing/sessions/\(id)")
        #expect(shown.status == 200)
        #expect(shown["brushSeconds"] as? Int == 40)
        #expect(shown["steps"] == nil)
    }

    @Test(
        "A child's phone delivers for the children and for the adult whose sign-in it has; the family's device for all",
        arguments: [
            ("mila", false, ["ines", "mila", "theo"]), ("mila", true, ["ines", "tom", "mila", "theo"]),
            ("ines", false, ["ines", "tom", "mila", "theo"]),
        ])
    func profiles(profile: String, isShared: Bool, allowed: [String]) async throws {
        try await app.use("ines", profile: profile, isShared: isShared)
        for person in ["ines", "tom", "mila", "theo"] {
            let answer = try await app.deliver(try BrushingTestApp.recorded(person, at: at).encoded())
            #expect(answer.status == (allowed.contains(person) ? 201 : 403), "\(person)")
        }
    }

    @Test("Nobody delivers without a sign-in")
    func anonymous() async throws {
        #expect(try await app.deliver(try BrushingTestApp.recorded("mila", at: at).encoded(), as: nil).status == 401)
        #expect(try await stored() == 0)
    }

    @Test("Durations that are negative are refused, in the routine and in the claim")
    func negative() async throws {
        let bytes = try BrushingTestApp.recorded("mila", at: at).encoded()
        // The seconds of the first step: -30.
        let step = changed(bytes) { $0.replaceSubrange(32..<34, with: [0xE2, 0xFF]) }
        try await expectRefused(step, 422, "less than none")
        let claim = changed(bytes) { $0[$0.count - 10] = 0x80 }
        try await expectRefused(claim, 422, "less than none")
    }

    /// A session of so many events.
    private func session(events count: Int) throws -> [UInt8] {
        changed(try BrushingTestApp.recorded("mila", at: at).encoded()) { bytes in
            let event = Array(bytes[events + 17..<events + 34])
            // There are three: start, tick, finish.
            let more = (3..<count).flatMap { _ in event }
            bytes.insert(contentsOf: more, at: events + 17)
        }
    }

    @Test("A thousand events are a session, and one more is none")
    func mostEvents() async throws {
        try await expectRefused(try session(events: 1_001), 422, "more than 1,000 events")
        #expect(try await app.deliver(try session(events: 1_000)).status == 201)
    }

    @Test("Ten thousand events are refused before they are read")
    func tooMany() async throws {
        try await expectRefused(try session(events: 10_000), 413, "1,000 events")
        try await expectRefused(
            [UInt8](repeating: 0, count: BrushingSession.Limits.bytes), 422, "no brushing session")
        try await expectRefused([UInt8](repeating: 0, count: BrushingSession.Limits.bytes + 1), 413, "1,000 events")
    }

    @Test("An id that comes with other content is refused with 409, and what is stored stays")
    func reused() async throws {
        let first = try BrushingTestApp.recorded("mila", at: at).encoded()
        #expect(try await app.deliver(first).status == 201)
        let other = changed(first) { $0[events + 17 + 1] ^= 1 }
        let answer = try await app.deliver(other)
        #expect(answer.status == 409)
        #expect(answer.detail.contains("id of its own"))
        #expect(try await stored() == 1)
        #expect(try await app.deliver(first).status == 200)
    }

    /// Wherever they are cut, the engine finds it: `SessionFuzzTests`, and the vectors of the codec.
    @Test("Bytes that end within an event, or go on behind the end, are refused in words")
    func damaged() async throws {
        let bytes = try BrushingTestApp.recorded("mila", at: at).encoded()
        try await expectRefused(Array(bytes.dropLast(20)), 422, "ends in the middle")
        try await expectRefused(bytes + [1, 2, 3], 422, "ends in the middle")
    }

    @Test("What is no session at all is refused", arguments: ["", "{}", "TBR", "TBR\u{0}"])
    func nothing(text: String) async throws {
        try await expectRefused(Array(text.utf8), 422, "no brushing session")
    }

    @Test("A session of a newer codec is refused with the advice to update")
    func newer() async throws {
        let bytes = changed(try BrushingTestApp.recorded("mila", at: at).encoded()) { $0[3] = 2 }
        try await expectRefused(bytes, 422, "Update the hub")
    }

    @Test("An event of a kind that is not known, one before the start and one after the end are refused")
    func kinds() async throws {
        let bytes = try BrushingTestApp.recorded("mila", at: at).encoded()
        try await expectRefused(changed(bytes) { $0[events + 17] = 99 }, 422, "Event 2 of this session is of a kind")
        try await expectRefused(changed(bytes) { $0[events] = 1 }, 422, "no beginning")
        let stopped = changed(bytes) { $0[events + 17] = 4 }
        let after = changed(stopped) {
            $0.insert(contentsOf: $0[events + 17..<events + 34], at: events + 34)
        }
        try await expectRefused(after, 422, "after the end")
    }

    @Test("Somebody who is not of the household, or has moved out, is unknown")
    func unknown() async throws {
        try await expectRefused(try BrushingTestApp.recorded("nobody", at: at).encoded(), 422, "not in this household")
        let bytes = try BrushingTestApp.recorded("mila", at: at).encoded()
        #expect(try await app.deliver(bytes).status == 201)
        try await app.services.accounts.remove(person: "mila", household: "linden")
        #expect(try await stored() == 0, "their sessions go with them")
        try await expectRefused(bytes, 422, "not any more")
    }

    @Test("A refusal leaves no idempotency record: the same key succeeds when its cause is gone")
    func receipts() async throws {
        let bytes = try BrushingTestApp.recorded("mila", at: app.now + 3_600_000).encoded()
        #expect(try await app.deliver(bytes, key: "k").status == 422)
        app.advance(milliseconds: 3_600_000)
        #expect(try await app.deliver(bytes, key: "k").status == 201)
        #expect(try await app.deliver(bytes, key: "k").status == 201)
        #expect(try await app.deliver(bytes).status == 200)
    }
}
