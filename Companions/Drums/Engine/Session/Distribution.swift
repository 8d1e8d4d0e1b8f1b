import Signals

/// Quartiles and the mean with their count, in tenths of the unit.
public struct Distribution: Sendable, Equatable {
    /// The number of values.
    public var count: Int
    /// The arithmetic mean.
    public var meanTenths: Int32
    /// The lower quartile.
    public var lowerQuartileTenths: Int32
    /// The median.
    public var medianTenths: Int32
    /// The upper quartile.
    public var upperQuartileTenths: Int32

    /// The fewest values whose quartiles say anything: of fewer, each is a mixture of two values that are not in the middle.
    public static let leastForQuartiles = 4

    /// Whether the quartiles are to be shown: otherwise the median alone is.
    public var hasQuartiles: Bool { count >= Self.leastForQuartiles }

    /// The distribution of values in whole units, such as milliseconds. Nil when there are none.
    public init?(milliseconds values: [Int32]) { self.init(values, tenths: 10, of: 1) }

    /// The distribution of values in hundredths of the unit, such as force. Nil when there are none.
    public init?(hundredths values: [Int32]) { self.init(values, tenths: 1, of: 10) }

    /// The distribution of values in thousandths of the unit, such as microseconds for milliseconds. Nil when there are
    /// none.
    public init?(microseconds values: [Int32]) { self.init(values, tenths: 1, of: 100) }

    /// The quartiles by definition 7 of Hyndman and Fan (“Sample Quantiles in Statistical Packages”, The American
    /// Statistician 50, 1996), the default of R and NumPy, in integers; like the mean, rounded to tenths with halves
    /// away from zero.
    private init?(_ values: [Int32], tenths: Int64, of divisor: Int64) {
        guard !values.isEmpty else { return nil }
        let sorted = radixSorted(values)
        // `place` is in quarters of the way from a value to the next.
        func quartile(_ number: Int) -> Int32 {
            let place = number * (sorted.count - 1)
            let lower = Int64(sorted[place / 4])
            let upper = Int64(sorted[min(place / 4 + 1, sorted.count - 1)])
            let quarters = (lower * 4 + (upper - lower) * Int64(place % 4)) * tenths
            let half = 2 * divisor
            return Int32(clamping: (quarters + (quarters < 0 ? -half : half)) / (4 * divisor))
        }
        count = sorted.count
        lowerQuartileTenths = quartile(1)
        medianTenths = quartile(2)
        upperQuartileTenths = quartile(3)
        let sum = values.reduce(0) { $0 + Int64($1) }
        meanTenths = Int32(clamping: roundedQuotient(sum * tenths, Int64(count) * divisor))
    }
}
