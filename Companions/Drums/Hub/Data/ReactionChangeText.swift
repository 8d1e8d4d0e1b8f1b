import DrumsEngine
import HubKit
import Localization

/// The words about a change, from the facts alone.
struct ReactionChangeText: Equatable, Sendable {
    /// The hand that changed; nil for both.
    var side: SideName?
    /// The change in percent, and the ends of its interval. Less than nought is quicker, and neither of the ends is on
    /// the other side of nought.
    var percent, from, to: Int
    var answers, days: Int
    var level: Int
    var linkClass: LinkClass
    /// The first and the last of the days, counted from 1 January 1970.
    var first, last: Int32

    /// A shorter time is told by its first day, a longer one by its month.
    static let leastDaysOfMonths: Int32 = 60

    /// The sentence about the change, such as `Right hand 17% quicker since August.`
    var words: LocalizedText {
        let amount = abs(percent)
        return switch (side, percent < 0) {
        case (.left, true): LocalizedText("Left hand \(amount)% quicker since \(since).")
        case (.left, false): LocalizedText("Left hand \(amount)% slower since \(since).")
        case (.right, true): LocalizedText("Right hand \(amount)% quicker since \(since).")
        case (.right, false): LocalizedText("Right hand \(amount)% slower since \(since).")
        case (nil, true): LocalizedText("Both hands \(amount)% quicker since \(since).")
        case (nil, false): LocalizedText("Both hands \(amount)% slower since \(since).")
        }
    }

    /// The sentence about what is behind it, such as `Of 31 days, 1,204 answers at the level Medium on the kit; 95%
    /// range 9 to 24%.`
    var behind: LocalizedText {
        let (least, most) = (min(abs(from), abs(to)), max(abs(from), abs(to)))
        let level = Level.title(level)
        return switch linkClass {
        case .kit:
            LocalizedText(
                "Of \(days) days, \(answers) answers at the level \(level) on the kit; 95% range \(least) to \(most)%.")
        case .midi:
            LocalizedText(
                "Of \(days) days, \(answers) answers at the level \(level) on electronic drums; 95% range \(least) to \(most)%."
            )
        case .screen:
            LocalizedText(
                "Of \(days) days, \(answers) answers at the level \(level) on the screen; 95% range \(least) to \(most)%."
            )
        case .keyboard:
            LocalizedText(
                "Of \(days) days, \(answers) answers at the level \(level) on the keyboard; 95% range \(least) to \(most)%."
            )
        }
    }

    private var since: LocalizedText {
        let (start, end) = (CivilDate(day: first), CivilDate(day: last))
        if last - first < Self.leastDaysOfMonths { return start.dayAndMonth }
        return start.year == end.year ? start.monthText : LocalizedText("\(start.monthText) \(String(start.year))")
    }
}

extension CivilDate {
    /// The name of the month, such as `August`.
    fileprivate var monthText: LocalizedText {
        switch month {
        case 1: LocalizedText("January")
        case 2: LocalizedText("February")
        case 3: LocalizedText("March")
        case 4: LocalizedText("April")
        case 5: LocalizedText("May")
        case 6: LocalizedText("June")
        case 7: LocalizedText("July")
        case 8: LocalizedText("August")
        case 9: LocalizedText("September")
        case 10: LocalizedText("October")
        case 11: LocalizedText("November")
        default: LocalizedText("December")
        }
    }
}
