import DrumsEngine
import HubKit

/// Quartiles over time: of reactions, of force, of how late the hits were.
struct QuartileChart: Codable, Sendable {
    struct Point: Codable, Sendable {
        var index: Int
        var start, end, label: String
        var n: Int
        var median, lower, upper: Double
        var mean: Double?
    }

    /// Parts in a row without practice, both ends included.
    struct Gap: Codable, Sendable {
        var from, to: Int
        var words = "no practice"
    }

    var title, caption, label: String
    /// Whose clock it was, and what to say of it; or the class of links that were compared.
    var clock: ReactionClock?
    var linkClass: LinkClass?
    var note: String?
    var by: String
    var count: Int
    var axis: Axis
    var ticks: [DayBins.Tick]
    var points: [Point]
    var gaps: [Gap]
    var all: Quartiles
    /// Reactions that no person has, left out.
    var implausible: Int?
    var implausibleWords: String?
    /// Flow mode: the share of the hits that were within the window.
    var inWindow: CorrectShare?
    var words: String?

    /// So many days without practice, between days with some, are a gap that is worth a word.
    private static let leastGap = 3

    /// - Parameter distribution: of a part's beats; nil where there is nothing to tell.
    /// - Returns: nil where there is nothing at all.
    init?(
        _ title: String, _ beats: [Practice.Beat], bins: DayBins, unit: String = "", in words: String,
        _ distribution: ([Practice.Beat]) -> Distribution?
    ) {
        guard let all = Quartiles(distribution(beats)) else { return nil }
        self.title = title
        self.all = all
        by = bins.length.name
        count = bins.count
        ticks = bins.ticks
        points = bins.parted(beats).enumerated().compactMap { index, part in
            guard let quartiles = Quartiles(distribution(part)) else { return nil }
            let days = bins.days(index)
            return Point(
                index: index, start: "\(CivilDate(day: days.lowerBound))", end: "\(CivilDate(day: days.upperBound))",
                label: DayText.range(days), n: quartiles.n, median: quartiles.median, lower: quartiles.lower,
                upper: quartiles.upper, mean: quartiles.mean)
        }
        axis = Axis(holding: points.flatMap { [$0.lower, $0.upper] }, unit: unit)
        gaps = zip(points, points.dropFirst()).compactMap { one, next in
            next.index - one.index > Self.leastGap ? Gap(from: one.index + 1, to: next.index - 1) : nil
        }
        let days = Set(beats.map(\.day)).count
        caption = "median and quartiles, \(days.counted("day")), n = \(all.n.grouped)"
        let medians = points.map { Int($0.median.rounded()) }
        let (least, most) = (medians.min() ?? 0, medians.max() ?? 0)
        label =
            "\(title) on \(days.counted("day")): "
            + (least == most ? "median \(least) \(words)" : "medians between \(least) and \(most) \(words)")
            + ", each with its quartiles."
            + gaps.map { gap in
                " No practice from \(DayText.span(bins.days(gap.from).lowerBound...bins.days(gap.to).upperBound))."
            }.joined()
    }
}

typealias Quartiles = DrumSessionResponse.Quartiles
