import DrumsEngine
import HubKit

/// Sentences about practice that more than one page says.
enum PracticeText {
    static let log = "This is a log of practice. It is not an assessment."
    static let window =
        "On the beat means within a window that follows this player’s own hits, so its share of the beats says how even they were, not how fast."

    static func implausible(_ count: Int) -> String {
        "\(count == 1 ? "One answer" : "\(count.spelled.capitalizedFirst) answers") under \(SessionRules.leastReaction) ms \(count == 1 ? "was" : "were") left out: nobody reacts as fast."
    }

    /// Where a song did not come to its end; nil where it did.
    static func ended(_ end: SessionEnd.Name) -> String? {
        switch end {
        case .finished: nil
        case .stopped: "stopped before its end"
        case .left: "left before its end"
        case .minutesOver: "ended when its minutes were over"
        case .restNeeded: "ended for a rest"
        case .linkLost: "ended when the link was lost"
        }
    }

    /// `red drum`, `red and blue drums`: those that measured a force.
    static func drums(_ beats: [Practice.Beat]) -> String {
        let drums = Drum.allCases.filter { drum in beats.contains { $0.drum == drum } }
        guard drums.count < Drum.allCases.count else { return "all four drums" }
        return "\(drums.map(\.word).listed) \(drums.count == 1 ? "drum" : "drums")"
    }
}
