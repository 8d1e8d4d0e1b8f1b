/// What one client may still cost the listener in its turn, in units of very roughly a microsecond. By it all
/// connections have a share of the one event loop: who has used it waits while others have theirs.
///
/// What was spent beyond it is a debt that later turns pay, since some work cannot be divided.
public struct WorkBudget: Sendable, Equatable {
    /// What the parts of the work are charged with.
    public enum Cost {
        /// Any packet that has nothing else to it.
        public static let packet = 1
        /// A topic filter of a SUBSCRIBE or UNSUBSCRIBE.
        public static let filter = 32
        /// A message that goes to a client.
        public static let delivery = 8
        /// A change of the retained messages.
        public static let retained = 8

        /// A PUBLISH: reading it, storing it, and handing it to so many receivers.
        public static func publish(bytes: Int, receivers: Int) -> Int {
            packet + bytes / 512 + receivers * (1 + bytes / 4_096)
        }
    }

    private let perTurn: Int
    private var left: Int

    /// A whole one.
    public init(limits: Limits) {
        perTurn = max(limits.workPerTurn, 1)
        left = perTurn
    }

    /// Whether nothing more is to be done in this turn.
    public var isSpent: Bool { left <= 0 }

    /// Takes what something has cost.
    public mutating func spend(_ units: Int) { left -= units }

    /// A new turn begins.
    public mutating func renew() { left = min(perTurn, left + perTurn) }
}
