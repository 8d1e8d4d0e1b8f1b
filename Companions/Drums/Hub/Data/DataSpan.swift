import Localization

/// The span of a person's practice that is looked at.
enum DataSpan: String, Codable, Sendable, CaseIterable {
    case week, month, year

    /// The number of weeks, from a Monday on.
    var weeks: Int32 {
        switch self {
        case .week: 1
        case .month: 4
        case .year: 52
        }
    }

    /// The days of the span: whole weeks, the last of them that in which a day lies.
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

    /// The words about the span, such as `the last four weeks`.
    func words(isNow: Bool) -> LocalizedText {
        switch self {
        case .week: isNow ? LocalizedText("this week") : LocalizedText("that week")
        case .month: isNow ? LocalizedText("the last four weeks") : LocalizedText("those four weeks")
        case .year: isNow ? LocalizedText("the last 52 weeks") : LocalizedText("those 52 weeks")
        }
    }
}

/// The earlier stretch that the charts of a span lie over.
enum DataComparison: String, Codable, Sendable, CaseIterable {
    /// The one just before it.
    case before
    /// The same one a year ago.
    case year

    /// The days of the earlier stretch, which is as long as the span, and earlier by whole weeks, so that Monday lies
    /// over Monday.
    func days(_ days: ClosedRange<Int32>, of span: DataSpan) -> ClosedRange<Int32> {
        let shift =
            switch self {
            case .before: span.weeks * 7
            case .year: DataSpan.year.weeks * 7
            }
        return (days.lowerBound - shift)...(days.upperBound - shift)
    }
}
