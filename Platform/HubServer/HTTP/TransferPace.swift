import HubKit
import NIOCore

/// How well what a client sends, or takes, keeps up with the least rate that it has to keep.
///
/// Bytes pay for time, and never for time to come: who has sent a megabyte at once and then stops is as far behind
/// after ten seconds as who has sent nothing in them.
struct TransferPace {
    /// Up to when the bytes that have come pay; never later than the last of them.
    private(set) var paidUntil: NIODeadline

    init(now: NIODeadline) { paidUntil = now }

    /// - Parameters:
    ///   - rate: the least, in bytes per second.
    /// - Returns: whether all the time until now is paid for.
    @discardableResult
    mutating func take(bytes: Int, rate: Int, now: NIODeadline) -> Bool {
        let (nanoseconds, isTooMuch) = Int64(bytes).multipliedReportingOverflow(by: 1_000_000_000)
        let earned = isTooMuch ? TimeAmount.hours(24) : .nanoseconds(nanoseconds / Int64(max(rate, 1)))
        paidUntil = min(now, paidUntil + earned)
        return paidUntil == now
    }
}
