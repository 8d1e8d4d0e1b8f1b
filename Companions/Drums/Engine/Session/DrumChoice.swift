/// The random choice of the drum of each beat, from the active drums; the same for a seed wherever it is played.
///
/// The generator is PCG32 (XSH RR 64/32; Melissa O'Neill, “PCG: A Family of Simple Fast Space-Efficient Statistically
/// Good Algorithms for Random Number Generation”, 2014), with the stream of its reference demonstration.
public struct DrumChoice: Sendable {
    private static let multiplier: UInt64 = 6_364_136_223_846_793_005
    private static let increment: UInt64 = 54 << 1 | 1

    private var state: UInt64

    /// The sequence of a seed.
    public init(seed: UInt32) {
        state = (Self.increment &+ UInt64(seed)) &* Self.multiplier &+ Self.increment
    }

    /// The next number.
    package mutating func next() -> UInt32 {
        let old = state
        state = old &* Self.multiplier &+ Self.increment
        let shifted = UInt32(truncatingIfNeeded: ((old >> 18) ^ old) >> 27)
        let rotation = UInt32(truncatingIfNeeded: old >> 59)
        return (shifted >> rotation) | (shifted << ((0 &- rotation) & 31))
    }

    /// The drums of a number of beats.
    public static func drums(of drums: DrumSet, seed: UInt32, count: Int) -> [Drum] {
        var choice = DrumChoice(seed: seed)
        var chosen: [Drum] = []
        chosen.reserveCapacity(count)
        for _ in 0..<count {
            // The product's upper half: each place is as likely as the others, to one part in a thousand million.
            let place = (UInt64(choice.next()) * UInt64(drums.count)) >> 32
            chosen.append(drums[Int(place)] ?? .red)
        }
        return chosen
    }
}
