import HubKit
import Localization

/// The scores of one clinic test over time, for a small chart beside the practice: each as it was typed in, and no line
/// between two, since nobody measured there.
struct ScoreChart: Codable, Sendable {
    /// The scores of a day, of which a hand or a question has one.
    struct Point: Codable, Sendable {
        /// The number of days after the first.
        var index: Int
        /// The day in words, such as `20 November 2026`.
        var label: String
        /// The first of ``marks``, and the second.
        var value, second: Int?
        var words: String
    }

    var measure: ClinicMeasure
    /// The test, and for a test of a goal the goal.
    var title, caption: String
    /// The names of the two kinds of marks; one name, or none, where there is a single kind.
    var marks: [String]
    /// The number of days that the chart is wide.
    var count: Int
    var axis: Axis
    var ticks: [DayBins.Tick]
    var points: [Point]
    var label: String

    /// The least days that a chart is wide, for the dates at both ends to have room.
    private static let leastDays = 28

    /// The charts of all scores: one for each test, and for a test of goals for each goal; in the order of
    /// ``ClinicMeasure``.
    ///
    /// - Parameter scores: the earliest first.
    static func all(_ scores: [ClinicScore], goals: [Goal], in localized: Localizer) -> [ScoreChart] {
        ClinicMeasure.allCases.flatMap { measure in
            let own = scores.filter { $0.measure == measure }
            guard measure.isOfGoal else {
                return [ScoreChart(measure, own, goal: nil, in: localized)].compactMap { $0 }
            }
            return goals.compactMap { goal in
                ScoreChart(measure, own.filter { $0.goal == goal.id }, goal: goal, in: localized)
            }
        }
    }

    /// Charts the scores of one test.
    ///
    /// - Returns: nil for no scores.
    private init?(_ measure: ClinicMeasure, _ scores: [ClinicScore], goal: Goal?, in localized: Localizer) {
        guard let first = scores.first?.day, let last = scores.last?.day else { return nil }
        self.measure = measure
        title = localized.string(measure.title)
        caption = goal?.text ?? localized.string(measure.unit)
        marks = Self.marks(measure).map(localized.string)
        count = max(Self.leastDays, Int(last - first) + 1)
        let values = scores.flatMap { [$0.value, $0.satisfaction].compactMap { $0 } }
        axis = Self.axis(measure, values, in: localized)
        ticks = [
            DayBins.Tick(index: 0, label: localized.day(first)),
            DayBins.Tick(index: count - 1, label: localized.day(first + Int32(count) - 1)),
        ]
        var points: [Point] = []
        for score in scores {
            let index = Int(score.day - first)
            let isSecond = score.side == .right
            var point = Point(
                index: index, label: localized.string(CivilDate(day: score.day).dateText),
                value: isSecond ? nil : score.value, second: isSecond ? score.value : score.satisfaction,
                words: score.side.map { "\(localized.string($0.title)): \(score.words(in: localized))" }
                    ?? score.words(in: localized))
            // Both hands of one day stand over each other.
            if measure.isOfSide, let before = points.last, before.index == index,
                isSecond ? before.second == nil : before.value == nil
            {
                point.value = point.value ?? before.value
                point.second = point.second ?? before.second
                point.words = isSecond ? "\(before.words), \(point.words)" : "\(point.words), \(before.words)"
                points.removeLast()
            }
            points.append(point)
        }
        self.points = points
        label =
            "\(title), \(caption). "
            + points.map { "\($0.label): \($0.words)" }.joined(separator: "; ")
    }

    private static func marks(_ measure: ClinicMeasure) -> [LocalizedText] {
        switch measure {
        case .boxAndBlock: [LocalizedText("Left"), LocalizedText("Right")]
        case .copm: [LocalizedText("Performance"), LocalizedText("Satisfaction")]
        case .aha, .gas: []
        }
    }

    /// The axis of a chart. Tests of few steps are shown whole, the others as far as their values go.
    private static func axis(_ measure: ClinicMeasure, _ values: [Int], in localized: Localizer) -> Axis {
        switch measure {
        case .boxAndBlock, .aha: Axis(holding: values.map { Double($0) }, in: localized)
        case .copm: Axis(from: 1, to: 10, ticks: [1, 5, 10].map { Axis.Tick(at: $0, label: "\($0)") })
        case .gas:
            Axis(from: -2, to: 2, ticks: (-2...2).map { Axis.Tick(at: $0, label: ClinicScore.signed($0)) })
        }
    }
}
