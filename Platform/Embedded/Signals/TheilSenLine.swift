/// The straight line through points over time, with the 95 % confidence interval of its slope.
///
/// The slope is the median of the slopes between every two points, so that a third of the days may be out of the
/// ordinary (an illness, a new kit) and it still says what the others do. Sources: Theil, “A rank-invariant method of
/// linear and polynomial regression analysis”, Indagationes Mathematicae 12 (1950); the interval from the distribution
/// of Kendall's S, with ties: Sen, “Estimates of the Regression Coefficient Based on Kendall's Tau”, Journal of the
/// American Statistical Association 63 (1968). The numbers are those of SciPy's `theilslopes`, its joint intercept too.
public struct TheilSenLine: Sendable, Equatable {
    /// A point, such as a day and the value on it.
    public struct Point: Sendable, Equatable {
        /// The position, such as a day.
        public let x: Int32
        /// The value.
        public let y: Int32

        /// Creates a point; coordinates beyond the limits are moved to them.
        ///
        /// - Parameters:
        ///   - x: the position, within ±100,000; days since 1970 are, up to the year 2243.
        ///   - y: the value, within ±10 millions.
        public init(x: Int32, y: Int32) {
            self.x = min(max(x, -100_000), 100_000)
            self.y = min(max(y, -10_000_000), 10_000_000)
        }
    }

    /// The fewest points. With fewer, the interval would be the range of all slopes.
    public static let leastCount = 5
    /// The most points, a year of days and some more: there are n (n - 1) / 2 slopes between them.
    public static let mostCount = 400

    /// The slope, in millionths of y for each step of x.
    public var slope: Int64
    /// The lower end of the slope's interval, in millionths.
    public var lowerSlope: Int64
    /// The upper end of the slope's interval, in millionths.
    public var upperSlope: Int64
    /// The intercept, in millionths: the median of what remains of each y without the slope.
    public var intercept: Int64
    /// The median of x, where the line is known best.
    public var middle: Int32
    /// The half-width of the line's 95 % interval there, in y.
    public var margin: Int32

    /// Whether the slope's interval contains zero, so that there may be no trend at all.
    public var holdsNought: Bool { lowerSlope <= 0 && upperSlope >= 0 }

    /// Fits a line; nil for fewer points than ``leastCount`` or more than ``mostCount``, and if all have the same x.
    public init?(_ points: [Point]) {
        guard (Self.leastCount...Self.mostCount).contains(points.count) else { return nil }
        var slopes: [Int64] = []
        slopes.reserveCapacity(points.count * (points.count - 1) / 2)
        for (place, one) in points.enumerated() {
            for other in points[(place + 1)...] where other.x != one.x {
                let (dx, dy) = (Int64(other.x) - Int64(one.x), Int64(other.y) - Int64(one.y))
                // Finer than what is shown, for the mean of two to be exact.
                slopes.append(roundedQuotient((dx < 0 ? -dy : dy) * 100_000_000, abs(dx)))
            }
        }
        guard !slopes.isEmpty else { return nil }
        let count = slopes.count
        let slope = roundedQuotient(
            Self.mean(selected((count - 1) / 2, of: &slopes), selected(count / 2, of: &slopes)), 100)
        self.slope = slope
        let spread = Self.spread(points)
        // Both places from nought.
        let low = max(Int((Int64(count) * 100_000 - spread + 100_000) / 200_000) - 1, 0)
        let high = min(Int((Int64(count) * 100_000 + spread + 100_000) / 200_000), count - 1)
        lowerSlope = roundedQuotient(selected(min(low, count - 1), of: &slopes), 100)
        upperSlope = roundedQuotient(selected(high, of: &slopes), 100)
        var left = points.map { Int64($0.y) * 1_000_000 - slope * Int64($0.x) }
        left.sort()
        let intercept = Self.mean(left[(left.count - 1) / 2], left[left.count / 2])
        self.intercept = intercept
        var days = points.map { Int64($0.x) }
        days.sort()
        middle = Int32(clamping: days[days.count / 2])
        let error = MedianError(left.map { Int32(clamping: roundedQuotient($0 - intercept, 1_000_000)) })
        margin = Int32(clamping: roundedQuotient(error?.marginTenths ?? 0, 10))
    }

    /// The line's value at a position.
    public func value(at x: Int32) -> Int32 {
        Int32(clamping: roundedQuotient(intercept + slope * min(max(Int64(x), -100_000), 100_000), 1_000_000))
    }

    /// The band around the line at a position, for drawing: the uncertainty of the height in the middle and of the
    /// slope beyond it, combined as the sides of a right angle.
    public func band(at x: Int32) -> (lower: Int32, upper: Int32) {
        let distance = min(max(Int64(x), -100_000), 100_000) - Int64(middle)
        func reach(_ slope: Int64) -> Int64 {
            // Neither is longer than 32 bits, so that their squares fit into 64.
            let away = UInt64(
                clamping: min(roundedQuotient(abs(slope - self.slope) * abs(distance), 1_000_000), 1 << 31))
            let height = UInt64(margin.magnitude)
            return Int64(clamping: integerSquareRoot(away * away + height * height))
        }
        let value = Int64(value(at: x))
        let isAfter = distance >= 0
        return (
            Int32(clamping: value - reach(isAfter ? lowerSlope : upperSlope)),
            Int32(clamping: value + reach(isAfter ? upperSlope : lowerSlope))
        )
    }

    private static func mean(_ low: Int64, _ high: Int64) -> Int64 { low + roundedQuotient(high - low, 2) }

    /// 1.959964 standard deviations of Kendall's S under no trend, in parts of 100,000.
    private static func spread(_ points: [Point]) -> Int64 {
        func term(_ count: Int) -> Int64 {
            let n = Int64(count)
            return n * (n - 1) * (2 * n + 5)
        }
        func ties(_ values: [Int32]) -> Int64 {
            var sorted = values
            sorted.sort()
            var sum: Int64 = 0
            var run = 0
            for (place, value) in sorted.enumerated() {
                run = place > 0 && sorted[place - 1] == value ? run + 1 : 1
                // The run ends here.
                if place + 1 == sorted.count || sorted[place + 1] != value { sum += term(run) }
            }
            return sum
        }
        let variance = term(points.count) - ties(points.map { $0.x }) - ties(points.map { $0.y })
        return Int64(integerSquareRoot(UInt64(clamping: variance) * UInt64(zSquared) / 18 * 10_000))
    }
}
