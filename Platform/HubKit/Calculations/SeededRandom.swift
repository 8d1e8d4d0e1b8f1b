/// A generator of random numbers that are the same for a seed on every machine and in every version of Swift
/// (SplitMix64, by G. Steele, D. Lea and C. Flood).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator for a seed and a purpose. Each pair has its own numbers, so drawing more of one changes no
    /// other.
    ///
    /// - Parameters:
    ///   - seed: the seed.
    ///   - stream: the number of the purpose.
    public init(seed: UInt64, stream: UInt64 = 0) {
        // Mixed first: neighbouring seeds would otherwise give the same numbers, one place apart.
        state = Self.mix(Self.mix(seed) &+ stream)
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number between 0 and 1 (exclusive), evenly distributed.
    public mutating func unit() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    /// A number between two bounds, evenly distributed.
    public mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * unit()
    }

    /// A number from about the normal distribution: mean 0, standard deviation 1, never beyond 6 (the sum of twelve
    /// evenly distributed ones).
    public mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += unit() }
        return sum
    }

    /// True once in `every` calls on average.
    public mutating func once(every: Double) -> Bool {
        unit() * every < 1
    }
}
