import DrumsEngine
import HubKit
import Localization

/// Sentences about practice that more than one page says.
enum PracticeText {
    static let log = LocalizedText("This is a log of practice. It is not an assessment.")
    static let window = LocalizedText(
        "On the beat means within a window that follows this player’s own hits, so its share of the beats says how even they were, not how fast."
    )

    static func implausible(_ count: Int) -> LocalizedText {
        LocalizedText(
            "\(spelled: count) answers under \(Int(SessionRules.leastReaction)) ms were left out: nobody reacts as fast."
        )
    }

    /// The sums of some practice in a sentence, such as `Twelve songs on nine days, 41 minutes.`
    static func totals(_ practice: Practice, in localized: Localizer) -> String {
        guard !practice.sessions.isEmpty else { return localized("nothing was played.").capitalizedFirst }
        let minutes = PracticeWeek.minutes(practice.sessions.reduce(0) { $0 + $1.milliseconds })
        let songs = localized.count(songs: practice.sessions.count).capitalizedFirst
        return localized("\(songs) on \(spelled: practice.days) days, \(localized.count(minutes: minutes)).")
    }

    /// The words about a song that did not come to its end; nil where it did.
    static func ended(_ end: SessionEnd.Name) -> LocalizedText? {
        switch end {
        case .finished: nil
        case .stopped: LocalizedText("stopped before its end")
        case .left: LocalizedText("left before its end")
        case .minutesOver: LocalizedText("ended when its minutes were over")
        case .restNeeded: LocalizedText("ended for a rest")
        case .linkLost: LocalizedText("ended when the link was lost")
        }
    }

    /// The drums that measured a force, such as `red drum` or `red and blue drums`.
    static func drums(_ beats: [Practice.Beat]) -> LocalizedText {
        let drums = Drum.allCases.filter { drum in beats.contains { $0.drum == drum } }
        guard drums.count < Drum.allCases.count else { return LocalizedText("all four drums") }
        return LocalizedText("\(list: drums.map(\.word)) drums")
    }
}
