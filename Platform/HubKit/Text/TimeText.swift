extension LocalCalendar {
    /// A time of day, such as `7:05` or `19:30`.
    ///
    /// - Parameter minute: the minute of the day, 0 to 1,439.
    public static func timeOfDay(minute: Int32) -> String {
        let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
