import Foundation
import HubKit

/// The household's own days: local dates and times of day in English, seen from a moment that is "now".
struct HouseholdCalendar: Sendable {
    /// UTC milliseconds.
    let now: Int64
    private let calendar: LocalCalendar
    private let today: Int

    static let dayLength: Int64 = 86_400_000

    init(timeZone: TimeZone, now: Int64) {
        calendar = LocalCalendar(timeZone: timeZone)
        self.now = now
        today = Int(calendar.moment(of: now).day)
    }

    /// The number of the local day of a moment: days since 1 January 1970 by the household's local clock.
    func day(of time: Int64) -> Int { Int(calendar.moment(of: time).day) }

    /// When a local day begins, UTC milliseconds.
    func start(ofDay day: Int) -> Int64 { calendar.start(ofDay: Int32(clamping: day)) }

    /// `5:02`, `18:40`.
    func timeOfDay(_ time: Int64) -> String {
        LocalCalendar.timeOfDay(minute: calendar.moment(of: time).minute)
    }

    /// A moment that has passed, as short as it is clear: `6:40`, `yesterday, 6:40`, `Tuesday, 6:40`, `12 November`.
    func past(_ time: Int64) -> String {
        switch today - day(of: time) {
        case 0: timeOfDay(time)
        case 1: "yesterday, \(timeOfDay(time))"
        case 2...6: "\(weekday(day(of: time))), \(timeOfDay(time))"
        default: date(day(of: time))
        }
    }

    /// The time of a sentence like "Watered this morning."
    func partOfDay(_ time: Int64) -> String {
        let ago = today - day(of: time)
        guard ago == 0 else {
            return ago == 1 ? "yesterday" : ago < 7 ? "on \(weekday(day(of: time)))" : "on \(date(day(of: time)))"
        }
        return switch calendar.moment(of: time).minute / 60 {
        case 0..<5: "last night"
        case 5..<12: "this morning"
        case 12..<18: "this afternoon"
        default: "this evening"
        }
    }

    /// A day ahead: `Today`, `Tomorrow`, `Thursday`, `2 December`.
    func ahead(_ day: Int) -> String {
        switch day - today {
        case ...0: "Today"
        case 1: "Tomorrow"
        case 2...6: weekday(day)
        default: date(day)
        }
    }

    /// `2 December`; with its year where another could be meant.
    func date(_ day: Int) -> String { civil(day).words(from: civil(today)) }

    /// `2026-12-02`.
    func iso(_ day: Int) -> String { civil(day).description }

    func weekday(_ day: Int) -> String { civil(day).weekdayName }

    private func civil(_ day: Int) -> CivilDate { CivilDate(day: Int32(clamping: day)) }
}
