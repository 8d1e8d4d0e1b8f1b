import Testing

@testable import DrumsEngine

@Suite("Flow mode: minutes in which nobody hits")
struct SessionIdleTests {
    /// Beats of a second for three minutes, played as far as `now` says.
    private static func session(rests: Range<Int> = 0..<0) throws -> DrumSession {
        var setup = SessionPlayer.setup(beats: 180, mode: .flow, microsecondsPerBeat: 1_000_000)
        for step in rests { setup.chart.steps[step] = false }
        var session = try DrumSession(setup: setup)
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: 0)
        return session
    }

    private static func look(_ session: inout DrumSession, at second: Int64) -> Int64 {
        _ = session.handle(.tick, atMicroseconds: second * 1_000_000)
        return session.view.practisedMilliseconds
    }

    @Test("Half a minute without a hit counts as practised, and no more of it, however it is looked at")
    func nobody() throws {
        var session = try Self.session()
        // The song begins a breath after the start, and lights its first drum 600 ms before it.
        let lit = try #require(
            (0...30).first { second in
                _ = session.handle(.tick, atMicroseconds: Int64(second) * 100_000)
                return session.view.cueStep != nil
            })
        let begin = Int64(lit) * 100
        #expect(Self.look(&session, at: 20) == 20_000)
        #expect(abs(Self.look(&session, at: 100) - (SessionRules.longestIdle + begin)) <= 100)
        _ = session.handle(.stop, atMicroseconds: 120_000_000)
        let once = try DrumSession.decoded(session.encoded())
        #expect(once.result.milliseconds == session.result.milliseconds)
        #expect(session.result.milliseconds <= SessionRules.longestIdle + begin)
    }

    @Test("A hit on any drum goes on with it")
    func anyDrum() throws {
        var session = try Self.session()
        let idle = Self.look(&session, at: 90)
        let drum = try #require(session.view.cueDrum)
        let other = try #require(Drum.allCases.first { $0 != drum })
        _ = session.handle(.strike(other, velocity: 0, link: .screen), atMicroseconds: 90_000_000)
        #expect(Self.look(&session, at: 100) - idle == 10_000)
        _ = session.handle(.pause, atMicroseconds: 100_000_000)
        _ = session.handle(.resume, atMicroseconds: 140_000_000)
        #expect(Self.look(&session, at: 150) - idle == 20_000)
    }

    @Test("A rest of the music counts in full: nothing is lit in it")
    func rests() throws {
        var session = try Self.session(rests: 1..<80)
        var now: Int64 = 0
        while session.view.cueStep == nil {
            now += 10_000
            _ = session.handle(.tick, atMicroseconds: now)
        }
        let drum = try #require(session.view.cueDrum)
        _ = session.handle(.strike(drum, velocity: 0, link: .screen), atMicroseconds: now)
        #expect(Self.look(&session, at: 75) == 75_000)
    }

    @Test("A song that waits is counted as before")
    func waits() throws {
        var setup = SessionPlayer.setup(beats: 180, mode: .wait, microsecondsPerBeat: 1_000_000)
        setup.countInBeats = 8
        var session = try DrumSession(setup: setup)
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: 0)
        #expect(Self.look(&session, at: 200) == 9_000 + SessionRules.longestCountedWait)
    }
}
