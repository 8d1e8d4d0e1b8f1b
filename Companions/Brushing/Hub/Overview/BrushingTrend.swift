import BrushingEngine
import HubKit
import Localization

/// A comparison of the last two weeks with the two before: a count, which is only told where both are whole and the
/// difference is more than chance brings from week to week.
struct BrushingTrend: Equatable, Sendable {
    /// Sessions that count, of the last fourteen days before today, and how many were asked for.
    let done, asked: Int
    /// The sessions that count, of the fourteen days before those.
    let before: Int

    /// The number of days that are compared with as many.
    static let days: Int32 = 14
    /// The least difference that is told.
    static let leastDifference = 3
    /// The most days off in a fortnight; with more of them it is no measure.
    static let mostDaysOff = 3

    /// Compares the two fortnights before today.
    ///
    /// - Returns: nil where there is nothing to tell.
    init?(_ history: SessionHistory) {
        guard let first = history.days?.lowerBound, first <= history.today - 2 * Self.days else { return nil }
        let last = (history.today - Self.days)..<history.today
        let earlier = (history.today - 2 * Self.days)..<(history.today - Self.days)
        for fortnight in [last, earlier]
        where history.frozen.count(where: { fortnight.contains($0) }) > Self.mostDaysOff { return nil }
        done = Self.done(history, last)
        before = Self.done(history, earlier)
        asked = (Int(Self.days) - history.frozen.count { last.contains($0) }) * history.perDay
        guard abs(done - before) >= Self.leastDifference else { return nil }
    }

    /// A day's sessions count up to what it is asked: five on one day do not make up for two days.
    private static func done(_ history: SessionHistory, _ days: Range<Int32>) -> Int {
        var perDay: [Int32: Int] = [:]
        for entry in history.entries where entry.counts && days.contains(entry.day) {
            perDay[entry.day, default: 0] += 1
        }
        return perDay.values.reduce(0) { $0 + min($1, history.perDay) }
    }

    /// A sentence for the person's page.
    var text: LocalizedText {
        done > before
            ? LocalizedText(
                "Brushed \(done) of \(asked) times in the last two weeks, \(done - before) more than in the two before."
            )
            : LocalizedText(
                "Brushed \(done) of \(asked) times in the last two weeks, \(before - done) fewer than in the two before."
            )
    }
}
