import Foundation
import HubKit
import Localization

/// The household's own days: local dates and times of day, seen from a moment that is "now".
struct HouseholdCalendar: Sendable {
    /// UTC milliseconds.
    let now: Int64
    /// The season in which plants grow where the household is.
    let season: GrowingSeason
    private let calendar: LocalCalendar
    private let today: Int

    static let dayLength: Int64 = 86_400_000

    init(timeZone: TimeZone, now: Int64) {
        calendar = LocalCalendar(timeZone: timeZone)
        season = GrowingSeason(timeZone: timeZone)
        self.now = now
        today = Int(calendar.moment(of: now).day)
    }

    /// The number of the local day of a moment: days since 1 January 1970 by the household's local clock.
    func day(of time: Int64) -> Int { Int(calendar.moment(of: time).day) }

    /// The beginning of a local day, UTC milliseconds.
    func start(ofDay day: Int) -> Int64 { calendar.start(ofDay: Int32(clamping: day)) }

    /// The time of day, such as `5:02` or `18:40`.
    func timeOfDay(_ time: Int64) -> String {
        LocalCalendar.timeOfDay(minute: calendar.moment(of: time).minute)
    }

    /// Whether it was dark then for who sleeps: from ten in the evening to six in the morning.
    func isNight(_ time: Int64) -> Bool {
        let minute = calendar.moment(of: time).minute
        return minute >= 22 * 60 || minute < 6 * 60
    }

    /// A moment that has passed, as short as it is clear: `6:40`, `yesterday, 6:40`, `Tuesday, 6:40`, `12 November`.
    func past(_ time: Int64) -> LocalizedText {
        let clock = timeOfDay(time)
        return switch today - day(of: time) {
        case 0: LocalizedText(verbatim: clock)
        case 1: LocalizedText("yesterday, \(clock)")
        case 2...6: LocalizedText("\(weekday(day(of: time))), \(clock)")
        default: date(day(of: time))
        }
    }

    /// A time as a sentence says it, such as `at 5:02`, `yesterday at 5:02`, `on Tuesday at 5:02` or `on 12 November`.
    func at(_ time: Int64) -> LocalizedText {
        let clock = timeOfDay(time)
        return switch today - day(of: time) {
        case 0: LocalizedText("at \(clock)")
        case 1: LocalizedText("yesterday at \(clock)")
        case 2...6: LocalizedText("on \(weekday(day(of: time))) at \(clock)")
        default: LocalizedText("on \(date(day(of: time)))")
        }
    }

    /// The sentence about when a plant was watered lately.
    func watered(_ time: Int64) -> LocalizedText {
        switch today - day(of: time) {
        case 0: break
        case 1: return LocalizedText("Watered yesterday.")
        case 2...6: return LocalizedText("Watered on \(weekday(day(of: time))).")
        default: return LocalizedText("Watered on \(date(day(of: time))).")
        }
        return switch DayPart(minute: calendar.moment(of: time).minute) {
        case .night: LocalizedText("Watered last night.")
        case .morning: LocalizedText("Watered this morning.")
        case .afternoon: LocalizedText("Watered this afternoon.")
        case .evening: LocalizedText("Watered this evening.")
        }
    }

    /// A day ahead: `today`, `tomorrow`, `Thursday`, `2 December`.
    func ahead(_ day: Int) -> LocalizedText {
        switch day - today {
        case ...0: LocalizedText("today")
        case 1: LocalizedText("tomorrow")
        case 2...6: weekday(day)
        default: date(day)
        }
    }

    /// The date of a day, such as `2 December`, with its year where another could be meant.
    func date(_ day: Int) -> LocalizedText { civil(day).text(from: civil(today)) }

    /// The date of a day as `2026-12-02`.
    func iso(_ day: Int) -> String { civil(day).description }

    func weekday(_ day: Int) -> LocalizedText { civil(day).weekdayText }

    private func civil(_ day: Int) -> CivilDate { CivilDate(day: Int32(clamping: day)) }
}
