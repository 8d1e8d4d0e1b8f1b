import Signals

/// By how many percent somebody became quicker or slower: along the line through the medians of their days, from the
/// first of these days to the last.
///
/// A sentence is believed where a chart is looked at, so more has to carry it than a line in a chart (ADR 14): at least
/// ``leastDays`` days, ``leastSpan`` days apart and more, a change of ``leastPercent`` at least, and an interval that
/// leaves out that there was none. Each day counts once, however much was played on it.
public struct ReactionChange: Sendable, Equatable {
    /// Days with a median, at least.
    public static let leastDays = 8
    /// Days from the first to the last, at least.
    public static let leastSpan: Int32 = 21
    /// And at most: what is longer ago is another story.
    public static let mostSpan: Int32 = 400
    /// A smaller change is told by nobody.
    public static let leastPercent: Int32 = 5

    /// Of the reaction time at the first day, rounded; less than nought is quicker.
    public let percent: Int32
    /// The ends of the 95 % interval, likewise.
    public let lowerPercent, upperPercent: Int32
    /// How many days have a median.
    public let days: Int

    /// - Parameter points: a day, and the median of its reactions in tenths of a millisecond; the earliest first.
    /// - Returns: nil where the days do not carry a sentence.
    public init?(_ points: [PracticeTrend.Point]) {
        guard points.count >= Self.leastDays, let first = points.first?.x, let last = points.last?.x,
            (Self.leastSpan...Self.mostSpan).contains(last - first), let trend = PracticeTrend(points),
            !trend.holdsNought
        else { return nil }
        let start = Int64(trend.value(at: first))
        guard start > 0 else { return nil }
        func percent(_ slope: Int64) -> Int32 {
            Int32(clamping: roundedQuotient(slope * Int64(last - first) * 100, start * 1_000_000))
        }
        self.percent = percent(trend.slope)
        (lowerPercent, upperPercent) = (percent(trend.lowerSlope), percent(trend.upperSlope))
        days = points.count
        guard abs(self.percent) >= Self.leastPercent else { return nil }
    }
}
