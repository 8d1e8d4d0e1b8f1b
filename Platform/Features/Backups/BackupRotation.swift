import HubKit

/// The rule for which backups are kept: the newest of each of the last seven days, four weeks and twelve months that
/// have one.
struct BackupRotation: Sendable {
    var days = 7
    var weeks = 4
    var months = 12

    /// The times of the backups that are kept. The newest always is.
    ///
    /// - Parameters:
    ///   - times: the times of all backups, in UTC milliseconds.
    ///   - calendar: the household's calendar.
    func kept(_ times: [Int64], _ calendar: LocalCalendar) -> Set<Int64> {
        var kept: Set<Int64> = []
        let newestFirst = times.sorted(by: >)
        func keep(_ count: Int, by period: (CivilDate) -> Int) {
            var seen: Set<Int> = []
            for time in newestFirst where seen.count < count {
                if seen.insert(period(CivilDate(day: calendar.moment(of: time).day))).inserted { kept.insert(time) }
            }
        }
        keep(days) { Int($0.day) }
        keep(weeks) { (Int($0.day) + 3) / 7 }
        keep(months) { $0.year * 12 + $0.month }
        return kept
    }
}
