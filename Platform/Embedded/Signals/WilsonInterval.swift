/// The 95 % confidence interval of a share, when `successes` of `count` were counted.
///
/// Unlike the interval in schoolbooks it stays between 0 and 100 %, and it is useful for few trials and for shares
/// close to either end: for 24 out of 24 it says 86 % to 100 %.
///
/// Source: Wilson, “Probable Inference, the Law of Succession, and Statistical Inference”, Journal of the American
/// Statistical Association 22 (1927), without the correction for continuity; recommended by Brown, Cai and DasGupta,
/// “Interval Estimation for a Binomial Proportion”, Statistical Science 16 (2001).
public struct WilsonInterval: Sendable, Equatable {
    /// The most trials: up to here the calculation is exact in 64 bits.
    public static let mostTrials = 1_000_000

    /// The share itself, in thousandths, rounded.
    public var share: Int32
    /// The lower end of the interval, in thousandths, rounded.
    public var lower: Int32
    /// The upper end of the interval, in thousandths, rounded.
    public var upper: Int32

    /// Computes the interval; nil for no trials, more than ``mostTrials``, or successes outside of `0...count`.
    public init?(_ successes: Int, of count: Int) {
        guard (1...Self.mostTrials).contains(count), (0...count).contains(successes) else { return nil }
        let (k, n) = (Int64(successes), Int64(count))
        // In millionths: z squared, and z times the square root of z squared + 4 k (n - k) / n.
        let square = zSquared + 4 * k * (n - k) * 1_000_000 / n
        let root = Int64(integerSquareRoot(UInt64(zSquared * square)))
        let middle = 2 * k * 1_000_000 + zSquared
        let divisor = 2 * (n * 1_000_000 + zSquared)
        share = Int32(roundedQuotient(k * 1_000, n))
        lower = k == 0 ? 0 : Int32(roundedQuotient((middle - root) * 1_000, divisor))
        upper = k == n ? 1_000 : Int32(roundedQuotient((middle + root) * 1_000, divisor))
    }
}

/// The square of the normal distribution's 97.5 % point, 1.959964, in millionths.
let zSquared: Int64 = 3_841_459
