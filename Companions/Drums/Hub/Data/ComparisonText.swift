import DrumsEngine
import Localization

/// The words about an earlier stretch below a chart that lies over it.
enum ComparisonText {
    /// The sentences that compare reactions with those of an earlier stretch.
    ///
    /// - Parameters:
    ///   - difference: the later less the earlier; nil where one of them has too few answers.
    ///   - days: of the earlier stretch, such as `28 Sep–25 Oct`.
    static func reactions(
        _ earlier: Quartiles, _ now: Quartiles, _ difference: ReactionDifference?, _ days: String,
        in localized: Localizer
    ) -> String {
        let before = localized("\(days): median \(whole(earlier.median)) ms, n = \(localized.whole(earlier.n)).")
        guard let difference else { return before }
        let (amount, margin) = (tenths(abs(difference.tenths)), tenths(difference.marginTenths))
        let change =
            amount == 0
            ? localized("The same now, ± \(margin) ms.")
            : difference.tenths < 0
                ? localized("Now \(amount) ms quicker, ± \(margin) ms.")
                : localized("Now \(amount) ms slower, ± \(margin) ms.")
        let doubt =
            difference.holdsNought && amount != 0 ? [localized("There may also be no difference at all.")] : []
        return ([before, change] + doubt).joined(separator: " ")
    }

    static func share(_ earlier: CorrectShare, _ days: String, in localized: Localizer) -> String {
        localized("\(days): \(earlier.percent)%, 95% range \(earlier.range), n = \(localized.whole(earlier.n)).")
    }

    static func force(_ earlier: Quartiles, _ days: String, in localized: Localizer) -> String {
        let median = LocalizedText("\(thousandths: Int((earlier.median * 1_000).rounded()), decimals: 1)")
        return localized("\(days): median \(median), n = \(localized.whole(earlier.n)).")
    }

    static func timing(_ earlier: Quartiles, _ days: String, in localized: Localizer) -> String {
        localized("\(days): median \(whole(earlier.median)) ms, n = \(localized.whole(earlier.n)).")
    }

    private static func whole(_ milliseconds: Double) -> Int { Int(milliseconds.rounded()) }
    private static func tenths(_ tenths: Int32) -> Int { Int((Double(tenths) / 10).rounded()) }
}
