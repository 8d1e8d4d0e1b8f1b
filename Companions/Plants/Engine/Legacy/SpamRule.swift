import Wire

/// The original's limit on messages of one sender: at most fifteen in a window of fifteen seconds.
///
/// The windows are fixed, as in the original's cleanup: all counts begin anew every fifteen seconds. The original tells
/// a sender of too many, and its app disconnects, at the first message after the window; here it is told at once.
///
/// Requests that the app makes by itself are not counted. After each `REQ_numPlants` it asks for every plant once: with
/// seven plants a look is eight messages, and deleting a plant is eight more. Nobody is disconnected for having as many
/// plants as allowed.
public struct SpamRule: Sendable {
    /// The number of messages that are allowed within a window.
    public static let messages = 15
    /// The length of a window, in milliseconds.
    public static let milliseconds: Int64 = 15_000

    /// The verdict on a message.
    public enum Verdict: Equatable, Sendable {
        /// Handle it.
        case fine
        /// Do not handle it; tell the client with ``LegacyAnswer/kickedForSpam(to:)`` and close the connection.
        case kick
    }

    private var window = Int64.min
    private var count = 0
    /// The plants that the app has not asked for since it asked for their number, as bits.
    private var expected: UInt8 = 0

    /// Creates the rule.
    public init() {}

    /// The number of the window of a time, in milliseconds of any clock.
    public static func window(at now: Int64) -> Int64 { (now - (now < 0 ? milliseconds - 1 : 0)) / milliseconds }

    /// Judges a message that arrived at `now`, in milliseconds; a clock that jumps is in another window.
    ///
    /// - Parameter request: the request; nil for another message, which counts too.
    public mutating func judge(_ request: LegacyRequest?, at now: Int64) -> Verdict {
        let window = Self.window(at: now)
        if window != self.window {
            self.window = window
            count = 0
        }
        if let request, takesExpected(request) { return .fine }
        guard count < Self.messages else { return .kick }
        count += 1
        if request?.operation == .numPlants { expected = (1 << UInt8(LegacyGarden.mostPlants)) - 1 }
        return .fine
    }

    /// Whether it is a request that the app makes by itself, which is expected once.
    private mutating func takesExpected(_ request: LegacyRequest) -> Bool {
        let text = request.payload.span
        guard request.operation == .plantInfoOnStartup,
            let index = integer(text.extracting(trimmedRange(text))), index >= 0, index < LegacyGarden.mostPlants,
            expected & (1 << UInt8(index)) != 0
        else { return false }
        expected &= ~(1 << UInt8(index))
        return true
    }
}
