import DrumsEngine
import Localization

/// The charts of some days: reactions by each clock, the share that was right, force, and how late hits were in flow
/// mode. Those of two stretches of days lie over each other.
struct PracticeCharts: Sendable {
    var reaction: [QuartileChart]
    var correct: ShareChart?
    var force: [QuartileChart]
    var timing: QuartileChart?

    init(_ practice: Practice, _ days: ClosedRange<Int32>, span: DataSpan, in localized: Localizer) {
        let (fine, coarse) = (DayBins(days, by: span.fine), DayBins(days, by: span.coarse))
        reaction = practice.clocks.compactMap { clock in
            var chart = QuartileChart(
                LocalizedText("Reaction time"), practice.reactions(clock), bins: fine, unit: "ms",
                of: LocalizedText("milliseconds"), in: localized
            ) { Distribution(milliseconds: $0.reactionTimes) }
            chart?.clock = clock
            chart?.note = localized.string(clock.words)
            let fast = practice.implausible(clock)
            chart?.implausible = fast
            chart?.implausibleWords = fast > 0 ? localized.string(PracticeText.implausible(fast)).capitalizedFirst : nil
            return chart
        }
        correct = ShareChart(practice.judged, bins: coarse, in: localized)
        force = LinkClass.allCases.compactMap { linkClass in
            let beats = practice.forces(linkClass)
            var chart = QuartileChart(
                LocalizedText("Force"), beats, bins: coarse, of: LocalizedText("without a unit"), in: localized
            ) {
                Distribution(hundredths: $0.forceValues)
            }
            let hasQuartiles = chart?.all.lower != nil
            chart?.caption =
                !hasQuartiles
                ? localized("no unit, \(PracticeText.drums(beats)), median")
                : localized("no unit, \(PracticeText.drums(beats)), median and quartiles")
            chart?.linkClass = linkClass
            return chart
        }
        timing = Self.timing(practice, bins: coarse, in: localized)
    }

    private static func timing(_ practice: Practice, bins: DayBins, in localized: Localizer) -> QuartileChart? {
        let clocks = ReactionClock.allCases.sorted { practice.timed($0).count > practice.timed($1).count }
        guard let clock = clocks.first else { return nil }
        var chart = QuartileChart(
            LocalizedText("On the beat, in flow mode"), practice.timed(clock), bins: bins, unit: "ms",
            of: LocalizedText("milliseconds after the beat"), in: localized
        ) { Distribution(milliseconds: $0.errors) }
        chart?.clock = clock
        chart?.note = localized.string(clock.words)
        let hasQuartiles = chart?.all.lower != nil
        chart?.caption =
            !hasQuartiles
            ? localized("how late the hits were, median")
            : localized("how late the hits were, median and quartiles")
        chart?.inWindow = CorrectShare(
            practice.beats.filter { $0.isFlow && $0.isJudged && $0.link.clock == clock }, in: localized)
        chart?.words = localized.string(PracticeText.window)
        return chart
    }

    /// The charts over those of an earlier stretch, as long: each over that of the same clock or the same kind of
    /// drums, since no other can be compared with it.
    ///
    /// - Parameter now: what these are of.
    func over(_ earlier: PracticeSpan, _ now: PracticeSpan, span: DataSpan, in localized: Localizer) -> PracticeCharts {
        let before = PracticeCharts(earlier.practice, earlier.days, span: span, in: localized)
        let days = earlier.title(before: now.days, in: localized)
        var all = self
        all.reaction = reaction.map { chart in
            guard let clock = chart.clock, let other = before.reaction.first(where: { $0.clock == clock }) else {
                return chart
            }
            let difference = ReactionDifference(
                from: earlier.practice.reactions(clock).reactionTimes, to: now.practice.reactions(clock).reactionTimes)
            return chart.over(
                other, words: ComparisonText.reactions(other.all, chart.all, difference, days, in: localized),
                unit: "ms",
                in: localized)
        }
        all.correct = correct.map { chart in
            before.correct.map {
                chart.over($0, words: ComparisonText.share($0.all, days, in: localized), in: localized)
            } ?? chart
        }
        all.force = force.map { chart in
            before.force.first { $0.linkClass == chart.linkClass }.map {
                chart.over($0, words: ComparisonText.force($0.all, days, in: localized), in: localized)
            } ?? chart
        }
        all.timing = timing.map { chart in
            guard let other = before.timing, other.clock == chart.clock else { return chart }
            return chart.over(
                other, words: ComparisonText.timing(other.all, days, in: localized), unit: "ms", in: localized)
        }
        return all
    }
}

/// The practice of a stretch of days.
struct PracticeSpan: Sendable {
    let practice: Practice
    /// The days, counted from 1 January 1970.
    let days: ClosedRange<Int32>

    /// The title of the days, such as `28 Sep–25 Oct`, with their years where it is a year ago.
    ///
    /// - Parameter now: the days that it is compared with.
    func title(before now: ClosedRange<Int32>, in localized: Localizer) -> String {
        now.lowerBound - days.lowerBound < DataSpan.year.weeks * 7 ? localized.days(days) : localized.dates(days)
    }
}

extension QuartileChart {
    /// The chart with the points of an earlier one below it, in one scale.
    fileprivate func over(
        _ earlier: QuartileChart, words: String, unit: String = "", in localized: Localizer
    ) -> QuartileChart {
        var chart = self
        chart.earlier = Earlier(points: earlier.points, all: earlier.all, words: words)
        chart.axis = Axis(
            holding: (points + earlier.points).flatMap(\.ends), unit: unit, in: localized)
        return chart
    }
}

extension ShareChart {
    /// The chart with the points of an earlier one below it, in one scale.
    fileprivate func over(_ earlier: ShareChart, words: String, in localized: Localizer) -> ShareChart {
        var chart = self
        chart.earlier = Earlier(points: earlier.points, all: earlier.all, words: words)
        if earlier.axis.from < axis.from { (chart.axis, chart.caption) = (earlier.axis, earlier.caption) }
        return chart
    }
}
