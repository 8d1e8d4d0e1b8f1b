/// The difference between the medians of two samples, with its 95 % confidence interval.
///
/// Reaction times are skewed, with a few that are very long: medians say what is usual, and their difference is not
/// moved by one drum that nobody looked at. The standard error of each median is that of McKean and Schrader (“A
/// Comparison of Methods for Studentizing the Sample Median”, Communications in Statistics: Simulation and Computation
/// 13, 1984), as Wilcox has it (“Introduction to Robust Estimation and Hypothesis Testing”, 4th edition, section
/// 3.3.4): the distance of two order statistics, those that bound a 99 % interval of the median, divided by the width
/// of such an interval in standard errors. The samples count as independent, so the squares of the errors are added. It
/// needs no model of the values' distribution; it is too narrow where most of the values are equal.
public struct MedianDifference: Sendable, Equatable {
    /// The fewest values of a sample. With fewer, the order statistics are the extremes, and an interval says nothing.
    public static let leastCount = 5
    /// The most values of a sample.
    public static let mostCount = 1_000_000

    /// The second sample's median minus the first's, in tenths of the unit.
    public var tenths: Int32
    /// The half-width of the interval, in tenths of the unit.
    public var marginTenths: Int32

    /// The lower end of the interval, in tenths of the unit.
    public var lowerTenths: Int32 { tenths - marginTenths }
    /// The upper end of the interval, in tenths of the unit.
    public var upperTenths: Int32 { tenths + marginTenths }

    /// Whether the interval contains zero, so that the samples may not differ at all.
    public var holdsNought: Bool { lowerTenths <= 0 && upperTenths >= 0 }

    /// Compares two samples; nil if one has fewer than ``leastCount`` values or more than ``mostCount``.
    ///
    /// - Parameters:
    ///   - first: the first sample, in whole units and any order.
    ///   - second: the second sample, likewise.
    public init?(from first: [Int32], to second: [Int32]) {
        guard let one = MedianError(first), let other = MedianError(second) else { return nil }
        let squares = one.width * one.width + other.width * other.width
        let root = Int64(integerSquareRoot(UInt64(squares) * 1_000_000))
        tenths = Int32(clamping: other.medianTenths - one.medianTenths)
        marginTenths = Int32(clamping: roundedQuotient(root * MedianError.tenthsOfMargin, MedianError.scale * 1_000))
    }
}

/// A median, with the width from which its 95 % interval is computed.
struct MedianError {
    var medianTenths: Int64
    /// The distance of the two order statistics.
    var width: Int64

    /// The normal distribution's 97.5 % point, divided by twice its 99.5 % point, 2.575829, which is 0.3804529: ten
    /// times that, in parts of `scale`.
    static let tenthsOfMargin: Int64 = 3_804_529
    static let scale: Int64 = 1_000_000
    /// The greatest distance that is counted, so that the squares fit into 64 bits.
    static let widest: Int64 = 1_000_000

    init?(_ values: [Int32]) {
        guard (MedianDifference.leastCount...MedianDifference.mostCount).contains(values.count) else { return nil }
        let sorted = radixSorted(values)
        let count = Int64(sorted.count)
        medianTenths = (Int64(sorted[(sorted.count - 1) / 2]) + Int64(sorted[sorted.count / 2])) * 5
        // The rank, from 1, of the lower one: (n + 1) / 2 less 2.575829 times the square root of n / 4, rounded.
        let root = Int64(integerSquareRoot(UInt64(count) * 1_000_000_000_000))
        let reach = root * 2_575_829 / 1_000_000
        let rank = max((count * 1_000_000 + 2_000_000 - reach) / 2_000_000, 1)
        width = min(Int64(sorted[Int(count - rank)]) - Int64(sorted[Int(rank - 1)]), Self.widest)
    }

    /// The half-width of the median's 95 % interval, in tenths.
    var marginTenths: Int64 { roundedQuotient(width * Self.tenthsOfMargin, Self.scale) }
}
