import GRDB
import HubKit
import Localization
import Storage

/// The practice of a week, or of some days of it, against what was planned.
struct PracticeWeek: Codable, Sendable, Equatable {
    /// The first and the last day.
    var start, end: String
    /// The days in words, such as `2–8 Nov`.
    var label: String
    /// The time that was practised.
    var milliseconds: Int64
    /// The same time, rounded to minutes.
    var minutes: Int
    /// The minutes that were planned; nil where nothing was planned.
    var plannedMinutes: Int?
    var sessions: Int
    /// The number of days on which something was practised.
    var days: Int
    /// Whether it is not over.
    var isUnfinished: Bool
    /// The practice in words, such as `62 of 90 min`.
    var words: String

    /// Sums up the practice of a week.
    ///
    /// - Parameters:
    ///   - days: of the week.
    ///   - practised: milliseconds of each session of those days, with its day.
    init(
        _ days: ClosedRange<Int32>, practised: [(day: Int32, milliseconds: Int64)], plans: PracticePlans, today: Int32,
        in localized: Localizer
    ) {
        let played = practised.filter { days.contains($0.day) }
        start = "\(CivilDate(day: days.lowerBound))"
        end = "\(CivilDate(day: days.upperBound))"
        label = localized.days(days)
        milliseconds = played.reduce(0) { $0 + $1.milliseconds }
        let minutes = Self.minutes(milliseconds)
        self.minutes = minutes
        plannedMinutes = plans.minutes(days)
        sessions = played.count
        self.days = Set(played.map(\.day)).count
        isUnfinished = days.upperBound >= today
        words = plannedMinutes.map { localized("\(minutes) of \($0) min") } ?? localized("\(minutes) min")
    }

    /// The nearest number of whole minutes.
    static func minutes(_ milliseconds: Int64) -> Int { Int((milliseconds + 30_000) / 60_000) }

    /// The headline of a week, such as `Mila practised 62 of 90 minutes this week`.
    func headline(_ name: String, in localized: Localizer) -> String {
        guard milliseconds > 0 else { return localized("\(name) has not practised this week yet") }
        guard let plannedMinutes else {
            return minutes == 0
                ? localized("\(name) practised less than a minute this week")
                : localized("\(name) practised \(minutes) minutes this week")
        }
        return minutes >= plannedMinutes
            ? localized("\(name) practised \(minutes) minutes this week; \(plannedMinutes) were planned")
            : localized("\(name) practised \(minutes) of \(plannedMinutes) minutes this week")
    }

    /// The minutes of the plan that are left; nil where nothing was planned.
    var leftMinutes: Int? { plannedMinutes.map { max(0, $0 - minutes) } }

    /// The words about what is left, such as `28 min left, until Sunday`.
    func leftWords(in localized: Localizer) -> String? {
        leftMinutes.map { $0 == 0 ? localized("Done for this week") : localized("\($0) min left, until Sunday") }
    }

    /// The week, from Monday to Sunday, in which a day lies.
    static func week(around day: Int32) -> ClosedRange<Int32> {
        let monday = day - Int32(CivilDate(day: day).weekday - 1)
        return monday...(monday + 6)
    }
}
