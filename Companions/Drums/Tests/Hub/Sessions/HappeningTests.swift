import Testing

@testable import DrumsEngine
@testable import DrumsHub

@Suite("What happened in a session")
struct HappeningTests {
    /// A song in which something happens over and over, as full as a session can be.
    private static func full(_ inputs: [SessionInput]) throws -> DrumSession {
        var session = try DrumSession(setup: DrumsTestApp.setup("mila", mode: .flow))
        _ = session.handle(.start(wall: DrumsTestApp.start), atMicroseconds: 0)
        var place = 0
        while session.events.count < 5_400, session.end == nil {
            _ = session.handle(inputs[place % inputs.count], atMicroseconds: Int64(place) * 1_000)
            place += 1
        }
        // Each of them was stored.
        #expect(session.events.count == place + 1)
        return session
    }

    @Test(
        "A session full of pauses, or of links that come and go, is told at once, each with its time",
        .timeLimit(.minutes(5)))
    func full() throws {
        let pauses = try Self.full([.pause, .resume])
        let lost = try Self.full([.linkLost, .linkBack(.screen, latencyTenths: 0)])
        // So often that a minute is not enough for whoever looks at all events for each of them.
        for _ in 0..<20 {
            let happened = SessionHappening.all(of: pauses, receivedAt: 1)
            #expect(happened.count == 2_700 + 1)
            #expect(happened[1_000].at == pauses.wallMilliseconds(ofEvent: 2_001))
            #expect(happened[1_000].milliseconds == 1)
            #expect(SessionHappening.all(of: lost, receivedAt: 1).count == 2_700 + 1)
        }
    }
}
