import Wire

/// The original's rule against floods, of one sender: at most fifteen messages in a window of fifteen seconds.
///
/// The windows are fixed, as those of the original's cleanup: all counts begin anew every fifteen seconds. The original tells
/// who sent more, and its app goes, at the first message after the window; here it is told at once.
///
/// What the app asks by itself is not counted. After each `REQ_numPlants` it asks for every plant once: with seven plants
/// a look is eight messages, and a plant deleted is eight more. Nobody is thrown out for having as many plants as there
/// may be.
public struct SpamRule: Sendable {
    /// How many messages are fine within a window.
    public static let messages = 15
    /// How long a window is, in milliseconds.
    public static let milliseconds: Int64 = 15_000

    /// What to do with a message.
    public enum Verdict: Equatable, Sendable {
        /// Handle it.
        case fine
        /// Do not handle it; tell the client with ``LegacyAnswer/kickedForSpam(to:)`` and close the connection.
        case kick
    }

    private var window = Int64.min
    private var count = 0
    /// Bit n: the app has not asked for plant n since it asked how many there are.
    private var expected: UInt8 = 0

    /// A rule that has seen nothing.
    public init() {}

    /// The window in which a time lies, milliseconds of any clock.
    public static func window(at now: Int64) -> Int64 { (now - (now < 0 ? milliseconds - 1 : 0)) / milliseconds }

    /// Judges a message that arrived at `now`, milliseconds; a clock that jumps is in another window.
    ///
    /// - Parameter request: nil for a message that is none, which counts too.
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

    /// Whether it is a question that the app asks by itself, which is expected once.
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
