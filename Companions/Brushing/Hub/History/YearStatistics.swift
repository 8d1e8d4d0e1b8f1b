import BrushingEngine
import GRDB
import HubKit
import Storage

extension Statistics {
    /// Sums a history up in a bar for each year, of what is kept at the beginning of each: of ten years no session is read but
    /// those of the last month.
    ///
    /// - Parameters:
    ///   - history: its newest sessions.
    ///   - until: as for other sums.
    /// - Returns: nil where not all is kept that is needed.
    init?(yearsOf history: SessionHistory, until: Int32, _ db: Database) throws {
        by = .year
        bars = []
        guard let days = history.days else { return }
        let now = history.fold().progress
        let complete = (history.beginning?.completeDays ?? 0) + history.completeDays.count
        func state(before day: Int32) throws -> KeptProgress? {
            if day <= days.lowerBound {
                return KeptProgress(day: day, progress: BrushingProgress(perDay: history.perDay), completeDays: 0)
            }
            if day > days.upperBound { return KeptProgress(day: day, progress: now, completeDays: complete) }
            return try KeptProgress.oldest(of: history.person.id, perDay: history.perDay, from: day, db)
        }
        let ranges = Self.ranges(by: .year, until: until, today: history.today, first: days.lowerBound)
        guard let first = ranges.first, var before = try state(before: first.lowerBound) else { return nil }
        for range in ranges {
            guard let after = try state(before: range.upperBound + 1) else { return nil }
            var bar = Bar(start: "\(CivilDate(day: range.lowerBound))")
            bar.sessions = after.progress.sessions - before.progress.sessions
            bar.seconds = BrushingSessionResponse.seconds(
                after.progress.totalMilliseconds - before.progress.totalMilliseconds)
            bar.completeDays = after.completeDays - before.completeDays
            let last = min(range.upperBound, history.today)
            let from = max(range.lowerBound, days.lowerBound)
            if from <= last { bar.days = Int(last - from) + 1 - history.frozen.count { (from...last).contains($0) } }
            if last >= days.lowerBound {
                bar.habitPercent = history.state(after.progress, at: last).habitPercent
            }
            bars.append(bar)
            before = after
        }
    }
}

extension SessionHistory {
    /// A state as it was when a day had passed, after which there were no sessions in it; today has not passed.
    fileprivate func state(_ progress: BrushingProgress, at day: Int32) -> BrushingProgress {
        var then = progress
        let known = then.currentDay ?? .min
        for frozenDay in frozen where frozenDay > known && frozenDay <= day { then.freeze(frozenDay) }
        then.advance(to: min(day + 1, today))
        return then
    }
}
