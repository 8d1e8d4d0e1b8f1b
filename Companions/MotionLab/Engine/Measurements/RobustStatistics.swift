import Signals

/// The median, quartiles and spread of a series of values, which a few outliers change little.
public struct RobustStatistics: Sendable, Equatable {
    /// The number of values.
    public var count: Int
    /// The median.
    public var median: Double
    /// The lower quartile: a quarter of the values lie below it.
    public var lowerQuartile: Double
    /// The upper quartile: a quarter of the values lie above it.
    public var upperQuartile: Double
    /// The median of the distances from the median, times 1.4826: the standard deviation, where the values scatter as
    /// noise does (Hampel, “The Influence Curve and its Role in Robust Estimation”, Journal of the American Statistical
    /// Association 69, 1974).
    public var spread: Double

    /// The statistics of values.
    ///
    /// - Parameter values: those that are not numbers are left out.
    /// - Returns: nil where there are none.
    public init?(_ values: [Double]) {
        let numbers = values.filter { $0.isFinite }
        guard let (lower, middle, upper) = quartiles(numbers) else { return nil }
        count = numbers.count
        median = middle
        lowerQuartile = lower
        upperQuartile = upper
        spread = 1.4826 * (Signals.median(numbers.map { ($0 - middle).magnitude }) ?? 0)
    }

    /// Half of the interval that holds the true median 95 times in a hundred, for values that scatter as noise does.
    public var margin: Double { 1.96 * 1.2533 * spread / Double(count).squareRoot() }
}

/// The straight line with the least squares.
public struct LeastSquaresLine: Sendable, Equatable {
    /// The slope.
    public var slope: Double
    /// The intercept.
    public var intercept: Double
    /// The standard error of the slope.
    public var slopeError: Double

    /// The line through points.
    ///
    /// - Parameters: as many of each, at least 3.
    /// - Returns: nil for fewer, and where all x are the same.
    public init?(x: [Double], y: [Double]) {
        guard x.count == y.count, x.count >= 3 else { return nil }
        let count = Double(x.count)
        let meanX = x.reduce(0, +) / count
        let meanY = y.reduce(0, +) / count
        var (xx, xy) = (0.0, 0.0)
        for place in x.indices {
            xx += (x[place] - meanX) * (x[place] - meanX)
            xy += (x[place] - meanX) * (y[place] - meanY)
        }
        guard xx > 0, xy.isFinite else { return nil }
        slope = xy / xx
        intercept = meanY - slope * meanX
        var rest = 0.0
        for place in x.indices {
            let miss = y[place] - intercept - slope * x[place]
            rest += miss * miss
        }
        slopeError = (rest / (count - 2) / xx).squareRoot()
    }
}
