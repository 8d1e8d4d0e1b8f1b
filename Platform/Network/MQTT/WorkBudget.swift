/// The budget for the work that one client may cause in its turn, in units of roughly a microsecond. It shares the
/// event loop between all connections: a client that has used its budget waits until others have had their turn.
///
/// Work beyond the budget is a debt that later turns pay, since some work cannot be divided.
public struct WorkBudget: Sendable, Equatable {
    /// The prices of work.
    public enum Cost {
        /// A packet without further work.
        public static let packet = 1
        /// A topic filter of a SUBSCRIBE or UNSUBSCRIBE.
        public static let filter = 32
        /// A message that goes to a client.
        public static let delivery = 8
        /// The work between two checks of the clock.
        static let look = 64
        /// A change of the retained messages.
        public static let retained = 8

        /// A PUBLISH: reading, storing, and delivering it to a number of receivers.
        public static func publish(bytes: Int, receivers: Int) -> Int {
            packet + bytes / 512 + receivers * (1 + bytes / 4_096)
        }
    }

    private let perTurn: Int
    private var left: Int
    /// The work since the last check of the clock.
    private var spent = 0

    /// Creates a full budget.
    public init(limits: Limits) {
        perTurn = max(limits.workPerTurn, 1)
        left = perTurn
    }

    /// Whether the budget is spent for this turn.
    public var isSpent: Bool { left <= 0 }

    /// Charges the budget for work.
    public mutating func spend(_ units: Int) {
        left -= units
        spent += units
    }

    /// Whether the clock has to be checked, since the last check is some work ago: units are a guess, and a slow
    /// machine takes many times as long for one.
    public mutating func isLookAtClockDue() -> Bool {
        guard spent >= Cost.look else { return false }
        spent = 0
        return true
    }

    /// Ends the turn, since its time is over.
    public mutating func exhaust() { left = min(left, 0) }

    /// Begins a new turn.
    public mutating func renew() { left = min(perTurn, left + perTurn) }
}
