/// Dates in English, as people say them.
extension CivilDate {
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `Tuesday`
    public var weekdayName: String { Self.weekdays[weekday - 1] }

    /// `December`
    public var monthName: String { Self.months[month - 1] }

    /// `2 December`; with its year where, seen from `today`, another could be meant.
    public func words(from today: CivilDate) -> String {
        let text = "\(dayOfMonth) \(monthName)"
        return year == today.year || abs(day - today.day) < 180 ? text : "\(text) \(year)"
    }
}

extension LocalCalendar {
    /// A time of day as a clock shows it: `7:05`, `19:30`.
    ///
    /// - Parameter minute: of the day, 0 to 1,439.
    public static func timeOfDay(minute: Int32) -> String {
        let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
