/// The original's rule against floods: more than fifteen messages in fifteen seconds, and the client gets an error.
///
/// Counted over a sliding window, one instance for each connection, in constant memory.
public struct SpamRule: Sendable {
    /// How many messages are fine within the window.
    public static let messages = 15
    /// The window, in milliseconds.
    public static let window: Int64 = 15_000

    /// What to do with a message.
    public enum Verdict: Equatable, Sendable {
        /// Handle it.
        case fine
        /// Do not handle it; tell the client with ``LegacyAnswer/kickedForSpam(to:)`` and close the connection.
        case kick
        /// Do not handle it; the client has had its error.
        case drop
    }

    private var times = InlineArray<15, Int64>(repeating: .min)
    private var next = 0
    private var told = false

    /// A rule that has seen nothing.
    public init() {}

    /// Judges a message that arrived at `now`, milliseconds of a clock that should not jump; when it jumps back, the
    /// count begins anew.
    public mutating func judge(at now: Int64) -> Verdict {
        let newest = times[(next + Self.messages - 1) % Self.messages]
        if newest > now { self = SpamRule() }
        let oldest = times[next]
        let flood = oldest != .min && now - oldest < Self.window
        times[next] = now
        next = (next + 1) % Self.messages
        guard flood else {
            told = false
            return .fine
        }
        if told { return .drop }
        told = true
        return .kick
    }
}
