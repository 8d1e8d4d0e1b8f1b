/// What a screen shows of a session, and what a sound needs to know of it, as of the last input.
public struct SessionView: Sendable, Equatable {
    /// Whether the song moves, or is about to after a breath: neither paused nor waiting.
    public let isRunning: Bool
    /// Whether the player has paused it, or a new page has not gone on with it yet.
    public let isPaused: Bool
    /// Whether the song has stopped for an answer.
    public let isWaiting: Bool
    /// Whether the link to the pads is gone.
    public let isLinkLost: Bool
    /// Nil while it runs.
    public let end: SessionEnd?
    /// The step whose answer is outstanding.
    public let cueStep: Int?
    /// The drum that is asked for.
    public let cueDrum: Drum?
    /// Which hand it is asked of.
    public let cueSide: Side?
    /// Whether the page is to put that cue out, or has: not in a pause, a breath, or without a link.
    public let isCueDue: Bool
    /// Whether the page has put that cue out. Never while it is paused.
    public let isCueShown: Bool
    /// How many beats were judged.
    public let beatsDone: Int
    /// How many have been asked for, the outstanding one too.
    public let beatsAsked: Int
    /// How many the chart has.
    public let beatCount: Int
    /// How many were right so far.
    public let right: Int
    /// The beat that was judged last.
    public let lastBeat: BeatResult?
    /// The link by which it is played now.
    public let link: LinkKind
    /// Practised so far: ``SessionResult/milliseconds``.
    public let practisedMilliseconds: Int64
    /// Where the song is: 0 is the first step, and what is counted before lies before it.
    public let songMicroseconds: Int64
    /// Where the song was when it was last set going: no sound from before is to be played again.
    public let floorMicroseconds: Int64
    /// When position 0 is or was, by the page's monotonic clock. Nil where the song does not move.
    public let anchorMicroseconds: Int64?
    /// The position from which on nothing may be sounded yet, for the song may stop there for an answer.
    public let horizonMicroseconds: Int64
    /// Where the song ends.
    public let endMicroseconds: Int64
}

/// A beat that is still to come.
public struct UpcomingBeat: Sendable, Equatable {
    /// Its place in the chart, from 0.
    public let step: Int
    /// The drum that will be asked for.
    public let drum: Drum
    /// The hand that will be asked for.
    public let side: Side
    /// Its position in the song.
    public let positionMicroseconds: Int64
}
