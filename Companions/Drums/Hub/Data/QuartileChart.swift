import DrumsEngine
import HubKit
import Localization

/// Quartiles over time: of reactions, of force, of how late the hits were.
struct QuartileChart: Codable, Sendable {
    struct Point: Codable, Sendable {
        var index: Int
        var start, end, label: String
        var n: Int
        var median: Double
        /// The quartiles; nil where there are too few values for them.
        var lower, upper: Double?
        var mean: Double?

        /// The least and the largest figure that is drawn.
        var ends: [Double] { [lower ?? median, upper ?? median] }
    }

    /// A gap: parts in a row without practice, both ends included.
    struct Gap: Codable, Sendable {
        var from, to: Int
        var words: String
    }

    /// The quartiles of an earlier stretch, as long, below it.
    struct Earlier: Codable, Sendable {
        /// The points, each at the place that it lies over.
        var points: [Point]
        var all: Quartiles
        var words: String
    }

    var title, caption, label: String
    /// The clock of the reactions, with the words about it in ``note``; or the class of links that were compared.
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
    /// The number of reactions that no person has, which are left out.
    var implausible: Int?
    var implausibleWords: String?
    /// The share of the hits that were within the window, in flow mode.
    var inWindow: CorrectShare?
    var words: String?
    var earlier: Earlier?

    /// The least number of days without practice, between days with some, that make a gap which is worth a word.
    private static let leastGap = 3

    /// Charts the quartiles of some beats.
    ///
    /// - Parameter distribution: of a part's beats; nil where there is nothing to tell.
    /// - Returns: nil where there is nothing at all.
    init?(
        _ title: LocalizedText, _ beats: [Practice.Beat], bins: DayBins, unit: String = "", of words: LocalizedText,
        in localized: Localizer, _ distribution: ([Practice.Beat]) -> Distribution?
    ) {
        guard let all = Quartiles(distribution(beats)) else { return nil }
        self.title = localized.string(title)
        self.all = all
        by = bins.length.name
        count = bins.count
        ticks = bins.ticks(in: localized)
        points = bins.parted(beats).enumerated().compactMap { index, part in
            guard let quartiles = Quartiles(distribution(part)) else { return nil }
            let days = bins.days(index)
            return Point(
                index: index, start: "\(CivilDate(day: days.lowerBound))", end: "\(CivilDate(day: days.upperBound))",
                label: localized.days(days), n: quartiles.n, median: quartiles.median, lower: quartiles.lower,
                upper: quartiles.upper, mean: quartiles.mean)
        }
        axis = Axis(holding: points.flatMap(\.ends), unit: unit, in: localized)
        gaps = zip(points, points.dropFirst()).compactMap { one, next in
            next.index - one.index > Self.leastGap
                ? Gap(from: one.index + 1, to: next.index - 1, words: localized("no practice")) : nil
        }
        let days = Set(beats.map(\.day)).count
        let spoken = (localized.count(days: days), localized.whole(all.n))
        caption =
            all.lower == nil
            ? localized("median, \(spoken.0), n = \(spoken.1): too few for quartiles")
            : localized("median and quartiles, \(spoken.0), n = \(spoken.1)")
        let medians = points.map { Int($0.median.rounded()) }
        let (least, most) = (medians.min() ?? 0, medians.max() ?? 0)
        let said =
            least == most
            ? localized("\(title) on \(spelled: days) days: median \(least) \(words).")
            : localized("\(title) on \(spelled: days) days: medians between \(least) and \(most) \(words).")
        let spread =
            points.allSatisfy { $0.lower != nil }
            ? localized("Each has its quartiles.")
            : localized("Quartiles are drawn where there are four values or more.")
        let away = gaps.map { gap in
            let (first, last) = (bins.days(gap.from).lowerBound, bins.days(gap.to).upperBound)
            return localized(
                "No practice from \(CivilDate(day: first).dayAndMonth) to \(CivilDate(day: last).dayAndMonth).")
        }
        label = ([said, spread] + away).joined(separator: " ")
    }
}

typealias Quartiles = DrumSessionResponse.Quartiles
