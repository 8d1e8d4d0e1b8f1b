/// The straight line through points over time, and between which slopes the true one lies 95 times in a hundred.
///
/// Its slope is the median of the slopes between every two points, so that a third of the days may be out of the ordinary
/// (an illness, a new kit) and it still says what the others do. Sources: Theil, “A rank-invariant method of linear and
/// polynomial regression analysis”, Indagationes Mathematicae 12 (1950); the interval from the distribution of Kendall's
/// S, with ties: Sen, “Estimates of the Regression Coefficient Based on Kendall's Tau”, Journal of the American Statistical
/// Association 63 (1968). The numbers are those of SciPy's `theilslopes`, its joint intercept too.
public struct TheilSenLine: Sendable, Equatable {
    /// A point: a day, and what was found on it.
    public struct Point: Sendable, Equatable {
        public let x: Int32
        public let y: Int32

        /// - Parameters:
        ///   - x: within 100,000 of nought; days since 1970 are, up to the year 2243.
        ///   - y: within 10 millions of nought. What lies beyond is moved there.
        public init(x: Int32, y: Int32) {
            self.x = min(max(x, -100_000), 100_000)
            self.y = min(max(y, -10_000_000), 10_000_000)
        }
    }

    /// Below it the interval is all slopes that there are between two points.
    public static let leastCount = 5
    /// The most points, a year of days and some: there are n (n - 1) / 2 slopes between them.
    public static let mostCount = 400

    /// In millionths of y a step of x.
    public var slope: Int64
    /// The interval's ends, likewise.
    public var lowerSlope: Int64
    public var upperSlope: Int64
    /// The median of what is left of each y without the slope, in millionths.
    public var intercept: Int64
    /// Where the line is known best: the median of x.
    public var middle: Int32
    /// How far the line's 95 % interval reaches to either side there, in y.
    public var margin: Int32

    /// Whether no slope at all would fit these points too.
    public var holdsNought: Bool { lowerSlope <= 0 && upperSlope >= 0 }

    /// - Returns: nil for fewer points than ``leastCount`` or more than ``mostCount``, and where all have the same x.
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

    /// Where the line is, in y.
    public func value(at x: Int32) -> Int32 {
        Int32(clamping: roundedQuotient(intercept + slope * min(max(Int64(x), -100_000), 100_000), 1_000_000))
    }

    /// Between which values the line lies, for a drawing: what is not known of its height in the middle and of its slope
    /// beyond, as the sides of a right angle.
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
