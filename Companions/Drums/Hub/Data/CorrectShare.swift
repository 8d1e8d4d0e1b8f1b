import DrumsEngine
import HubKit

/// How many of some beats were right, with the 95 % interval of Wilson.
struct CorrectShare: Codable, Sendable {
    var n, right: Int
    /// Whole percent, and the interval's ends.
    var percent, from, to: Int
    /// `86 to 90`
    var range: String

    /// - Returns: nil for no beats.
    init?(_ beats: [Practice.Beat]) {
        guard let interval = RightShare(beats.right, of: beats.count) else { return nil }
        n = beats.count
        right = beats.right
        func percent(_ thousandths: Int32) -> Int { Int((thousandths + 5) / 10) }
        self.percent = percent(interval.share)
        from = percent(interval.lower)
        to = percent(interval.upper)
        range = "\(from) to \(to)"
    }
}

/// The share right over time.
struct ShareChart: Codable, Sendable {
    struct Point: Codable, Sendable {
        var index: Int
        var start, end, label: String
        var n, right, percent, from, to: Int
    }

    var title = "Correct"
    var caption, label: String
    var by: String
    var count: Int
    var axis: Axis
    var ticks: [DayBins.Tick]
    var points: [Point]
    var all: CorrectShare

    /// - Returns: nil where nothing was judged.
    init?(_ beats: [Practice.Beat], bins: DayBins) {
        guard let all = CorrectShare(beats) else { return nil }
        self.all = all
        by = bins.length.name
        count = bins.count
        ticks = bins.ticks
        points = bins.parted(beats).enumerated().compactMap { index, part in
            guard let share = CorrectShare(part) else { return nil }
            let days = bins.days(index)
            return Point(
                index: index, start: "\(CivilDate(day: days.lowerBound))", end: "\(CivilDate(day: days.upperBound))",
                label: DayText.range(days), n: share.n, right: share.right, percent: share.percent, from: share.from,
                to: share.to)
        }
        axis = Axis(percentFrom: points.map(\.from).min() ?? 0)
        caption = "share of beats, 95% range" + (axis.from > 0 ? ", scale from \(axis.from)%" : "")
        let parts = bins.length == .day ? "day" : bins.length == .week ? "week" : "four weeks"
        label =
            "Percent correct by \(parts): \(points.map { "\($0.label) \($0.percent), from \($0.from) to \($0.to)" }.joined(separator: "; "))."
    }
}
