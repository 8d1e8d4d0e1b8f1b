import HubKit
import Localization

/// The hub's words about everybody's drumming together.
struct OverviewText: HeadlineText, Equatable, Sendable {
    var headline: [LocalizedText]
    var lead: [LocalizedText]
    var weight: HeadlineWeight

    /// The facts about each person whose week the page may see.
    struct Person: Sendable {
        var name: String
        /// The time that was practised this week, in whole minutes, and whether anything was played at all.
        var minutes = 0
        var hasPlayed = false
        /// Whether the week ends today by their clock.
        var isSunday = false
        /// The minutes that are planned for the week; nil where nothing is planned.
        var plannedMinutes: Int?
        /// The minutes that are left of what the plan allows today, and those of a song at most; nil for no limit.
        var leftTodayMinutes, minutesAtATime: Int?

        /// The minutes that are left of what is planned; nil where nothing is planned.
        var leftMinutes: Int? { plannedMinutes.map { max(0, $0 - minutes) } }

        /// The words for the minutes that are left of the week, as far as the plan allows it at once.
        fileprivate var left: [LocalizedText]? {
            guard let week = leftMinutes else { return nil }
            guard week > 0 else { return [LocalizedText("That is all that was planned.")] }
            let today = min(week, leftTodayMinutes ?? week)
            guard today > 0 else { return [LocalizedText("That is all for today.")] }
            let left = isSunday ? today : week
            let words =
                isSunday
                ? LocalizedText("\(left) minutes are left for today.")
                : LocalizedText("\(left) minutes are left until Sunday.")
            guard let most = minutesAtATime, most < left else { return [words] }
            return [words, LocalizedText("At most \(most) minutes at a time.")]
        }
    }

    /// Finds the words for a household.
    ///
    /// - Parameters:
    ///   - people: those whose week the page may see.
    ///   - isEmpty: whether nobody lives here.
    ///   - isNew: whether nobody of the household has ever drummed.
    init(_ people: [Person], isEmpty: Bool = false, isNew: Bool = false) {
        let active = people.filter(\.hasPlayed)
        let play = LocalizedText("Choose a song and play.")
        weight = active.isEmpty ? .nothing : .well
        guard let first = active.first else {
            headline = [
                isEmpty
                    ? LocalizedText("Nobody lives here yet.")
                    : isNew
                        ? LocalizedText("Nobody has drummed here yet.")
                        : LocalizedText("Nobody has drummed this week yet.")
            ]
            lead = [
                people.first { $0.plannedMinutes != nil }.map {
                    LocalizedText("\($0.plannedMinutes ?? 0) minutes are planned for \($0.name) this week.")
                } ?? play
            ]
            return
        }
        // Siblings are not compared: with more than one, the names only.
        guard active.count == 1 else {
            headline = [LocalizedText("\(list: active.map(\.name)) practised this week.")]
            lead = [play]
            return
        }
        headline = [Self.headline(first)]
        lead = first.left ?? [play]
    }

    private static func headline(_ person: Person) -> LocalizedText {
        let (name, minutes) = (person.name, person.minutes)
        guard let planned = person.plannedMinutes else {
            return minutes == 0
                ? LocalizedText("\(name) practised less than a minute this week.")
                : LocalizedText("\(name) practised \(minutes) minutes this week.")
        }
        return minutes >= planned
            ? LocalizedText("\(name) practised \(minutes) minutes this week, of \(planned) planned.")
            : LocalizedText("\(name) practised \(minutes) of \(planned) minutes this week.")
    }
}
