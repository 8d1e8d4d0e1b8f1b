/// The state that a screen shows of a session, and that sound needs, as of the last input.
public struct SessionView: Sendable, Equatable {
    /// Whether the song moves, or is about to after a breath: neither paused nor waiting.
    public let isRunning: Bool
    /// Whether the player has paused it, or a new page has not gone on with it yet.
    public let isPaused: Bool
    /// Whether the song has stopped for an answer.
    public let isWaiting: Bool
    /// Whether the link to the pads is lost.
    public let isLinkLost: Bool
    /// The way in which the session ended; nil while it runs.
    public let end: SessionEnd?
    /// The step whose answer is outstanding.
    public let cueStep: Int?
    /// The drum that is asked for.
    public let cueDrum: Drum?
    /// The hand that is to play it.
    public let cueSide: Side?
    /// Whether the page is to put that cue out, or has: not in a pause, a breath, or without a link.
    public let isCueDue: Bool
    /// Whether the page has put that cue out. Never while it is paused.
    public let isCueShown: Bool
    /// The number of beats that were judged.
    public let beatsDone: Int
    /// The number of beats that have been asked for, the outstanding one too.
    public let beatsAsked: Int
    /// The number of beats of the chart.
    public let beatCount: Int
    /// The number of right beats so far.
    public let right: Int
    /// The beat that was judged last.
    public let lastBeat: BeatResult?
    /// The link by which it is played now.
    public let link: LinkKind
    /// The time of practice so far: ``SessionResult/milliseconds``.
    public let practisedMilliseconds: Int64
    /// The position of the song: 0 is the first step; the count-in is negative.
    public let songMicroseconds: Int64
    /// The position at which the song was last set going: no sound from before is to be played again.
    public let floorMicroseconds: Int64
    /// The time of position 0, by the page's monotonic clock. Nil where the song does not move.
    public let anchorMicroseconds: Int64?
    /// The position from which on nothing may be sounded yet, for the song may stop there for an answer.
    public let horizonMicroseconds: Int64
    /// The end of the song.
    public let endMicroseconds: Int64
}

/// A beat that is still to come.
public struct UpcomingBeat: Sendable, Equatable {
    /// The step of the chart, from 0.
    public let step: Int
    /// The drum that will be asked for.
    public let drum: Drum
    /// The hand that will be asked for.
    public let side: Side
    /// The position in the song.
    public let positionMicroseconds: Int64
}
