import MQTT
import NIOCore

/// The share of the event loop that one connection has in a turn.
struct TurnBudget {
    /// The work that it may cause.
    var work: WorkBudget
    /// Whether it has used its share, has more to do, and waits for another turn.
    var isWaiting = false
    private var turn: UInt64 = 0
    private var ends = NIODeadline.distantFuture

    init(limits: Limits) { work = WorkBudget(limits: limits) }

    /// Begins the share of a turn, unless it has begun.
    mutating func renew(for turn: UInt64, length: TimeAmount) {
        guard self.turn != turn else { return }
        self.turn = turn
        work.renew()
        ends = .now() + length
    }

    /// Ends it by the clock, if its work took longer than estimated.
    mutating func endIfOverdue() {
        if work.isLookAtClockDue(), .now() >= ends { work.exhaust() }
    }
}
