/// The outcome of a beat.
public enum Verdict: UInt8, Sendable {
    /// The right drum, and no other before it; in flow mode within the window too.
    case right = 1
    /// The right drum, after at least one other.
    case wrongFirst
    /// Flow mode: the right drum, outside the window.
    case offTime
    /// Flow mode: no hit came.
    case missed
    /// The link was lost while the beat was due; in flow mode also: a pause or a new page came between.
    case notJudged
    /// The session ended before an answer.
    case unanswered
}

/// The result of one beat that was asked for.
public struct BeatResult: Sendable, Equatable {
    /// The step of the chart, from 0.
    public var step: Int
    /// The drum that was asked for.
    public var drum: Drum
    /// The outcome.
    public var verdict: Verdict
    /// The time from the cue to the right drum, by the drum's own clock where the link has one. Nil where no answer
    /// came.
    public var reactionMilliseconds: Int32?
    /// The lateness of the hit, in flow mode; negative is early.
    public var errorMilliseconds: Int32?
    /// The force, relative, without a unit, in hundredths. Nil where the pad has no sensor, the original's -1.00.
    public var forceHundredths: Int32?
    /// The other drums that were hit first, in their order.
    public var wrong: [Drum]
    /// The time that the music waited for this beat's answer.
    public var waitedMilliseconds: Int32
    /// The link by which the beat was answered, or would have been.
    public var link: LinkKind
    /// The hand that was to play it.
    public var side: Side

    /// Whether the reaction time is possible for a person: at least ``SessionRules/leastReaction``.
    public var isPlausible: Bool { SessionRules.isPlausible(reactionMilliseconds: reactionMilliseconds) }
}

/// The way in which a session ended.
public enum SessionEnd: UInt8, Sendable {
    /// The song ended.
    case finished = 1
    /// The player stopped the session, or its record is full: ``DrumSession/Limits/events``.
    case stopped
    /// The page went away and did not come back within ``SessionRules/longestAbsence``.
    case left
    /// A stop rule of the plan ended it: its minutes are over.
    case minutesOver
    /// A stop rule of the plan ended it: too few beats were right.
    case restNeeded
    /// The link was lost, and the player did not go on.
    case linkLost
}

/// The result that the engine computes from a session's events.
public struct SessionResult: Sendable, Equatable {
    /// The start, UTC milliseconds, by the player's device.
    public var startedAt: Int64
    /// The end: the start and all time since, absences too. Of a session that was left, the time of its last event.
    public var endedAt: Int64
    /// The time of practice: without pauses, absences and the time that the link was lost; with the time that the music
    /// waited for an answer, at most ``SessionRules/longestCountedWait`` each time; in flow mode, of the time in which
    /// drums are lit and nobody hits, at most ``SessionRules/longestIdle`` each time.
    public var milliseconds: Int64
    /// Every beat that was asked for, in the order of the song.
    public var beats: [BeatResult]
    /// The number of beats that were answered, early and late too.
    public var answered: Int
    /// The number of right beats.
    public var right: Int
    /// The number of judged beats: all but ``Verdict/notJudged`` and ``Verdict/unanswered``.
    public var judged: Int
    /// The reaction times, milliseconds, plausible ones only.
    public var reaction: Distribution?
    /// The number of answers that were faster than a person can be.
    public var implausible: Int
    /// The force on the pads that have a sensor, without a unit.
    public var force: Distribution?
    /// The latency, milliseconds: the time that the link took to the pad and back, beyond the reaction.
    public var latency: Distribution?
    /// The lateness of hits in flow mode, milliseconds, negative early; those within ``SessionRules/openAfterBeat``
    /// either way.
    public var timing: Distribution?
    /// The number of times that the music waited.
    public var waits: Int
    /// The time that the link was lost.
    public var lostMilliseconds: Int64
    /// The number of messages that answered nothing that was asked: another drum's, doubles, noise.
    public var stray: Int
    /// The way in which the session ended; nil while it runs.
    public var end: SessionEnd?
}
