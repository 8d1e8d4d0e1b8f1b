import DrumsEngine
import GRDB
import Localization

// What the engine has numbers for, by name.

extension Level {
    /// As the original calls it, and as people read it.
    var title: LocalizedText {
        switch self {
        case .one: LocalizedText("Easy")
        case .two: LocalizedText("Medium")
        case .three: LocalizedText("Hard")
        case .four: LocalizedText("Mingsanity")
        }
    }

    /// Of a level by its number, from 1; of one that there is not, the number.
    static func title(_ number: Int) -> LocalizedText {
        UInt8(exactly: number).flatMap(Level.init(rawValue:))?.title ?? LocalizedText(verbatim: String(number))
    }
}

extension PlayMode {
    /// In the database and in JSON.
    enum Name: String, Codable, Sendable, CaseIterable { case wait, flow }

    var name: Name { self == .wait ? .wait : .flow }
}

extension Hands {
    /// In the database and in JSON.
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
    /// In JSON.
    var name: String { self == .left ? "left" : "right" }
}

extension LinkKind {
    /// In the database and in JSON.
    enum Name: String, Codable, Sendable, CaseIterable {
        case screen, keyboard, bluetooth, wifi, midi, bluetoothMIDI, imported

        /// Of the engine.
        var kind: LinkKind { LinkKind.allCases.first { $0.name == self } ?? .screen }
        /// Whose clock measures what is hit over it.
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
    /// In the database and in JSON.
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
    /// In JSON and in tables.
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
