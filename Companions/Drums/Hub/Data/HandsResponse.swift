import DrumsEngine
import HubKit
import Localization

/// A comparison of left and right: the reactions of each, and their difference with what is known of it.
struct HandsResponse: Codable, Sendable {
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
        /// The numbers of reactions of the left and of the right.
        var n: [Int]
        var milliseconds, from, to: Double
    }

    var title, caption: String
    var clock: ReactionClock
    var axis: Axis
    var sides: [Hand]
    var difference: Difference?
    var overTime: [Point]
    var overTimeCount: Int
    var overTimeAxis: Axis?
    var words: String

    /// Compares the reactions of both hands.
    ///
    /// - Parameters:
    ///   - beats: reactions by one clock.
    ///   - affected: the side that practice is for; the difference is that side's less the other's, without one the
    ///     right's less the left's.
    /// - Returns: nil where there are no reactions.
    init?(
        _ beats: [Practice.Beat], clock: ReactionClock, affected: SideName?, bins: DayBins, caption: String,
        in localized: Localizer
    ) {
        guard !beats.isEmpty else { return nil }
        title = localized("Left and right")
        self.caption = caption
        self.clock = clock
        let later = affected ?? .right
        let earlier = later.other
        let times = Times(beats)
        sides = SideName.allCases.map { side in
            let quartiles = Quartiles(Distribution(milliseconds: times[side]))
            return Hand(
                side: side, title: localized.string(side.title), reaction: quartiles,
                label: quartiles.map { localized.string(Self.label(side, $0)) }
                    ?? localized("\(side.title) hand: no answers"))
        }
        axis = Axis(
            holding: sides.flatMap { $0.reaction?.ends ?? [] }, unit: "ms",
            in: localized)
        let difference = ReactionDifference(from: times[earlier], to: times[later])
        self.difference = difference.map { Difference($0) }
        let found = bins.parted(beats).enumerated().compactMap { index, part -> (Int, Times, ReactionDifference)? in
            let times = Times(part)
            return ReactionDifference(from: times[earlier], to: times[later]).map { (index, times, $0) }
        }
        overTime = found.map { index, times, difference in
            let rounded = Difference(difference)
            return Point(
                index: index, label: localized.days(bins.days(index)), n: [times.left.count, times.right.count],
                milliseconds: rounded.milliseconds, from: rounded.from, to: rounded.to)
        }
        overTimeCount = bins.count
        overTimeAxis =
            overTime.isEmpty
            ? nil : Axis(holding: overTime.flatMap { [$0.from, $0.to] } + [0], unit: "ms", in: localized)
        let change = PracticeTrend(found.map { .init(x: Int32($0.0), y: $0.2.tenths) })
        words = Self.words(
            difference, counts: [.left: times.left.count, .right: times.right.count],
            affected: affected, change: change, parts: overTime.count, by: bins.length, in: localized)
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

    private static func label(_ side: SideName, _ reaction: Quartiles) -> LocalizedText {
        let median = Int(reaction.median.rounded())
        guard let lower = reaction.lower, let upper = reaction.upper else {
            return LocalizedText("\(side.title) hand: median \(median) ms, n \(reaction.n)")
        }
        return LocalizedText(
            "\(side.title) hand: median \(median) ms, quartiles \(Int(lower.rounded())) and \(Int(upper.rounded())), n \(reaction.n)"
        )
    }

    static func words(
        _ difference: ReactionDifference?, counts: [SideName: Int], affected: SideName?, change: PracticeTrend?,
        parts: Int, by length: DayBins.Length, in localized: Localizer
    ) -> String {
        guard let difference else {
            let few = SideName.allCases.filter { counts[$0, default: 0] < ReactionDifference.leastCount }
            let said = localized.list(few.map { localized.string(answers(counts[$0, default: 0], of: $0)) })
            let least = localized("\(spelled: Int(ReactionDifference.leastCount)) of each are needed.")
            return localized("Too few answers to compare the hands: \(said). \(least.capitalizedFirst)")
        }
        let later = affected ?? .right
        let amount = whole(abs(difference.tenths))
        let name = affected == nil ? later.title : LocalizedText("\(later.title), the practised side,")
        let other = later.other.word
        var sentences: [String]
        if difference.tenths == 0 {
            sentences = [localized("\(name) answers as fast as \(other).")]
        } else if difference.tenths > 0 {
            sentences = [localized("\(name) answers \(amount) ms later than \(other).")]
        } else {
            sentences = [localized("\(name) answers \(amount) ms sooner than \(other).")]
        }
        sentences.append(
            localized("It may be \(whole(difference.marginTenths)) ms more or less."))
        if difference.holdsNought { sentences.append(localized("There may also be no difference at all.")) }
        sentences.append(changeText(change, parts: parts, by: length, in: localized))
        return sentences.joined(separator: " ")
    }

    private static func answers(_ count: Int, of side: SideName) -> LocalizedText {
        switch (side, count) {
        case (.left, 0): LocalizedText("no answers of the left hand")
        case (.right, 0): LocalizedText("no answers of the right hand")
        case (.left, _): LocalizedText("\(spelled: count) of the left hand")
        case (.right, _): LocalizedText("\(spelled: count) of the right hand")
        }
    }

    private static func changeText(
        _ change: PracticeTrend?, parts: Int, by length: DayBins.Length, in localized: Localizer
    ) -> String {
        guard let change else { return localized.string(tooFew(parts, length)).capitalizedFirst }
        func words(_ slope: Int64) -> LocalizedText {
            let milliseconds = Int((Double(slope) / 10_000_000).rounded())
            return switch milliseconds {
            case 0: LocalizedText("0 ms")
            case ..<0: LocalizedText("\(-milliseconds) ms less")
            default: LocalizedText("\(milliseconds) ms more")
            }
        }
        let (slope, least, most) = (words(change.slope), words(change.lowerSlope), words(change.upperSlope))
        let text =
            switch length {
            case .day:
                localized(
                    "From day to day it was \(slope), 95% range \(least) to \(most), over \(spelled: parts) days.")
            case .week:
                localized(
                    "From week to week it was \(slope), 95% range \(least) to \(most), over \(spelled: parts) weeks.")
            case .fourWeeks:
                localized(
                    "From four weeks to the next it was \(slope), 95% range \(least) to \(most), over \(spelled: parts) spans of four weeks."
                )
            }
        return change.holdsNought ? "\(text) \(localized("It may also not have changed at all."))" : text
    }

    private static func tooFew(_ parts: Int, _ length: DayBins.Length) -> LocalizedText {
        switch (length, parts) {
        case (.day, 0): LocalizedText("No day has enough answers of both hands to say whether it changes.")
        case (.week, 0): LocalizedText("No week has enough answers of both hands to say whether it changes.")
        case (.fourWeeks, 0):
            LocalizedText("No four weeks have enough answers of both hands to say whether it changes.")
        case (.day, _):
            LocalizedText(
                "\(spelled: parts) days with enough answers of both hands are too few to say whether it changes.")
        case (.week, _):
            LocalizedText(
                "\(spelled: parts) weeks with enough answers of both hands are too few to say whether it changes.")
        case (.fourWeeks, _):
            LocalizedText(
                "\(spelled: parts) spans of four weeks with enough answers of both hands are too few to say whether it changes."
            )
        }
    }

    private static func whole(_ tenths: Int32) -> Int { Int((Double(tenths) / 10).rounded()) }
}
