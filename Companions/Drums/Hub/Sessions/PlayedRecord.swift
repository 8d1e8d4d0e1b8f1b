import DrumsEngine
import Foundation
import Storage

/// What the hub's engine made of a session when it came.
struct PlayedRecord: Storage.TableRecord {
    static let databaseTableName = "drums_session"

    var household: String
    var id: String
    var person: String
    /// The local date of its start, in days since 1 January 1970 by the person's clock at that time.
    var day: Int32
    /// Of that day by that clock, when it began.
    var minute: Int32
    /// UTC milliseconds.
    var startedAt: Int64
    var endedAt: Int64
    /// Practised: without pauses and absences.
    var milliseconds: Int64
    var songId: String
    var songTitle: String
    /// 1 to 3.
    var level: Int
    var mode: PlayMode.Name
    var hands: Hands.Name
    /// With which it began.
    var link: LinkKind.Name
    /// Those asked for, those judged, those answered, and those right.
    var beats: Int
    var judged: Int
    var answered: Int
    var right: Int
    /// Whose clock measured the reactions: that of most of them. Nil where there are none, and of sessions
    /// that were stored before this was recorded.
    var reactionClock: ReactionClock?
    /// Tenths of milliseconds, of plausible reactions by that clock only.
    var reactionCount: Int
    var reactionLowerTenths: Int32?
    var reactionMedianTenths: Int32?
    var reactionUpperTenths: Int32?
    /// Tenths, without a unit.
    var forceCount: Int
    var forceLowerTenths: Int32?
    var forceMedianTenths: Int32?
    var forceUpperTenths: Int32?
    /// Tenths of milliseconds.
    var latencyCount: Int
    var latencyLowerTenths: Int32?
    var latencyMedianTenths: Int32?
    var latencyUpperTenths: Int32?
    /// How many answers were faster than a person can be.
    var implausible: Int
    /// How often the music waited.
    var waits: Int
    var lostMilliseconds: Int64
    var stray: Int
    var end: SessionEnd.Name
    /// Whether the hub ended it, because the page that played it did not come back.
    var isClosedByHub: Bool
    /// What it shares with another session and counts there: `SessionBranchRecord`. Nil, and 0 beats, of most.
    var forkRoot: String?
    var forkOf: String?
    var forkEvents: Int?
    /// At the beginning of the engine's result, and in none of the numbers above.
    var forkBeats: Int
    /// ``TimingErrors`` of flow mode, of the beats that count here.
    var timing: Data
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
