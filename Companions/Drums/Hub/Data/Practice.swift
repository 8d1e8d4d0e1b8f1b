import DrumsEngine
import GRDB
import HubKit
import Storage

/// What somebody really played on some days, replayed by the engine from the stored events.
struct Practice: Sendable {
    /// One beat that was asked for.
    struct Beat: Sendable {
        /// Local, since 1 January 1970.
        var day: Int32
        var level: Int
        var isFlow: Bool
        var result: BeatResult
    }

    /// The earliest first.
    var sessions: [PlayedRecord] = []
    var beats: [Beat] = []
    /// That could be asked for in any of the sessions.
    var drums = DrumSet(rawValue: 0)
    /// Sessions that are stored and that today's engine cannot read.
    var unread = 0

    init() {}

    /// - Parameter days: since 1 January 1970.
    init(of person: String, days: ClosedRange<Int32>, _ db: Database) throws {
        for played in try PlayedSessions.all(of: person, days: days, db) {
            add(played.record, played.session)
        }
        let stored =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM drums_session WHERE person = ? AND day BETWEEN ? AND ?",
                arguments: [person, days.lowerBound, days.upperBound]) ?? 0
        unread = stored - sessions.count
    }

    mutating func add(_ record: PlayedRecord, _ session: DrumSession) {
        let setup = session.setup
        drums = drums.union(setup.drums)
        sessions.append(record)
        for beat in session.result.beats {
            beats.append(
                Beat(day: record.day, level: record.level, isFlow: setup.mode == .flow, result: beat))
        }
    }

    /// Of the sessions: local days on which something was played.
    var days: Int { Set(sessions.map(\.day)).count }

    /// Beats that were answered.
    var answered: Int { beats.count { $0.result.reactionMilliseconds != nil } }

    /// Beats with a reaction time that tells of the player: in the mode in which the music waits, plausible, by one clock.
    ///
    /// In flow mode one plays ahead of the light, and what lies between light and hit is no reaction.
    func reactions(_ clock: ReactionClock) -> [Beat] {
        beats.filter { $0.isReaction && $0.result.link.clock == clock }
    }

    /// The clocks that there are reactions of, the one with most first.
    var clocks: [ReactionClock] {
        var counts: [ReactionClock: Int] = [:]
        for beat in beats where beat.isReaction { counts[beat.result.link.clock, default: 0] += 1 }
        return ReactionClock.allCases.filter { counts[$0] != nil }
            .sorted { (counts[$0] ?? 0) > (counts[$1] ?? 0) }
    }

    /// Answers of the waiting mode that were faster than a person can be.
    func implausible(_ clock: ReactionClock) -> Int {
        beats.count { beat in
            !beat.isFlow && beat.result.link.clock == clock && beat.result.reactionMilliseconds != nil
                && !beat.result.isPlausible
        }
    }

    /// What was judged while the music waited: right at the first hit or not.
    var judged: [Beat] { beats.filter { !$0.isFlow && $0.result.isJudged } }

    /// Beats whose pad told a force.
    func forces(_ linkClass: LinkClass) -> [Beat] {
        beats.filter { $0.result.forceHundredths != nil && $0.result.link.linkClass == linkClass }
    }

    /// Beats of flow mode with a hit that tells of the player, by one clock: within ``SessionRules/openAfterBeat`` either
    /// way, as ``AdaptiveWindow`` learns from them. How long after the light they came does not matter: leaving out what
    /// is no reaction to it would leave out early hits only, and tell everybody later than they are.
    func timed(_ clock: ReactionClock) -> [Beat] {
        beats.filter { beat in
            guard beat.isFlow, beat.result.link.clock == clock, let error = beat.result.errorMilliseconds else {
                return false
            }
            return error.magnitude <= SessionRules.openAfterBeat.magnitude
        }
    }
}

extension Practice.Beat {
    fileprivate var isReaction: Bool { !isFlow && result.isPlausible }
}

extension BeatResult {
    /// Whether it was judged at all.
    var isJudged: Bool { verdict != .notJudged && verdict != .unanswered }
}

extension [Practice.Beat] {
    func of(_ side: Side) -> [Practice.Beat] { filter { $0.result.side == side } }

    /// Milliseconds.
    var reactionTimes: [Int32] { compactMap(\.result.reactionMilliseconds) }
    /// Hundredths.
    var forceValues: [Int32] { compactMap(\.result.forceHundredths) }
    /// Milliseconds.
    var errors: [Int32] { compactMap(\.result.errorMilliseconds) }
    var right: Int { count { $0.result.verdict == .right } }
}
