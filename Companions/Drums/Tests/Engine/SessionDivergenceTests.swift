import DrumsVectorLines
import TestInstruments
import Testing

@testable import DrumsEngine

@Suite("What a session holds beyond a beginning, and what happened when")
struct SessionDivergenceTests {
    /// A session of any kind, played at random.
    private static func played(_ random: inout SeededGenerator) throws -> DrumSession {
        var session = try DrumSession(setup: SessionPlayer.anySetup(&random))
        var now: Int64 = 0
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: now)
        for _ in 0..<Int.random(in: 1...150, using: &random) {
            now += Int64.random(in: 0...700_000, using: &random)
            _ = session.handle(SessionPlayer.anyInput(session, &random), atMicroseconds: now)
        }
        return try DrumSession.decoded(session.encoded())
    }

    @Test("The parts add up to the whole, wherever it is cut", arguments: UInt64(1)...40)
    func adds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let session = try Self.played(&random)
        let count = Int.random(in: 1...session.events.count, using: &random)
        let beginning = try #require(session.beginning(events: count))
        let judged = session.beatsJudged(by: count)
        let (whole, rest) = (session.result, session.result(after: count))
        #expect(whole.beats == whole.beats.prefix(judged) + rest.beats, "seed \(seed)")
        #expect(beginning.result.answered + rest.answered == whole.answered, "seed \(seed)")
        #expect(beginning.result.judged + rest.judged == whole.judged, "seed \(seed)")
        #expect(beginning.result.right + rest.right == whole.right, "seed \(seed)")
        #expect(beginning.result.stray + rest.stray == whole.stray, "seed \(seed)")
        #expect(abs(beginning.result.milliseconds + rest.milliseconds - whole.milliseconds) <= 1, "seed \(seed)")
        #expect(whole.startedAt == rest.startedAt && whole.endedAt == rest.endedAt, "seed \(seed)")
        #expect(session.result(after: session.events.count).answered == 0, "seed \(seed)")
    }

    @Test(
        "The times of all events are those of each, and so are the beats that were not judged",
        arguments: UInt64(1)...40)
    func times(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let session = try Self.played(&random)
        #expect(session.wallMilliseconds == session.events.indices.map { session.wallMilliseconds(ofEvent: $0) })
        let counts = session.unjudgedCounts
        #expect(counts.count == session.events.count + 1)
        for index in 1..<session.events.count {
            let beginning = try #require(session.beginning(events: index))
            let count = beginning.result.beats.count { $0.verdict == .notJudged }
            #expect(counts[index] == count, "seed \(seed), event \(index)")
        }
    }

    @Test("Two records of one session share their beginning under whichever id")
    func shared() throws {
        var random = SeededGenerator(seed: 7)
        let session = try Self.played(&random)
        let other = try session.identified(as: Array(repeating: 9, count: 16))
        #expect(session.commonBeginning(with: other) == session.events.count)
        var setup = session.setup
        setup.seed &+= 1
        #expect(session.commonBeginning(with: try DrumSession(setup: setup)) == nil)
    }

    @Test("A file's beats, taken in place, are what the same inputs are one by one", arguments: UInt64(1)...40)
    func imported(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var setup = SessionPlayer.setup(beats: 60, link: .imported)
        for step in setup.chart.steps.indices.dropFirst() {
            setup.chart.steps[step] = Int.random(in: 0..<3, using: &random) > 0
        }
        let texts = [
            "0 450 320.00", "1 0 3 1450 -1.00", "noise", "", String(repeating: "0 ", count: 120), "3 20 -1.00",
        ]
        var at: Int64 = 0
        let beats = (0..<Int.random(in: 0...80, using: &random)).map { _ in
            at +=
                Int64.random(in: 0..<10, using: &random) == 0
                ? 1_900_000_000 : Int64.random(in: 0...900_000, using: &random)
            return DrumSession.ImportedBeat(
                step: Int.random(in: 0..<64, using: &random),
                text: Array((texts.randomElement(using: &random) ?? "").utf8), atMicroseconds: at)
        }
        let made = try DrumSession.imported(setup, wall: SessionPlayer.wall, beats: beats)
        var session = try DrumSession(setup: setup)
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: 0)
        for beat in beats {
            _ = session.handle(.imported(step: beat.step, text: beat.text), atMicroseconds: beat.atMicroseconds)
        }
        _ = session.handle(.finish, atMicroseconds: beats.last?.atMicroseconds ?? 0)
        #expect(made.encoded() == session.encoded(), "seed \(seed)")
        #expect(made.result == session.result, "seed \(seed)")
    }
}
