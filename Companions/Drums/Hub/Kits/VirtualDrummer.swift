import DrumsEngine
import Foundation
import HubKit

/// The traits of somebody who plays.
struct DrummerTraits: Sendable, Equatable {
    /// The median of the reactions, milliseconds, when rested and on the better side.
    var medianReaction = 650.0
    /// The standard deviation of the reaction's logarithm: 0.25 is about a quarter either way. 0 is a machine.
    var spread = 0.25
    /// The share of the strikes that go to another drum, 0 to 1.
    var wrongShare = 0.08
    /// The side of the hemiplegia.
    var slowerSide: Side?
    /// The amount by which that side is slower, as a share of the reaction.
    var slower = 0.3
    /// The growth of the reaction in ten minutes of playing, as a share.
    var tiring = 0.15
}

/// A person at the kit: sees a light, and strikes.
///
/// Reactions are log-normal, as people's are: never negative, with a long tail to the slow side. One in a hundred is a
/// lapse, when something else in the room was more interesting. Pure, and the same for a seed.
struct VirtualDrummer: Sendable {
    /// A strike that is about to happen.
    struct Strike: Equatable, Sendable {
        /// The time of the strike, milliseconds of the kit's life.
        var at: Int64
        var drum: Drum
        /// The largest acceleration, thousandths of g.
        var thousandths: Int32
    }

    let traits: DrummerTraits
    private var random: SeededRandom
    /// The time that there has been playing, milliseconds; rests take from it.
    private var played = 0.0
    private var lastSight: Int64?

    /// The fastest reaction of a person to a light, milliseconds.
    static let fastest = 150.0
    private static let lapse = 100.0

    init(_ traits: DrummerTraits, seed: UInt64) {
        self.traits = traits
        random = SeededRandom(seed: seed, stream: 1)
    }

    /// A drum lights up: what will be struck, wrong ones first.
    mutating func sees(_ drum: Drum, at now: Int64) -> [Strike] {
        tire(now)
        var strikes: [Strike] = []
        var at = Double(now) + reaction(drum)
        // After a wrong drum there is a correction, which may be wrong again; three wrong ones are enough.
        while strikes.count < 3, random.unit() < traits.wrongShare {
            let others = Drum.allCases.filter { $0 != drum }
            let wrong = others[Int(random.next() % UInt64(others.count))]
            strikes.append(Strike(at: Int64(at), drum: wrong, thousandths: force(wrong)))
            at += max(220, reaction(drum) * 0.6)
        }
        strikes.append(Strike(at: Int64(at), drum: drum, thousandths: force(drum)))
        return strikes
    }

    private mutating func reaction(_ drum: Drum) -> Double {
        var time = traits.medianReaction * exp(traits.spread * random.normal())
        if drum.side == traits.slowerSide { time *= 1 + traits.slower }
        time *= 1 + weariness
        if traits.spread > 0, random.once(every: Self.lapse) { time += random.between(800, 2_500) }
        // Who is set to be faster than people are is a test's machine.
        return max(time, min(Self.fastest, traits.medianReaction))
    }

    private mutating func force(_ drum: Drum) -> Int32 {
        var force = 3_000 * exp(min(traits.spread, 0.4) * random.normal()) * (1 - weariness / 2)
        if drum.side == traits.slowerSide { force *= 0.7 }
        return Int32(min(max(force, 300), 15_000))
    }

    private var weariness: Double { min(traits.tiring * played / 600_000, 1) }

    /// Tires the player. Gaps of up to ten seconds count as playing, and in a longer one, or between songs, one
    /// recovers.
    private mutating func tire(_ now: Int64) {
        if let lastSight {
            let gap = Double(now - lastSight)
            played = gap <= 10_000 ? played + gap : max(0, played - gap)
        }
        lastSight = now
    }
}
