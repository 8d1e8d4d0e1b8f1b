/// An input to a session. The numbers are those of the codec and of the page.
public enum SessionInput: UInt8, Sendable, CaseIterable {
    /// Time has passed. It is stored only if it decides something: see ``BrushingSession/handle(_:at:)``.
    case tick = 0
    /// The person pauses.
    case pause = 1
    /// The person goes on.
    case resume = 2
    /// The person skips the rest of this repetition.
    case skip = 3
    /// The person ends the session before its time.
    case stop = 4
    /// The page has shown the result, which comes with it as its ``SessionClaim``. A running session is stopped by it.
    case finish = 5
    /// The session begins.
    case start = 6
    /// Another page has taken over the session: its monotonic clock is unrelated to the one before.
    case opened = 7
    /// The page may be about to close: a ``tick`` that is stored in any case, so that an abandoned session has its last
    /// seconds. Never in the codec.
    case seen = 8
}

/// The effects of an input.
public struct SessionOutput: OptionSet, Sendable, Equatable {
    /// The bits, as the page receives them.
    public let rawValue: Int32

    /// Creates effects from their bits.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The input was stored, so the session has to be ``BrushingSession/encoded()`` again.
    public static let recorded = SessionOutput(rawValue: 1)
    /// Another repetition or step has begun.
    public static let repetitionChanged = SessionOutput(rawValue: 2)
    /// Another step has begun.
    public static let stepChanged = SessionOutput(rawValue: 4)
    /// The session has ended.
    public static let ended = SessionOutput(rawValue: 8)
    /// The input makes no sense now and changed nothing, such as a pause in a pause, or anything after the end.
    public static let ignored = SessionOutput(rawValue: 16)
}
