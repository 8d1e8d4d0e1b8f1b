import DrumsEngine

/// A person's real practice on some days, as the engine judged it.
struct Practice: Sendable {
    /// A beat that was asked for: of its ``BeatResult`` what charts are made of, and nothing that has to be counted by
    /// reference, for a year of them is copied many times. In an order that leaves no gaps: 28 bytes and not 48.
    struct Beat: Sendable {
        /// The local day, counted from 1 January 1970.
        let day: Int32
        let reactionMilliseconds: Int32?
        let drum: Drum
        let side: Side
        let link: LinkKind
        let errorMilliseconds: Int32?
        let verdict: Verdict
        let isFlow: Bool
        /// Whether its reaction is one that a person can have.
        let isPlausible: Bool
        let forceHundredths: Int32?
        let level: UInt8
        /// Percent of the song's own tempo.
        let tempoPercent: UInt8

        init(
            day: Int32, level: Int, tempoPercent: UInt8 = SessionRules.ownTempo, isFlow: Bool, result: PlayedBeats.Beat
        ) {
            self.day = day
            self.level = UInt8(clamping: level)
            self.tempoPercent = tempoPercent
            self.isFlow = isFlow
            drum = result.drum
            side = result.side
            link = result.link
            verdict = result.verdict
            reactionMilliseconds = result.reactionMilliseconds
            errorMilliseconds = result.errorMilliseconds
            forceHundredths = result.forceHundredths
            isPlausible = SessionRules.isPlausible(reactionMilliseconds: result.reactionMilliseconds)
        }
    }

    /// The earliest first.
    var sessions: [ResultRecord] = []
    var beats: [Beat] = []
    /// The drums that could be asked for in any of the sessions.
    var drums = DrumSet(rawValue: 0)
    /// The number of sessions that are stored and that today's engine cannot read.
    var unread = 0

    init() {}

    /// Takes songs as they are stored. What is not kept of them is replayed, which takes long for a year: not for a reader of the
    /// database.
    ///
    /// - Parameter songs: the earliest first.
    init(_ songs: [StoredPractice.Song]) {
        beats.reserveCapacity(songs.reduce(0) { $0 + $1.result.beats })
        for song in songs {
            if let played = song.played { add(song.result, played) } else { unread += 1 }
        }
    }

    private mutating func add(_ song: ResultRecord, _ played: PlayedBeats) {
        drums = drums.union(played.drums)
        sessions.append(song)
        let (tempo, isFlow) = (UInt8(clamping: song.tempoPercent), song.mode == .flow)
        for beat in played.beats {
            beats.append(Beat(day: song.day, level: song.level, tempoPercent: tempo, isFlow: isFlow, result: beat))
        }
    }

    /// The number of local days on which something was played.
    var days: Int { Set(sessions.map(\.day)).count }

    /// The number of beats that were answered.
    var answered: Int { beats.count { $0.reactionMilliseconds != nil } }

    /// Beats with a reaction time that tells of the player: in the mode in which the music waits, plausible, by one
    /// clock.
    ///
    /// In flow mode one plays ahead of the light, and what lies between light and hit is no reaction.
    func reactions(_ clock: ReactionClock) -> [Beat] {
        beats.filter { $0.isReaction && $0.link.clock == clock }
    }

    /// The clocks that there are reactions of, the one with most first.
    var clocks: [ReactionClock] {
        ReactionClock.allCases.map { clock in (clock, count: beats.count { $0.isReaction && $0.link.clock == clock }) }
            .filter { $0.count > 0 }.sorted { $0.count > $1.count }.map(\.0)
    }

    /// Answers of the waiting mode that were faster than a person can be.
    func implausible(_ clock: ReactionClock) -> Int {
        beats.count { beat in
            !beat.isFlow && beat.link.clock == clock && beat.reactionMilliseconds != nil
                && !beat.isPlausible
        }
    }

    /// The beats that were judged while the music waited: right at the first try or not.
    var judged: [Beat] { beats.filter { !$0.isFlow && $0.isJudged } }

    /// Beats whose pad measured a force.
    func forces(_ linkClass: LinkClass) -> [Beat] {
        beats.filter { $0.forceHundredths != nil && $0.link.linkClass == linkClass }
    }

    /// Beats of flow mode with a hit that tells of the player, by one clock: within ``SessionRules/openAfterBeat``
    /// either way, as ``AdaptiveWindow`` learns from them. How long after the light they came does not matter: leaving
    /// out what is no reaction to it would leave out early hits only, and tell everybody later than they are.
    func timed(_ clock: ReactionClock) -> [Beat] {
        beats.filter { beat in
            guard beat.isFlow, beat.link.clock == clock, let error = beat.errorMilliseconds else {
                return false
            }
            return error.magnitude <= SessionRules.openAfterBeat.magnitude
        }
    }
}

extension Practice.Beat {
    fileprivate var isReaction: Bool { !isFlow && isPlausible }

    /// Whether it was judged at all.
    var isJudged: Bool { verdict != .notJudged && verdict != .unanswered }
}

extension [Practice.Beat] {
    func of(_ side: Side) -> [Practice.Beat] { filter { $0.side == side } }

    /// Milliseconds.
    var reactionTimes: [Int32] { compactMap(\.reactionMilliseconds) }
    /// The forces of the beats, in hundredths.
    var forceValues: [Int32] { compactMap(\.forceHundredths) }
    /// Milliseconds.
    var errors: [Int32] { compactMap(\.errorMilliseconds) }
    var right: Int { count { $0.verdict == .right } }

    /// The tempo that most of them were played at, percent of a song's own; of as many, the one nearest to that. Nil
    /// without beats.
    var tempoOfMost: UInt8? {
        var counts: [UInt8: Int] = [:]
        for beat in self { counts[beat.tempoPercent, default: 0] += 1 }
        var best: (tempo: UInt8, count: Int)?
        for tempo in counts.keys.sorted(by: { SessionRules.isNearerToOwnTempo($0, than: $1) }) {
            let count = counts[tempo, default: 0]
            if count > best?.count ?? 0 { best = (tempo, count) }
        }
        return best?.tempo
    }

    func at(tempoPercent: UInt8) -> [Practice.Beat] { filter { $0.tempoPercent == tempoPercent } }
}

extension SessionRules {
    /// Whether a tempo comes before another in the order of tempos: a song's own first, then what is ever farther from
    /// it, the slower one of two.
    static func isNearerToOwnTempo(_ one: UInt8, than other: UInt8) -> Bool {
        func distance(_ tempo: UInt8) -> Int { abs(Int(tempo) - Int(ownTempo)) }
        return (distance(one), one) < (distance(other), other)
    }
}
