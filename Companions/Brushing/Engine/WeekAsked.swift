extension BrushingProgress {
    /// The number of sessions that the current week needs: those of each day that is not frozen.
    public var askedThisWeek: Int {
        var days = 0
        for pips in week where pips & Pip.frozen == 0 { days += 1 }
        return days * perDay
    }

    /// The sessions of the current week that are of those it needs: each half of a day counts once, however often somebody
    /// brushes in it, and no day more than it needs.
    public var keptThisWeek: Int {
        var kept = 0
        for pips in week where pips & Pip.frozen == 0 { kept += min(perDay, pips.nonzeroBitCount) }
        return kept
    }

    /// The Monday of the current week; nil before the first day.
    public var weekBegins: Int32? { currentDay.map { Int32(clamping: weekStart(of: $0)) } }
}
