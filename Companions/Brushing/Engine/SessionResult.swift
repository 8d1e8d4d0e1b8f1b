import Wire

/// The end of a session; the number is what the page receives, 0 while it runs.
public enum SessionEnd: UInt8, Sendable {
    /// The routine was completed, possibly with skips.
    case finished = 1
    /// The person stopped it.
    case stopped = 2
    /// The session was abandoned for ``ClockRules/longestAbsence``: it ends at its last known moment.
    case left = 3
}

/// The result of a session. For one without an end: the result if nobody continues it.
public struct SessionResult: Sendable, Equatable {
    /// The start by the device's clock, in UTC milliseconds since 1970.
    public let startedAt: Int64
    /// The end: the start plus all real time since, so that setting the clock meanwhile makes no session longer. For a
    /// completed routine it is the time of completion, not when somebody looked.
    public let endedAt: Int64
    /// The time spent brushing, in milliseconds.
    public let brushMilliseconds: Int64
    /// The time spent flossing, in milliseconds.
    public let flossMilliseconds: Int64
    /// The time spent rinsing, in milliseconds.
    public let rinseMilliseconds: Int64
    /// The time spent in pauses in milliseconds, at most ``ClockRules/longestPauses``.
    public let pausedMilliseconds: Int64
    /// The number of skipped repetitions.
    public let skipped: Int
    /// Whether every repetition was done in full.
    public let isComplete: Bool
    /// Whether it counts for streaks and awards: three quarters of the planned brushing was done (for a routine without
    /// brushing, of everything).
    public let counts: Bool
    /// The reason for its end.
    public let reason: SessionEnd

    /// The time spent on everything, in milliseconds.
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

/// The result that a page claims, by its own engine.
public struct SessionClaim: Sendable, Equatable {
    /// The time spent brushing, in milliseconds.
    public var brushMilliseconds: Int32
    /// The time spent flossing, in milliseconds.
    public var flossMilliseconds: Int32
    /// The time spent rinsing, in milliseconds.
    public var rinseMilliseconds: Int32
    /// Whether every repetition was done in full.
    public var isComplete: Bool
    /// Whether it counts for streaks and awards.
    public var counts: Bool

    /// Creates a claim.
    public init(
        brushMilliseconds: Int32, flossMilliseconds: Int32, rinseMilliseconds: Int32, isComplete: Bool, counts: Bool
    ) {
        self.brushMilliseconds = brushMilliseconds
        self.flossMilliseconds = flossMilliseconds
        self.rinseMilliseconds = rinseMilliseconds
        self.isComplete = isComplete
        self.counts = counts
    }

    /// Creates the claim of an honest page of this version.
    public init(_ result: SessionResult) {
        self.init(
            brushMilliseconds: Int32(clamping: result.brushMilliseconds),
            flossMilliseconds: Int32(clamping: result.flossMilliseconds),
            rinseMilliseconds: Int32(clamping: result.rinseMilliseconds), isComplete: result.isComplete,
            counts: result.counts)
    }
}
