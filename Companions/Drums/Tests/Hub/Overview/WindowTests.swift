import Foundation
import GRDB
import Localization
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("The first screen tells timing windows without playing anything again")
struct WindowTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    /// Songs in flow mode, an hour apart.
    private func flow(_ numbers: Range<UInt8>) throws -> [DrumSession] {
        try numbers.map { number in
            try DrumsTestApp.played(
                "mila", at: DrumsTestApp.start - Int64(number) * 3_600_000,
                setup: DrumsTestApp.setup("mila", id: number, mode: .flow))
        }
    }

    /// Centre, half width and count.
    private func window() async throws -> [Int?] {
        let overview = try await app.send(.get, "/api/drums")
        let place = (overview["people"] as? [[String: Any]])?.firstIndex { $0["id"] as? String == "mila" }
        let path = ["people", "\(place ?? -1)", "windows", "kit", "both"]
        return [
            overview[path[0], path[1], path[2], path[3], path[4], "centre"] as? Int,
            overview[path[0], path[1], path[2], path[3], path[4], "half"] as? Int,
            overview[path[0], path[1], path[2], path[3], path[4], "n"] as? Int,
        ]
    }

    /// What the sessions themselves come to.
    private func learnt(_ sessions: [DrumSession]) -> [Int?] {
        var window = AdaptiveWindow()
        for session in sessions.sorted(by: { $0.result.startedAt < $1.result.startedAt }) {
            window.learn(session.result.beats.compactMap(\.errorMilliseconds))
        }
        return [Int(window.timing.centreMilliseconds), Int(window.timing.halfMilliseconds), window.count]
    }

    @Test("They are those of the sessions, in whichever order these come, and after some are gone")
    func right() async throws {
        let sessions = try flow(1..<6)
        #expect((learnt(sessions)[2] ?? 0) >= AdaptiveWindow.leastCount)
        for place in [3, 0, 4, 1, 2] { _ = try await app.deliver(sessions[place].encoded()) }
        #expect(try await window() == learnt(sessions))
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [sessions[4].origin.id])
        }
        #expect(try await window() == learnt(Array(sessions[..<4])))
        #expect(try await window() != learnt(sessions))
    }

    @Test("No event is looked at")
    func nothingReplayed() async throws {
        let sessions = try flow(1..<4)
        for session in sessions { _ = try await app.deliver(session.encoded()) }
        try await app.hub.database.pool.write { db in try db.execute(sql: "UPDATE session SET content = x'5444'") }
        #expect(try await window() == learnt(sessions))
    }

    @Test("They are worked out from what was read, with the database closed")
    func outside() async throws {
        let sessions = try flow(1..<6)
        for session in sessions { _ = try await app.deliver(session.encoded()) }
        let subject = Subject(try await app.person("mila"), of: app.household, now: app.now)
        let stored = try await app.hub.database.pool.read { db in try StoredOverviewPerson(subject, db) }
        let ines = Member(
            person: try await app.person("ines"), profile: try await app.person("ines"), signIn: "phone")
        try app.hub.database.close()
        let window = OverviewPerson(stored, for: ines, hub: app.hub, in: .english).windows.kit.both
        #expect([window.centre, window.half, window.n] == learnt(sessions))
    }

    @Test("Errors are stored as they were, those of no hit left out", arguments: [Int32(-1_000), -1, 0, 1, 999, 1_000])
    func bytes(error: Int32) {
        let beat = BeatResult(
            step: 0, drum: .blue, verdict: .right, reactionMilliseconds: 400, errorMilliseconds: error,
            forceHundredths: nil, wrong: [], waitedMilliseconds: 0, link: .wifi, side: .right)
        var missed = beat
        missed.errorMilliseconds = nil
        var far = beat
        far.errorMilliseconds = 1_001
        let errors = TimingErrors([missed, beat, far])
        #expect(errors.hits == [TimingErrors.Hit(link: .wifi, side: .right, milliseconds: error)])
        #expect(TimingErrors(bytes: errors.bytes) == errors)
        #expect(TimingErrors(bytes: Data([9, 9, 9, 9, 1])).hits.isEmpty)
    }
}
