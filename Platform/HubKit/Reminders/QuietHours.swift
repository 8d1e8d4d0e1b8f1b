import Storage

/// The hours of every local day in which a person wants to be left alone.
package struct QuietHours: Sendable, Equatable {
    /// The minute of the day in which they begin.
    package let from: Int32
    /// The first minute after them; where it is not after `from`, it is of the next day.
    package let until: Int32

    /// - Returns: nil where there are none.
    package init?(_ rules: ReminderRules) {
        guard rules.isQuiet, rules.quietFrom != rules.quietUntil else { return nil }
        from = rules.quietFrom
        until = rules.quietUntil
    }

    /// Whether a local minute of the day, 0 to 1,439, is in them.
    package func contains(minute: Int32) -> Bool {
        from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    }

    /// When those hours end that are at an instant; nil where it is none of them.
    ///
    /// - Parameter time: UTC milliseconds.
    /// - Returns: UTC milliseconds.
    package func end(at time: Int64, _ calendar: LocalCalendar) -> Int64? {
        let (day, minute) = calendar.moment(of: time)
        guard contains(minute: minute) else { return nil }
        return calendar.instant(day: minute < until ? day : day + 1, minute: until)
    }
}
