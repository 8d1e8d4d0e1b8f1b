import HubInstruments
import HubKit
import Testing

@testable import DrumsHub

@Suite("What Today says of drumming")
struct TodayTests {
    @Test("Each song of the day is told with its end, the earliest first")
    func songs() async throws {
        let app = try await DrumsTestApp()
        let nothing = try await app.send(.get, "/api/drums")
        #expect(nothing["people", "0", "today", "lastAt"] == nil)
        var ends: [Int64] = []
        for (number, minutesAgo) in [(1, 30), (2, 10)] as [(UInt8, Int64)] {
            let session = try DrumsTestApp.played(
                "mila", at: app.now - minutesAgo * 60_000, setup: DrumsTestApp.setup("mila", id: number))
            #expect(try await app.deliver(session.encoded()).status == 201)
            ends.append(session.result.endedAt)
        }
        let overview = try await app.send(.get, "/api/drums")
        let mila = try #require((0..<4).first { overview["people", "\($0)", "id"] as? String == "mila" })
        #expect(overview["people", "\(mila)", "today", "lastAt"] as? Int == Int(ends[1]))
        let played = (0..<2).map { overview["people", "\(mila)", "today", "played", "\($0)", "at"] as? Int }
        #expect(played == ends.map { Int($0) })
        #expect(overview["people", "\(mila)", "today", "played", "0", "title"] as? String == "Ode to Joy")
    }

    @Test("Whether somebody has ever played is told to who may decide about them, and to nobody else")
    func played() async throws {
        let app = try await DrumsTestApp()
        func hasPlayed(_ id: String) async throws -> Bool? {
            let people = try #require(try await app.send(.get, "/api/drums")["people"] as? [[String: Any]])
            return people.first { $0["id"] as? String == id }?["hasPlayed"] as? Bool
        }
        #expect(try await hasPlayed("mila") == false)
        let session = try DrumsTestApp.played("mila", at: app.now - 90 * 86_400_000)
        #expect(try await app.deliver(session.encoded()).status == 201)
        #expect(try await hasPlayed("mila") == true)
        #expect(try await hasPlayed("theo") == false)
        try await app.use("ines", profile: "theo")
        #expect(try await hasPlayed("mila") == nil)
    }
}
