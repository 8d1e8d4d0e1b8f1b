import GRDB
import HubKit
import Storage

/// What was practised in a week, or in some days of it, against what was planned.
struct PracticeWeek: Codable, Sendable, Equatable {
    /// Its first and its last day.
    var start, end: String
    /// `2–8 Nov`
    var label: String
    /// Practised.
    var milliseconds: Int64
    /// The same, rounded.
    var minutes: Int
    /// Nil where nothing was planned.
    var plannedMinutes: Int?
    var sessions: Int
    /// On which something was practised.
    var days: Int
    /// Whether it is not over.
    var isUnfinished: Bool
    /// `62 of 90 min`
    var words: String

    /// - Parameters:
    ///   - days: of the week.
    ///   - practised: milliseconds of each session of those days, with its day.
    init(_ days: ClosedRange<Int32>, practised: [(day: Int32, milliseconds: Int64)], plans: PracticePlans, today: Int32)
    {
        let played = practised.filter { days.contains($0.day) }
        start = "\(CivilDate(day: days.lowerBound))"
        end = "\(CivilDate(day: days.upperBound))"
        label = DayText.range(days)
        milliseconds = played.reduce(0) { $0 + $1.milliseconds }
        let minutes = Self.minutes(milliseconds)
        self.minutes = minutes
        plannedMinutes = plans.minutes(days)
        sessions = played.count
        self.days = Set(played.map(\.day)).count
        isUnfinished = days.upperBound >= today
        words = plannedMinutes.map { "\(minutes) of \($0) min" } ?? "\(minutes) min"
    }

    /// Whole minutes, to the nearest.
    static func minutes(_ milliseconds: Int64) -> Int { Int((milliseconds + 30_000) / 60_000) }

    /// `Mila practised 62 of 90 minutes this week`
    func headline(_ name: String) -> String {
        guard milliseconds > 0 else { return "\(name) has not practised this week yet" }
        guard let plannedMinutes else {
            return minutes == 0
                ? "\(name) practised less than a minute this week"
                : "\(name) practised \(Self.counted(minutes)) this week"
        }
        if minutes >= plannedMinutes {
            return "\(name) practised \(Self.counted(minutes)) this week; \(plannedMinutes) were planned"
        }
        return "\(name) practised \(minutes) of \(plannedMinutes) minutes this week"
    }

    /// Minutes of the plan that are left; nil where nothing was planned.
    var leftMinutes: Int? { plannedMinutes.map { max(0, $0 - minutes) } }

    /// `28 min left, until Sunday`
    var leftWords: String? {
        leftMinutes.map { $0 == 0 ? "Done for this week" : "\($0) min left, until Sunday" }
    }

    static func counted(_ minutes: Int) -> String { minutes == 1 ? "one minute" : "\(minutes) minutes" }

    /// The week, from Monday to Sunday, in which a day lies.
    static func week(around day: Int32) -> ClosedRange<Int32> {
        let monday = day - Int32(CivilDate(day: day).weekday - 1)
        return monday...(monday + 6)
    }
}

/// Days in few words, for charts and tables.
enum DayText {
    /// `26 Oct`
    static func short(_ day: Int32) -> String {
        let date = CivilDate(day: day)
        return "\(date.dayOfMonth) \(date.monthName.prefix(3))"
    }

    /// `2–8 Nov`, `26 Oct–1 Nov`; a single day as it is.
    static func range(_ days: ClosedRange<Int32>) -> String {
        let (first, last) = (CivilDate(day: days.lowerBound), CivilDate(day: days.upperBound))
        if first == last { return short(first.day) }
        return first.month == last.month && first.year == last.year
            ? "\(first.dayOfMonth)–\(short(last.day))" : "\(short(first.day))–\(short(last.day))"
    }

    /// `26 October to 21 November 2026`; years where they differ.
    static func long(_ days: ClosedRange<Int32>) -> String {
        let (first, last) = (CivilDate(day: days.lowerBound), CivilDate(day: days.upperBound))
        let end = "\(last.dayOfMonth) \(last.monthName) \(last.year)"
        if first == last { return end }
        let begin = "\(first.dayOfMonth) \(first.monthName)"
        return "\(first.year == last.year ? begin : "\(begin) \(first.year)") to \(end)"
    }

    /// `6 to 9 November`
    static func span(_ days: ClosedRange<Int32>) -> String {
        let (first, last) = (CivilDate(day: days.lowerBound), CivilDate(day: days.upperBound))
        let end = "\(last.dayOfMonth) \(last.monthName)"
        if first == last { return end }
        return first.month == last.month
            ? "\(first.dayOfMonth) to \(end)" : "\(first.dayOfMonth) \(first.monthName) to \(end)"
    }
}
