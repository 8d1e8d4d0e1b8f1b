import HubKit

/// A month of somebody's days, as the calendar shows it.
struct MonthHistory: Codable, Sendable {
    /// The state of a day.
    enum State: String, Codable, Sendable, CaseIterable {
        /// A day on which somebody brushed as often as the goal says.
        case complete
        /// A day on which somebody brushed less often than that, or too short.
        case part
        case none
        /// A day without sessions before the first one, which is not missed.
        case before
        /// A day on which nothing was asked.
        case frozen
        /// A day without sessions that is not over.
        case toCome = "to-come"
    }

    struct Day: Codable, Sendable {
        var day: String
        var state: State
        var sessions: [BrushingSessionResponse]
    }

    var month: String
    var days: [Day]
    /// The months beside it; nil where there is nothing to see.
    var previous, next: String?

    /// Joins the days of a range with the sessions of each.
    ///
    /// - Parameter sessions: those of the days.
    init(_ history: SessionHistory, days range: ClosedRange<Int32>, _ sessions: [BrushingSessionResponse]) {
        let sessions = Dictionary(grouping: sessions, by: \.day)
        let frozen = Set(history.frozen)
        let beginning = history.days?.lowerBound ?? history.today
        days = range.map { number in
            let day = "\(CivilDate(day: number))"
            let sessions = sessions[day] ?? []
            let isComplete = sessions.count(where: \.counts) >= history.perDay
            let isToCome = sessions.isEmpty && number >= history.today
            let state: State =
                frozen.contains(number)
                ? .frozen
                : isComplete
                    ? .complete
                    : isToCome ? .toCome : number < beginning ? .before : sessions.isEmpty ? .none : .part
            return Day(day: day, state: state, sessions: sessions)
        }
        month = Self.name(range.lowerBound)
        if let first = history.days?.lowerBound, first < range.lowerBound {
            previous = Self.name(range.lowerBound - 1)
        }
        let last = max(history.today, history.days?.upperBound ?? .min)
        if last > range.upperBound { next = Self.name(range.upperBound + 1) }
    }

    /// The days of a month such as `2026-11`.
    ///
    /// - Throws: a 422 problem for anything else.
    static func days(month: String) throws -> ClosedRange<Int32> {
        guard let first = CivilDate("\(month)-01"), (1970...9998).contains(first.year) else {
            throw Problem.field("month", "A month looks like 2026-11.")
        }
        return days(around: first.day)
    }

    /// The days of the month in which a day lies.
    static func days(around day: Int32) -> ClosedRange<Int32> {
        let date = CivilDate(day: day)
        let first = day - Int32(date.dayOfMonth - 1)
        // 31 days later is always the next month, within its first four days.
        let later = CivilDate(day: first + 31)
        return first...(first + 31 - Int32(later.dayOfMonth))
    }

    private static func name(_ day: Int32) -> String { String("\(CivilDate(day: day))".prefix(7)) }
}
