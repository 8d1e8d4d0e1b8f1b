/// What happens to a session. The numbers are those of the codec and of the page.
public enum SessionInput: UInt8, Sendable, CaseIterable {
    /// Time has passed. Kept only when it decides something: see ``BrushingSession/handle(_:at:)``.
    case tick = 0
    /// The person pauses.
    case pause = 1
    /// The person goes on.
    case resume = 2
    /// What is left of this repetition is left out.
    case skip = 3
    /// The person ends the session before its time.
    case stop = 4
    /// The page has shown the result: with it goes its ``SessionClaim``. A session that still runs is stopped by it.
    case finish = 5
    /// The session begins.
    case start = 6
    /// Another page has taken the session up: its monotonic clock has nothing to do with that of the one before.
    case opened = 7
    /// The page may be about to go: a ``tick`` that is stored in any case, so that a session which nobody comes back to
    /// has its last seconds. Never in the codec.
    case seen = 8
}

/// What an input changed.
public struct SessionOutput: OptionSet, Sendable, Equatable {
    /// The bits, as the page receives them.
    public let rawValue: Int32

    /// These bits.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// It is stored among the events: what is to survive is ``BrushingSession/encoded()`` anew.
    public static let recorded = SessionOutput(rawValue: 1)
    /// Another repetition than before, or another step.
    public static let repetitionChanged = SessionOutput(rawValue: 2)
    /// Another step than before.
    public static let stepChanged = SessionOutput(rawValue: 4)
    /// The session is over, by this.
    public static let ended = SessionOutput(rawValue: 8)
    /// It makes no sense now, and nothing was changed: a pause in a pause, anything after the end.
    public static let ignored = SessionOutput(rawValue: 16)
}
