extension BrushingProgress {
    /// The number of sessions that the current week needs: those of each day that is not frozen.
    public var askedThisWeek: Int {
        var days = 0
        for pips in week where pips & Pip.frozen == 0 { days += 1 }
        return days * perDay
    }

    /// The Monday of the current week; nil before the first day.
    public var weekBegins: Int32? { currentDay.map { Int32(clamping: weekStart(of: $0)) } }
}
