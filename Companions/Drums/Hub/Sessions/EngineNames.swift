import DrumsEngine
import GRDB
import Localization

// What the engine has numbers for, by name.

extension Level {
    /// The level's name in the original, as people read it.
    var title: LocalizedText {
        switch self {
        case .one: LocalizedText("Easy")
        case .two: LocalizedText("Medium")
        case .three: LocalizedText("Hard")
        case .four: LocalizedText("Mingsanity")
        }
    }

    /// The title of a level by its number, from 1; of one that there is not, the number.
    static func title(_ number: Int) -> LocalizedText {
        UInt8(exactly: number).flatMap(Level.init(rawValue:))?.title ?? LocalizedText(verbatim: String(number))
    }
}

extension PlayMode {
    /// The mode's name in the database and in JSON.
    enum Name: String, Codable, Sendable, CaseIterable { case wait, flow }

    var name: Name { self == .wait ? .wait : .flow }
}

extension Hands {
    /// The name of the choice of hands in the database and in JSON.
    enum Name: String, Codable, Sendable, CaseIterable { case both, left, right }

    var name: Name {
        switch self {
        case .both: .both
        case .left: .left
        case .right: .right
        }
    }
}

extension Side {
    /// The side's name in JSON.
    var name: String { self == .left ? "left" : "right" }
}

extension LinkKind {
    /// The link's name in the database and in JSON.
    enum Name: String, Codable, Sendable, CaseIterable {
        case screen, keyboard, bluetooth, wifi, midi, bluetoothMIDI, imported

        /// The link of the engine.
        var kind: LinkKind { LinkKind.allCases.first { $0.name == self } ?? .screen }
        /// The clock that measures what is hit over it.
        var clock: ReactionClock { kind.clock }
    }

    var name: Name {
        switch self {
        case .screen: .screen
        case .keyboard: .keyboard
        case .bluetooth: .bluetooth
        case .wifi: .wifi
        case .midi: .midi
        case .bluetoothMIDI: .bluetoothMIDI
        case .imported: .imported
        }
    }
}

extension SessionEnd {
    /// The name of the end in the database and in JSON.
    enum Name: String, Codable, Sendable, CaseIterable {
        case finished, stopped, left, minutesOver, restNeeded, linkLost
    }

    var name: Name {
        switch self {
        case .finished: .finished
        case .stopped: .stopped
        case .left: .left
        case .minutesOver: .minutesOver
        case .restNeeded: .restNeeded
        case .linkLost: .linkLost
        }
    }
}

extension Verdict {
    /// The verdict's name in JSON and in tables.
    enum Name: String, Codable, Sendable, CaseIterable {
        case right, wrongFirst, offTime, missed, notJudged, unanswered
    }

    var name: Name {
        switch self {
        case .right: .right
        case .wrongFirst: .wrongFirst
        case .offTime: .offTime
        case .missed: .missed
        case .notJudged: .notJudged
        case .unanswered: .unanswered
        }
    }
}

extension PlayMode.Name: DatabaseValueConvertible {}
extension Hands.Name: DatabaseValueConvertible {}
extension LinkKind.Name: DatabaseValueConvertible {}
extension SessionEnd.Name: DatabaseValueConvertible {}
extension ReactionClock: DatabaseValueConvertible {}
