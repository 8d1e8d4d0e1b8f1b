/// How much of somebody's practice is looked at.
enum DataSpan: String, Codable, Sendable, CaseIterable {
    case week, month, year

    /// From a Monday on.
    var weeks: Int32 {
        switch self {
        case .week: 1
        case .month: 4
        case .year: 52
        }
    }

    /// Whole weeks, the last of them that in which a day lies.
    func days(until day: Int32) -> ClosedRange<Int32> {
        let week = PracticeWeek.week(around: day)
        return (week.lowerBound - (weeks - 1) * 7)...week.upperBound
    }

    /// A point of the reaction times, and of what changes more slowly or takes more beats to tell.
    var fine: DayBins.Length { self == .year ? .week : .day }
    var coarse: DayBins.Length {
        switch self {
        case .week: .day
        case .month: .week
        case .year: .fourWeeks
        }
    }

    /// `the last four weeks`
    func words(isNow: Bool) -> String {
        switch self {
        case .week: isNow ? "this week" : "that week"
        case .month: isNow ? "the last four weeks" : "those four weeks"
        case .year: isNow ? "the last 52 weeks" : "those 52 weeks"
        }
    }
}
