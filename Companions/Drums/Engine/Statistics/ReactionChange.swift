import Signals

/// The change of somebody's reaction time in percent: along the line through the medians of their days, from the first
/// of these days to the last.
///
/// A sentence is believed where a chart is looked at, so more has to carry it than a line in a chart (ADR 14): at least
/// ``leastDays`` days, ``leastSpan`` days apart and more, a change of ``leastPercent`` at least, and an interval that
/// leaves out that there was none. Each day counts once, however much was played on it.
public struct ReactionChange: Sendable, Equatable {
    /// The least number of days with a median.
    public static let leastDays = 8
    /// The least number of days from the first to the last.
    public static let leastSpan: Int32 = 21
    /// The most days from the first to the last.
    public static let mostSpan: Int32 = 400
    /// The least change in percent that is told.
    public static let leastPercent: Int32 = 5

    /// The change in percent of the reaction time at the first day, rounded; negative is quicker.
    public let percent: Int32
    /// The ends of the 95 % interval, in percent likewise.
    public let lowerPercent, upperPercent: Int32
    /// The number of days with a median.
    public let days: Int

    /// The change by a series of medians.
    ///
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
