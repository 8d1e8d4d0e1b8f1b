/// What became of a beat.
public enum Verdict: UInt8, Sendable {
    /// The right drum, and no other before it; in flow mode within the window too.
    case right = 1
    /// The right drum, after at least one other.
    case wrongFirst
    /// Flow mode: the right drum, outside the window.
    case offTime
    /// Flow mode: nothing came.
    case missed
    /// The link was lost while it was due; in flow mode also: a pause or a new page came between.
    case notJudged
    /// The session ended before an answer.
    case unanswered
}

/// One beat that was asked for.
public struct BeatResult: Sendable, Equatable {
    /// Its place in the chart, from 0.
    public var step: Int
    /// The drum that was asked for.
    public var drum: Drum
    public var verdict: Verdict
    /// From the cue to the right drum, by the drum's own clock where the link has one. Nil where none came.
    public var reactionMilliseconds: Int32?
    /// Flow mode: how late the hit was; negative is early.
    public var errorMilliseconds: Int32?
    /// Relative, without a unit, in hundredths. Nil where the pad has no sensor, the original's -1.00.
    public var forceHundredths: Int32?
    /// The other drums that were hit first, in their order.
    public var wrong: [Drum]
    /// How long the music waited for this beat's answer.
    public var waitedMilliseconds: Int32
    /// By which link it was answered, or would have been.
    public var link: LinkKind
    /// Which hand it was asked of.
    public var side: Side

    /// Whether its reaction time is one that a person can have: ``SessionRules/leastReaction``.
    public var isPlausible: Bool {
        reactionMilliseconds.map { $0 >= SessionRules.leastReaction } ?? false
    }
}

/// How a session ended.
public enum SessionEnd: UInt8, Sendable {
    /// At the end of the song.
    case finished = 1
    /// By the player.
    /// Or by a record that holds no more: ``DrumSession/Limits/events``.
    case stopped
    /// The page went away and did not come back within ``SessionRules/longestAbsence``.
    case left
    /// By a stop rule of the plan: its minutes are over.
    case minutesOver
    /// By a stop rule of the plan: too few right.
    case restNeeded
    /// The link was lost, and the player did not go on.
    case linkLost
}

/// What the engine makes of a session's events.
public struct SessionResult: Sendable, Equatable {
    /// UTC milliseconds, by the player's device.
    public var startedAt: Int64
    /// The start and all time since, absences too. Of a session that was left: when something happened in it last.
    public var endedAt: Int64
    /// Practised: without pauses, absences and the time that the link was lost; with the time that the music waited for
    /// an answer, at most ``SessionRules/longestCountedWait`` each time; in flow mode, of the time in which drums are lit
    /// and nobody hits, at most ``SessionRules/longestIdle`` each time.
    public var milliseconds: Int64
    /// Every beat that was asked for, in the order of the song.
    public var beats: [BeatResult]
    /// How many of them were answered, early and late too.
    public var answered: Int
    /// How many were right.
    public var right: Int
    /// How many were judged: all but ``Verdict/notJudged`` and ``Verdict/unanswered``.
    public var judged: Int
    /// Milliseconds, of plausible reactions only.
    public var reaction: Distribution?
    /// How many answers were faster than a person can be.
    public var implausible: Int
    /// Of the pads that have a sensor, without a unit.
    public var force: Distribution?
    /// Milliseconds that the link took to the pad and back, beyond the reaction.
    public var latency: Distribution?
    /// Flow mode: milliseconds that hits were late, negative early; those within ``SessionRules/openAfterBeat`` either way.
    public var timing: Distribution?
    /// How often the music waited.
    public var waits: Int
    /// How long the link was lost.
    public var lostMilliseconds: Int64
    /// Messages that answered nothing that was asked: another drum's, doubles, noise.
    public var stray: Int
    /// Nil while it runs.
    public var end: SessionEnd?
}
