import DrumsEngine
import Testing

@testable import DrumsHub

@Suite("A virtual person at the kit")
struct VirtualDrummerTests {
    private func reactions(
        _ traits: DrummerTraits, _ drum: Drum, count: Int = 2_000, gap: Int64 = 20_000, seed: UInt64 = 7
    )
        -> [Double]
    {
        var drummer = VirtualDrummer(traits, seed: seed)
        return (0..<count).map { turn in
            // Long gaps, so that nobody tires.
            let now = Int64(turn) * gap
            return Double((drummer.sees(drum, at: now).last?.at ?? now) - now)
        }.sorted()
    }

    private var steady: DrummerTraits {
        var traits = DrummerTraits()
        traits.wrongShare = 0
        traits.tiring = 0
        return traits
    }

    @Test(
        "Half of the reactions are faster than the median, and they are skewed to the slow side",
        arguments: [400, 650, 1_200])
    func distribution(median: Double) throws {
        var traits = steady
        traits.medianReaction = median
        let times = reactions(traits, .blue)
        let middle = times[times.count / 2]
        #expect((middle - median).magnitude < median * 0.03)
        // Log-normal with 0.25: a sixth is beyond a factor of e to the 0.25 on either side.
        #expect((times[times.count * 841 / 1_000] / middle - 1.284).magnitude < 0.08)
        #expect((middle / times[times.count * 159 / 1_000] - 1.284).magnitude < 0.08)
        #expect(times.allSatisfy { $0 >= VirtualDrummer.fastest })
    }

    @Test("The slower side is slower by its share, and the other is not", arguments: [Side.left, .right])
    func slowerSide(side: Side) {
        var traits = steady
        traits.slowerSide = side
        traits.slower = 0.5
        for drum in Drum.allCases {
            let times = reactions(traits, drum)
            let expected = traits.medianReaction * (drum.side == side ? 1.5 : 1)
            #expect((times[times.count / 2] - expected).magnitude < expected * 0.04, "\(drum)")
        }
    }

    @Test("So many strikes go wrong first, never to the drum that is lit, and the last one is right")
    func wrongStrikes() {
        var traits = steady
        traits.wrongShare = 0.2
        var drummer = VirtualDrummer(traits, seed: 3)
        var withWrong = 0
        for turn in 0..<5_000 {
            let strikes = drummer.sees(.yellow, at: Int64(turn) * 20_000)
            #expect(strikes.last?.drum == .yellow)
            #expect(strikes.dropLast().allSatisfy { $0.drum != .yellow })
            #expect(strikes.count <= 4)
            #expect(zip(strikes, strikes.dropFirst()).allSatisfy { $1.at - $0.at >= 200 })
            if strikes.count > 1 { withWrong += 1 }
        }
        #expect((900...1_100).contains(withWrong))
    }

    @Test("Ten minutes of playing slow the reactions by their share; a rest takes it back")
    func tires() {
        var traits = steady
        traits.spread = 0
        traits.tiring = 0.4
        var drummer = VirtualDrummer(traits, seed: 1)
        var now: Int64 = 0
        func reaction() -> Double { Double((drummer.sees(.blue, at: now).last?.at ?? 0) - now) }
        let rested = reaction()
        for _ in 0..<600 {
            now += 1_000
            _ = drummer.sees(.blue, at: now)
        }
        #expect((reaction() / rested - 1.4).magnitude < 0.01)
        now += 3_600_000
        #expect(reaction() == rested)
    }

    @Test("The same seed is the same person, another one is not")
    func seeded() {
        #expect(reactions(DrummerTraits(), .red, count: 100) == reactions(DrummerTraits(), .red, count: 100))
        #expect(reactions(DrummerTraits(), .red, count: 100) != reactions(DrummerTraits(), .red, count: 100, seed: 8))
    }
}
