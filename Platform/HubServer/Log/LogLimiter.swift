import HubKit
import Logging

/// The rule for repeated log lines, without clock or output; see `LimitedLogHandler`.
///
/// Lines of one cause come from one place in the code, with one level. The first of a minute are written; further ones
/// are counted, with the addresses that they name, and the count is written when the minute is over. A rare cause is
/// never omitted, however many lines another has. Causes are places in the code, so attackers cannot make up new ones.
struct LogLimiter: Sendable {
    /// The limits for each cause.
    struct Limits: Sendable {
        /// The number of lines that are written in one interval.
        var lines = 20
        /// The length of an interval, in seconds.
        var seconds: Int64 = 60
        /// The number of different addresses that are counted; more are “more than”.
        var addresses = 1_000

        init() {}
    }

    /// The cause of a line.
    struct Cause: Hashable, Sendable {
        var file: String
        var line: UInt
        var level: Logger.Level
    }

    /// The omitted lines of one cause in one interval.
    struct Omission: Equatable, Sendable {
        var cause: Cause
        /// The last omitted line.
        var message: String
        var lines: Int
        /// The number of addresses in the omitted lines.
        var addresses: Int
        /// Whether there were more addresses than are counted.
        var hasMoreAddresses: Bool

        var words: String {
            let from =
                switch addresses {
                case 0: ""
                case 1: ", from one address"
                default: ", from \(hasMoreAddresses ? "more than " : "")\(addresses) addresses"
                }
            return "\(lines) more \(lines == 1 ? "line" : "lines") like this one left out\(from): \(message)"
        }
    }

    private struct Interval {
        /// The start of the interval, in seconds of the caller's clock.
        var since: Int64
        var lines = 0
        var omitted = 0
        var message = ""
        var addresses: Set<String> = []
        var hasMoreAddresses = false
    }

    private let limits: Limits
    private var intervals: [Cause: Interval] = [:]

    init(limits: Limits = Limits()) { self.limits = limits }

    /// The number of causes that are remembered.
    var count: Int { intervals.count }

    /// Whether a line should be written.
    ///
    /// - Parameters:
    ///   - cause: the cause of the line.
    ///   - address: the address in the line.
    ///   - now: the seconds of a monotonic clock.
    ///   - message: returns the line, if it is omitted.
    /// - Returns: `isFirstOmitted` if `omissions` should be called once the interval is over.
    mutating func take(
        _ cause: Cause, address: String?, now: Int64, message: () -> String
    ) -> (isWritten: Bool, isFirstOmitted: Bool) {
        var interval = intervals.removeValue(forKey: cause) ?? Interval(since: now)
        // What was left out of one that is over is still to be reported, by `omissions`.
        if now - interval.since >= limits.seconds, interval.omitted == 0 { interval = Interval(since: now) }
        defer { intervals[cause] = interval }
        interval.lines += 1
        guard interval.lines > limits.lines else { return (true, false) }
        interval.omitted += 1
        interval.message = message()
        if let address, !interval.addresses.contains(address) {
            if interval.addresses.count < limits.addresses {
                interval.addresses.insert(address)
            } else {
                interval.hasMoreAddresses = true
            }
        }
        return (false, interval.omitted == 1)
    }

    /// The omitted lines of intervals that are over, which are then forgotten.
    mutating func omissions(now: Int64) -> [Omission] {
        let over = intervals.filter { now - $0.value.since >= limits.seconds }
        for cause in over.keys { intervals[cause] = nil }
        return over.filter { $0.value.omitted > 0 }.map { cause, interval in
            Omission(
                cause: cause, message: interval.message, lines: interval.omitted,
                addresses: interval.addresses.count, hasMoreAddresses: interval.hasMoreAddresses)
        }
        .sorted { ($0.cause.file, $0.cause.line) < ($1.cause.file, $1.cause.line) }
    }

    /// The length of an interval, in seconds.
    var seconds: Int64 { limits.seconds }
}
