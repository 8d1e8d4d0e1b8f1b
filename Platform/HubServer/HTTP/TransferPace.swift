import HubKit
import NIOCore

/// The pace of a client's sending or reading, compared with the least rate.
///
/// Bytes pay for past time and never for the future: a client that sends a megabyte at once and then stops is as far
/// behind after ten seconds as one that has sent nothing in them.
struct TransferPace {
    /// The time up to which received bytes pay; never later than the last of them.
    private(set) var paidUntil: NIODeadline

    init(now: NIODeadline) { paidUntil = now }

    /// Counts bytes.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes.
    ///   - rate: the least rate, in bytes per second.
    ///   - now: the current time.
    /// - Returns: whether all the time until now is paid for.
    @discardableResult
    mutating func take(bytes: Int, rate: Int, now: NIODeadline) -> Bool {
        let (nanoseconds, isTooMuch) = Int64(bytes).multipliedReportingOverflow(by: 1_000_000_000)
        let earned = isTooMuch ? TimeAmount.hours(24) : .nanoseconds(nanoseconds / Int64(max(rate, 1)))
        paidUntil = min(now, paidUntil + earned)
        return paidUntil == now
    }
}
