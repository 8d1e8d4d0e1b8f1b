import Wire

/// How a session ended; the number is what the page receives, 0 while it runs.
public enum SessionEnd: UInt8, Sendable {
    /// It came to the end of its routine, also by skipping.
    case finished = 1
    /// The person stopped it.
    case stopped = 2
    /// Nobody came back to it for ``ClockRules/longestAbsence``: it ends where it was last known.
    case left = 3
}

/// What came of a session. Of one that has no end yet: what comes of it if nobody comes back.
public struct SessionResult: Sendable, Equatable {
    /// UTC, milliseconds since 1970, by the clock of the device.
    public let startedAt: Int64
    /// The start and all time that truly passed since, so that a clock which is set on the way makes no session longer.
    /// Of a routine that is through: when it was, not when somebody looked.
    public let endedAt: Int64
    /// Time spent brushing.
    public let brushMilliseconds: Int64
    /// Time spent flossing.
    public let flossMilliseconds: Int64
    /// Time spent rinsing.
    public let rinseMilliseconds: Int64
    /// Time spent in pauses, at most ``ClockRules/longestPauses``.
    public let pausedMilliseconds: Int64
    /// How many repetitions were skipped.
    public let skipped: Int
    /// Whether every repetition was done in full.
    public let isComplete: Bool
    /// Whether it is a session for streaks and awards: three quarters of the planned brushing was done (of a routine
    /// without a brush, of all of it).
    public let counts: Bool
    /// How it ended.
    public let reason: SessionEnd

    /// Time spent on all of it.
    public var milliseconds: Int64 { brushMilliseconds + flossMilliseconds + rinseMilliseconds }

    init(_ state: SessionState) {
        startedAt = state.startedAt
        endedAt = state.startedAt.plusClamped(state.passed)
        brushMilliseconds = state.milliseconds(of: .brush)
        flossMilliseconds = state.milliseconds(of: .floss)
        rinseMilliseconds = state.milliseconds(of: .rinse)
        pausedMilliseconds = state.pausedMilliseconds
        skipped = state.skipped
        isComplete = state.isComplete
        counts = state.counts
        reason = state.end ?? .left
    }
}

/// What a page says came of a session, by the engine that it had.
public struct SessionClaim: Sendable, Equatable {
    /// Time spent brushing.
    public var brushMilliseconds: Int32
    /// Time spent flossing.
    public var flossMilliseconds: Int32
    /// Time spent rinsing.
    public var rinseMilliseconds: Int32
    /// Whether every repetition was done in full.
    public var isComplete: Bool
    /// Whether it is a session for streaks and awards.
    public var counts: Bool

    /// A claim, true or not.
    public init(
        brushMilliseconds: Int32, flossMilliseconds: Int32, rinseMilliseconds: Int32, isComplete: Bool, counts: Bool
    ) {
        self.brushMilliseconds = brushMilliseconds
        self.flossMilliseconds = flossMilliseconds
        self.rinseMilliseconds = rinseMilliseconds
        self.isComplete = isComplete
        self.counts = counts
    }

    /// What an honest page of this version says.
    public init(_ result: SessionResult) {
        self.init(
            brushMilliseconds: Int32(clamping: result.brushMilliseconds),
            flossMilliseconds: Int32(clamping: result.flossMilliseconds),
            rinseMilliseconds: Int32(clamping: result.rinseMilliseconds), isComplete: result.isComplete,
            counts: result.counts)
    }
}
