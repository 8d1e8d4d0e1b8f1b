import DrumsEngine
import HubKit
import Localization

/// The share of some beats that were right, with the 95 % interval of Wilson.
struct CorrectShare: Codable, Sendable {
    var n, right: Int
    /// The share in whole percent, and the interval's ends.
    var percent, from, to: Int
    /// The interval in words, such as `86 to 90`.
    var range: String

    /// Counts the beats that were right.
    ///
    /// - Returns: nil for no beats.
    init?(_ beats: [Practice.Beat], in localized: Localizer) {
        guard let interval = RightShare(beats.right, of: beats.count) else { return nil }
        n = beats.count
        right = beats.right
        func percent(_ thousandths: Int32) -> Int { Int((thousandths + 5) / 10) }
        self.percent = percent(interval.share)
        from = percent(interval.lower)
        to = percent(interval.upper)
        range = localized("\(from) to \(to)")
    }
}

/// The share right over time.
struct ShareChart: Codable, Sendable {
    struct Point: Codable, Sendable {
        var index: Int
        var start, end, label: String
        var n, right, percent, from, to: Int
    }

    /// The shares of an earlier stretch, as long, below it.
    struct Earlier: Codable, Sendable {
        /// The points, each at the place that it lies over.
        var points: [Point]
        var all: CorrectShare
        var words: String
    }

    var title, caption, label: String
    var by: String
    var count: Int
    var axis: Axis
    var ticks: [DayBins.Tick]
    var points: [Point]
    var all: CorrectShare
    var earlier: Earlier?

    /// Charts the shares of some beats.
    ///
    /// - Returns: nil where nothing was judged.
    init?(_ beats: [Practice.Beat], bins: DayBins, in localized: Localizer) {
        guard let all = CorrectShare(beats, in: localized) else { return nil }
        self.all = all
        title = localized("Correct")
        by = bins.length.name
        count = bins.count
        ticks = bins.ticks(in: localized)
        points = bins.parted(beats).enumerated().compactMap { index, part in
            guard let share = CorrectShare(part, in: localized) else { return nil }
            let days = bins.days(index)
            return Point(
                index: index, start: "\(CivilDate(day: days.lowerBound))", end: "\(CivilDate(day: days.upperBound))",
                label: localized.days(days), n: share.n, right: share.right, percent: share.percent, from: share.from,
                to: share.to)
        }
        axis = Axis(percentFrom: points.map(\.from).min() ?? 0, in: localized)
        caption =
            axis.from > 0
            ? localized("share of beats, 95% range, scale from \(axis.from)%")
            : localized("share of beats, 95% range")
        let each = points.map { localized("\($0.label) \($0.percent), from \($0.from) to \($0.to)") }
            .joined(separator: "; ")
        label =
            switch bins.length {
            case .day: localized("Percent correct by day: \(each).")
            case .week: localized("Percent correct by week: \(each).")
            case .fourWeeks: localized("Percent correct by four weeks: \(each).")
            }
    }
}
