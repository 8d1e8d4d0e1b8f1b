import BrushingEngine
import HubKit

/// Sums of what somebody brushed, a bar for each day, week, month or year.
struct Statistics: Codable, Sendable {
    enum Span: String, Codable, Sendable, CaseIterable {
        case day, week, month, year

        /// The number of bars that are shown; nil for all that there are.
        var count: Int? {
            switch self {
            case .day: 14
            case .week: 12
            case .month: 12
            case .year: nil
            }
        }
    }

    struct Bar: Codable, Sendable, Equatable {
        /// The bar's first day.
        var start: String
        /// Sessions that count.
        var sessions = 0
        /// The time spent brushing, flossing and rinsing, in whole seconds.
        var seconds: Int64 = 0
        /// Days on which the goal was reached, of those on which it stood: from the first session on, up to today, and
        /// without the frozen ones.
        var completeDays = 0
        var days = 0
        /// The habit at its end, or now; nil before the first session.
        var habitPercent: Int?
    }

    var by: Span
    /// The earliest first.
    var bars: [Bar]

    /// Sums a history up in bars.
    ///
    /// - Parameter until: a day of the last bar; days to come have none.
    init(_ history: SessionHistory, by span: Span, until: Int32) {
        by = span
        guard let first = history.days?.lowerBound else {
            bars = []
            return
        }
        let ranges = Self.ranges(by: span, until: until, today: history.today, first: first)
        var habits: [Int32: Int] = [:]
        _ = history.fold(days: ranges.map { min($0.upperBound, history.today) }) { day, progress in
            if day >= first { habits[day] = progress.habitPercent }
        }
        let frozen = Set(history.frozen)
        bars = ranges.map { range in
            var bar = Bar(start: "\(CivilDate(day: range.lowerBound))")
            var milliseconds: Int64 = 0
            var counting: [Int32: Int] = [:]
            for entry in history.entries where range.contains(entry.day) {
                milliseconds += entry.milliseconds
                if entry.counts { counting[entry.day, default: 0] += 1 }
            }
            bar.sessions = counting.values.reduce(0, +)
            bar.seconds = BrushingSessionResponse.seconds(milliseconds)
            let last = min(range.upperBound, history.today)
            for day in max(range.lowerBound, first)..<max(last + 1, range.lowerBound, first)
            where !frozen.contains(day) {
                bar.days += 1
                if counting[day, default: 0] >= history.perDay { bar.completeDays += 1 }
            }
            bar.habitPercent = habits[last]
            return bar
        }
    }

    /// The first day whose sessions are summed by themselves; of years, those since the newest state.
    static func firstDay(by span: Span, until: Int32, today: Int32) -> Int32 {
        guard span.count != nil else { return .max }
        return ranges(by: span, until: until, today: today, first: .max).first?.lowerBound ?? .min
    }

    /// The days of each bar, the earliest first.
    ///
    /// - Parameter first: the day of the first session.
    static func ranges(by span: Span, until: Int32, today: Int32, first: Int32) -> [ClosedRange<Int32>] {
        var ranges: [ClosedRange<Int32>] = []
        var range = days(span, around: min(max(until, 0), today))
        while span.count.map({ ranges.count < $0 }) ?? (ranges.isEmpty || range.upperBound >= first) {
            ranges.insert(range, at: 0)
            range = days(span, around: range.lowerBound - 1)
        }
        return ranges
    }

    /// The days of the bar in which a day lies: weeks begin on Monday.
    static func days(_ span: Span, around day: Int32) -> ClosedRange<Int32> {
        let date = CivilDate(day: day)
        switch span {
        case .day: return day...day
        case .week:
            let monday = day - Int32(date.weekday - 1)
            return monday...(monday + 6)
        case .month: return MonthHistory.days(around: day)
        case .year:
            // Both are dates of every year that CivilDate has.
            let first = CivilDate(year: date.year, month: 1, dayOfMonth: 1)?.day ?? day
            let last = CivilDate(year: date.year, month: 12, dayOfMonth: 31)?.day ?? day
            return first...last
        }
    }
}
