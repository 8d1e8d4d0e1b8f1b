import DrumsEngine
import HubKit

/// Left beside right: the reactions of each, and their difference with what is known of it.
struct HandsPart: Codable, Sendable {
    struct Hand: Codable, Sendable {
        var side: SideName
        var title: String
        var reaction: Quartiles?
        var label: String
    }

    /// Milliseconds.
    struct Difference: Codable, Sendable {
        var milliseconds, margin, from, to: Double

        init(_ difference: ReactionDifference) {
            milliseconds = Double(difference.tenths) / 10
            margin = Double(difference.marginTenths) / 10
            from = Double(difference.lowerTenths) / 10
            to = Double(difference.upperTenths) / 10
        }
    }

    struct Point: Codable, Sendable {
        var index: Int
        var label: String
        /// Of the left and of the right.
        var n: [Int]
        var milliseconds, from, to: Double
    }

    var title = "Left and right"
    var caption: String
    var clock: ReactionClock
    var axis: Axis
    var sides: [Hand]
    var difference: Difference?
    var overTime: [Point]
    var overTimeCount: Int
    var overTimeAxis: Axis?
    var words: String

    /// - Parameters:
    ///   - beats: reactions by one clock.
    ///   - affected: the side that practice is for; the difference is that side's less the other's, without one the
    ///     right's less the left's.
    /// - Returns: nil where there are no reactions.
    init?(_ beats: [Practice.Beat], clock: ReactionClock, affected: SideName?, bins: DayBins, caption: String) {
        guard !beats.isEmpty else { return nil }
        self.caption = caption
        self.clock = clock
        let later = affected ?? .right
        let earlier = later.other
        let times = Times(beats)
        sides = SideName.allCases.map { side in
            let quartiles = Quartiles(Distribution(milliseconds: times[side]))
            return Hand(
                side: side, title: side.title, reaction: quartiles,
                label: quartiles.map {
                    "\(side.title) hand: median \(Int($0.median.rounded())) ms, quartiles \(Int($0.lower.rounded())) and \(Int($0.upper.rounded())), n \($0.n)"
                } ?? "\(side.title) hand: no answers")
        }
        axis = Axis(holding: sides.flatMap { [$0.reaction?.lower, $0.reaction?.upper].compactMap { $0 } }, unit: "ms")
        let difference = ReactionDifference(from: times[earlier], to: times[later])
        self.difference = difference.map { Difference($0) }
        let found = bins.parted(beats).enumerated().compactMap { index, part -> (Int, Times, ReactionDifference)? in
            let times = Times(part)
            return ReactionDifference(from: times[earlier], to: times[later]).map { (index, times, $0) }
        }
        overTime = found.map { index, times, difference in
            let told = Difference(difference)
            return Point(
                index: index, label: DayText.range(bins.days(index)), n: [times.left.count, times.right.count],
                milliseconds: told.milliseconds, from: told.from, to: told.to)
        }
        overTimeCount = bins.count
        overTimeAxis = overTime.isEmpty ? nil : Axis(holding: overTime.flatMap { [$0.from, $0.to] } + [0], unit: "ms")
        let change = PracticeTrend(found.map { .init(x: Int32($0.0), y: $0.2.tenths) })
        words = Self.words(
            difference, counts: [.left: times.left.count, .right: times.right.count],
            affected: affected, change: change, parts: overTime.count, by: bins.length)
    }

    /// Milliseconds, of each hand.
    private struct Times {
        var left: [Int32] = []
        var right: [Int32] = []

        init(_ beats: [Practice.Beat]) {
            for beat in beats {
                guard let time = beat.reactionMilliseconds else { continue }
                if beat.side == .left { left.append(time) } else { right.append(time) }
            }
        }

        subscript(side: SideName) -> [Int32] { side == .left ? left : right }
    }

    // MARK: What is said of it

    static func words(
        _ difference: ReactionDifference?, counts: [SideName: Int], affected: SideName?, change: PracticeTrend?,
        parts: Int,
        by length: DayBins.Length
    ) -> String {
        guard let difference else {
            let few = SideName.allCases.filter { counts[$0, default: 0] < ReactionDifference.leastCount }
            let told = few.map { side in
                let count = counts[side, default: 0]
                return count == 0
                    ? "no answers of the \(side.rawValue) hand" : "\(count.spelled) of the \(side.rawValue) hand"
            }
            return
                "Too few answers to compare the hands: \(told.listed). \(ReactionDifference.leastCount.spelled.capitalizedFirst) of each are needed."
        }
        let later = affected ?? .right
        let amount = whole(abs(difference.tenths))
        let margin = whole(difference.marginTenths)
        let name = affected == nil ? later.title : "\(later.title), the practised side,"
        var sentences: [String]
        if difference.tenths == 0 {
            sentences = ["\(name) answers as fast as \(later.other.rawValue)."]
        } else {
            sentences = [
                "\(name) answers \(amount) ms \(difference.tenths > 0 ? "later" : "sooner") than \(later.other.rawValue)."
            ]
        }
        sentences.append("That difference is known to within \(margin) ms either way.")
        if difference.holdsNought { sentences.append("No difference at all fits these data too.") }
        sentences.append(changeText(change, parts: parts, by: length))
        return sentences.joined(separator: " ")
    }

    private static func changeText(_ change: PracticeTrend?, parts: Int, by length: DayBins.Length) -> String {
        let (one, many, step) =
            switch length {
            case .day: ("day", "days", "From day to day")
            case .week: ("week", "weeks", "From week to week")
            case .fourWeeks: ("span of four weeks", "spans of four weeks", "From four weeks to the next")
            }
        guard let change else {
            let count =
                parts == 0 ? "No \(one)" : parts == 1 ? "One \(one)" : "\(parts.spelled.capitalizedFirst) \(many)"
            return
                "\(count) with enough answers of both hands \(parts == 1 ? "is" : "are") too few to say whether it changes."
        }
        func told(_ slope: Int64) -> String {
            let milliseconds = Int((Double(slope) / 10_000_000).rounded())
            return milliseconds == 0 ? "0 ms" : "\(abs(milliseconds)) ms \(milliseconds < 0 ? "less" : "more")"
        }
        let text =
            "\(step) it was \(told(change.slope)), 95% range \(told(change.lowerSlope)) to \(told(change.upperSlope)), over \(parts.spelled) \(many)."
        return change.holdsNought ? text + " No change fits these data too." : text
    }

    private static func whole(_ tenths: Int32) -> Int { Int((Double(tenths) / 10).rounded()) }
}
