import HubInstruments
import HubKit
import Testing

@testable import DrumsHub

@Suite("What Today says of drumming")
struct TodayTests {
    @Test("Each song of the day is told with its end, the earliest first")
    func songs() async throws {
        let house = try await DrumsHouse()
        let nothing = try await house.send(.get, "/api/drums")
        #expect(nothing["people", "0", "today", "lastAt"] == nil)
        var ends: [Int64] = []
        for (number, minutesAgo) in [(1, 30), (2, 10)] as [(UInt8, Int64)] {
            let session = try DrumsHouse.played(
                "mila", at: house.now - minutesAgo * 60_000, setup: DrumsHouse.setup("mila", id: number))
            #expect(try await house.deliver(session.encoded()).status == 201)
            ends.append(session.result.endedAt)
        }
        let desk = try await house.send(.get, "/api/drums")
        let mila = try #require((0..<4).first { desk["people", "\($0)", "id"] as? String == "mila" })
        #expect(desk["people", "\(mila)", "today", "lastAt"] as? Int == Int(ends[1]))
        let played = (0..<2).map { desk["people", "\(mila)", "today", "played", "\($0)", "at"] as? Int }
        #expect(played == ends.map { Int($0) })
        #expect(desk["people", "\(mila)", "today", "played", "0", "title"] as? String == "Ode to Joy")
    }
}
