import Foundation

/// The household's own days: local dates and times of day in English, seen from a moment that is "now".
struct HouseholdCalendar: Sendable {
    /// UTC milliseconds.
    let now: Int64
    private let calendar: Calendar
    private let today: Int

    static let dayLength: Int64 = 86_400_000
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    init(timeZone: TimeZone, now: Int64) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
        self.now = now
        today = Self.day(of: now, in: timeZone)
    }

    /// The number of the local day of a moment: days since 1 January 1970 by the household's clock on the wall.
    func day(of time: Int64) -> Int { Self.day(of: time, in: calendar.timeZone) }

    private static func day(of time: Int64, in zone: TimeZone) -> Int {
        let offset = Int64(zone.secondsFromGMT(for: date(time))) * 1_000
        return Int((Double(time + offset) / Double(dayLength)).rounded(.down))
    }

    /// When a local day begins, UTC milliseconds.
    func start(ofDay day: Int) -> Int64 {
        let noon = Int64(day) * Self.dayLength + Self.dayLength / 2
        let offset = Int64(calendar.timeZone.secondsFromGMT(for: Self.date(noon))) * 1_000
        let start = calendar.startOfDay(for: Self.date(noon - offset))
        return Int64(start.timeIntervalSince1970 * 1_000)
    }

    /// `5:02`, `18:40`.
    func timeOfDay(_ time: Int64) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: Self.date(time))
        let minute = parts.minute ?? 0
        return "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
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
        return switch calendar.component(.hour, from: Self.date(time)) {
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

    /// `2 December`; with its year if that is another.
    func date(_ day: Int) -> String {
        let parts = self.parts(day)
        let thisYear = self.parts(today).year
        let text = "\(parts.day) \(Self.months[parts.month - 1])"
        return parts.year == thisYear || abs(day - today) < 180 ? text : "\(text) \(parts.year)"
    }

    /// `2026-12-02`.
    func iso(_ day: Int) -> String {
        let parts = self.parts(day)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.year)-\(padded(parts.month))-\(padded(parts.day))"
    }

    func weekday(_ day: Int) -> String {
        // 1 January 1970 was a Thursday.
        let index = (day + 4) % 7
        return Self.weekdays[index < 0 ? index + 7 : index]
    }

    private func parts(_ day: Int) -> (year: Int, month: Int, day: Int) {
        var utc = Calendar(identifier: .gregorian)
        utc.timeZone = .gmt
        let parts = utc.dateComponents([.year, .month, .day], from: Self.date(Int64(day) * Self.dayLength))
        return (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
    }

    private static func date(_ time: Int64) -> Date { Date(timeIntervalSince1970: Double(time) / 1_000) }
}
