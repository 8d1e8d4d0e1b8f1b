import HubKit
import Localization

/// The questions before and after a song, where the plan asks for it: with all its words, so that a page asks without
/// the hub too.
struct SelfReportQuestionsResponse: Codable, Sendable {
    /// An answer of a scale.
    struct Choice: Codable, Sendable {
        var value: Int
        /// The meaning of the value, where the scale says so.
        var words: String?
        /// Whether it is as much as the plan says to stop at.
        var stops: Bool
    }

    /// A question and its answers, the least first.
    struct Scale: Codable, Sendable {
        enum Name: String, Codable, Sendable, CaseIterable { case pain, effort }

        var name: Name
        var before, after: String
        var choices: [Choice]
    }

    /// The words for somebody whom it hurts too much.
    struct Stop: Codable, Sendable { var title, words: String }

    /// The milliseconds without a song after which a practice is over, and the next is asked about anew.
    static let pauseMilliseconds: Int64 = 30 * 60_000

    var scales: [Scale]
    /// The time from which on the next song begins a practice, UTC milliseconds.
    var from: Int64
    var pauseMilliseconds = Self.pauseMilliseconds
    var stop: Stop

    /// Makes the questions of a plan.
    ///
    /// - Parameter last: when something was played or said last, UTC milliseconds; nil for not today.
    /// - Returns: nil where the plan asks for nothing.
    init?(_ plan: PracticePlan?, last: Int64?, in localized: Localizer) {
        guard let plan, plan.asksPain || plan.asksEffort else { return nil }
        scales = []
        if plan.asksPain { scales.append(Self.pain(limit: plan.painLimit, in: localized)) }
        if plan.asksEffort { scales.append(Self.effort(in: localized)) }
        from = last.map { $0 + Self.pauseMilliseconds } ?? 0
        stop = Stop(
            title: localized("Better rest now"),
            words: localized(
                "Stop playing for today and tell a grown-up that it hurts. \(plan.setBy) wants to know about it."))
    }

    private static func pain(limit: Int?, in localized: Localizer) -> Scale {
        Scale(
            name: .pain, before: localized("Does anything hurt right now?"),
            after: localized("Does anything hurt now?"),
            choices: SelfReport.values.map { value in
                let words: LocalizedText? =
                    switch value {
                    case 0: LocalizedText("no pain")
                    case 5: LocalizedText("moderate pain")
                    case 10: LocalizedText("worst pain")
                    default: nil
                    }
                return Choice(
                    value: value, words: words.map { localized.string($0) },
                    stops: limit.map { value >= $0 } ?? false)
            })
    }

    private static func effort(in localized: Localizer) -> Scale {
        Scale(
            name: .effort, before: localized("How hard does it feel to move your hand right now?"),
            after: localized("How hard was it for your hand?"),
            choices: SelfReport.values.map { value in
                let words: LocalizedText? =
                    switch value {
                    case 0: LocalizedText("not at all")
                    case 1: LocalizedText("very light")
                    case 2: LocalizedText("light")
                    case 3: LocalizedText("moderate")
                    case 5: LocalizedText("hard")
                    case 7: LocalizedText("very hard")
                    case 10: LocalizedText("as hard as can be")
                    default: nil
                    }
                return Choice(value: value, words: words.map { localized.string($0) }, stops: false)
            })
    }
}
