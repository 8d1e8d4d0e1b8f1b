import TestInstruments
import Testing

@testable import DrumsEngine

@Suite("Tempo by tapping")
struct TapTempoTests {
    private static func taps(_ milliseconds: [Int64], latency: Int64 = 0) -> TapTempo {
        var taps = TapTempo(latencyMicroseconds: latency)
        for tap in milliseconds { taps.tap(atMicroseconds: tap * 1_000) }
        return taps
    }

    private static let even = (0..<12).map { Int64($0) * 500 + 5_300 }

    @Test("Even taps are their own tempo, and the offset is less than a bar")
    func evenTaps() throws {
        let answer = try Self.taps(Self.even).answer(beatsPerBar: 4)
        #expect(answer.microsecondsPerBeat == 500_000)
        #expect(answer.offsetMilliseconds == 1_300)
        #expect(answer.spreadMilliseconds == 0)
    }

    @Test("A tap that was left out is made good, and one slip moves nothing")
    func slips() throws {
        var taps = Self.even
        taps.remove(at: 5)
        taps[8] += 70
        let answer = try Self.taps(taps).answer(beatsPerBar: 4)
        #expect(answer.microsecondsPerBeat == 500_000)
        #expect(answer.offsetMilliseconds == 1_300)
    }

    @Test("Latency is taken off")
    func latency() throws {
        #expect(try Self.taps(Self.even, latency: 120_000).answer(beatsPerBar: 4).offsetMilliseconds == 1_180)
    }

    @Test("Tapping like a person finds the tempo to one percent", arguments: UInt64(1)...20)
    func person(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let taps = (0..<16).map { Int64($0) * 631 + 4_000 + Int64.random(in: -30...30, using: &random) }
        let answer = try Self.taps(taps).answer(beatsPerBar: 3)
        #expect((Int64(answer.microsecondsPerBeat) - 631_000).magnitude < 6_310, "seed \(seed)")
    }

    @Test("Too few, uneven, too slow and too fast are told apart")
    func faults() {
        #expect(throws: TapTempo.Failure.tooFew) { try Self.taps(Array(Self.even.prefix(7))).answer(beatsPerBar: 4) }
        #expect(throws: TapTempo.Failure.outOfRange) {
            try Self.taps((0..<9).map { $0 * 2_500 }).answer(beatsPerBar: 4)
        }
        #expect(throws: TapTempo.Failure.outOfRange) { try Self.taps((0..<9).map { $0 * 150 }).answer(beatsPerBar: 4) }
        let uneven = [0, 500, 800, 1_500, 2_200, 2_500, 3_300, 3_500, 4_300, 4_450, 5_100].map { Int64($0) }
        #expect(throws: TapTempo.Failure.uneven) { try Self.taps(uneven).answer(beatsPerBar: 4) }
    }

    @Test("Going back in the recording begins anew")
    func back() {
        var taps = Self.taps(Self.even)
        taps.tap(atMicroseconds: 1_000_000)
        #expect(taps.count == 1)
    }
}
