import DrumsEngine
import Localization

/// Links whose hits can be compared with each other.
enum LinkClass: String, Codable, Sendable, CaseIterable {
    case kit, midi, screen, keyboard
}

/// The clock that measured a reaction.
enum ReactionClock: String, Codable, Sendable, CaseIterable {
    /// The drum's own: what the link takes is no part of it.
    case drum
    /// The page's: with what screen, keyboard or cable take, less what calibration found.
    case page

    /// The words behind the title of a chart.
    var words: LocalizedText {
        self == .drum ? LocalizedText("by the drum’s own clock") : LocalizedText("by the page’s clock")
    }
}

extension LinkKind {
    var linkClass: LinkClass {
        switch self {
        case .screen: .screen
        case .keyboard: .keyboard
        case .bluetooth, .wifi, .imported: .kit
        case .midi, .bluetoothMIDI: .midi
        }
    }

    var clock: ReactionClock { hasOwnClock ? .drum : .page }
}

extension ReactionClock {
    /// The plausible reactions of some beats by the clock of most of them: the drum's and the page's are never in one
    /// figure. Of as many by each, the drum's.
    static func most(of beats: [BeatResult]) -> (clock: ReactionClock, reactions: Distribution)? {
        let beats = beats.filter(\.isPlausible)
        let own = beats.count { $0.link.clock == .drum }
        let clock: ReactionClock = own > 0 && own * 2 >= beats.count ? .drum : .page
        let times = beats.filter { $0.link.clock == clock }.compactMap(\.reactionMilliseconds)
        return Distribution(milliseconds: times).map { (clock, $0) }
    }
}
