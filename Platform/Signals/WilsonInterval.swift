/// Between which shares the true one lies, when `successes` of `count` were counted: the interval that holds it 95 times
/// in a hundred.
///
/// Unlike the interval that schoolbooks have it stays between 0 and 100 %, and it says something useful of few trials
/// and of shares close to either end: of 24 out of 24 it says 86 % to 100 %.
///
/// Source: Wilson, “Probable Inference, the Law of Succession, and Statistical Inference”, Journal of the American
/// Statistical Association 22 (1927), without the correction for continuity; recommended by Brown, Cai and DasGupta,
/// “Interval Estimation for a Binomial Proportion”, Statistical Science 16 (2001).
public struct WilsonInterval: Sendable, Equatable {
    /// The most trials: what follows is exact in 64 bits up to there.
    public static let mostTrials = 1_000_000

    /// The share itself, in thousandths, rounded.
    public var share: Int32
    /// The interval's ends, in thousandths, rounded.
    public var lower: Int32
    public var upper: Int32

    /// - Returns: nil for no trials, more than ``mostTrials``, and successes that are not among them.
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
