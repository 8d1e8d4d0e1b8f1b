import DrumsEngine

/// Links whose hits can be compared with each other.
enum LinkClass: String, Encodable, Sendable, CaseIterable {
    case kit, midi, screen, keyboard
}

/// Whose clock measured a reaction.
enum ReactionClock: String, Encodable, Sendable, CaseIterable {
    /// The drum's own: what the link takes is no part of it.
    case drum
    /// The page's: with what screen, keyboard or cable take, less what calibration found.
    case page

    /// Behind the title of a chart.
    var words: String { self == .drum ? "by the drum’s own clock" : "by the page’s clock" }
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
