import Storage

/// The hours of every local day in which a person does not want to be disturbed.
package struct QuietHours: Sendable, Equatable {
    /// The minute of the day at which they begin.
    package let from: Int32
    /// The minute of the day at which they end; of the next day if it is not after ``from``.
    package let until: Int32

    /// Creates the quiet hours of a person's rules; nil if there are none.
    package init?(_ rules: ReminderRules) {
        guard rules.isQuiet, rules.quietFrom != rules.quietUntil else { return nil }
        from = rules.quietFrom
        until = rules.quietUntil
    }

    /// Whether a local minute of the day, 0 to 1,439, is in the quiet hours.
    package func contains(minute: Int32) -> Bool {
        from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    }

    /// The instant at which the current quiet hours end; nil outside of them.
    ///
    /// - Parameter time: the instant to look at, in UTC milliseconds.
    /// - Returns: UTC milliseconds.
    package func end(at time: Int64, _ calendar: LocalCalendar) -> Int64? {
        let (day, minute) = calendar.moment(of: time)
        guard contains(minute: minute) else { return nil }
        return calendar.instant(day: minute < until ? day : day + 1, minute: until)
    }
}
