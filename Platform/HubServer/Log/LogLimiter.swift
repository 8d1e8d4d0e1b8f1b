import HubKit
import Logging

/// How often the log says the same. The rule alone, see `LimitedLogHandler`.
///
/// Lines of one cause come from one place in the code, with one level. The first of a minute are written; further ones
/// are counted, with the addresses that they name, and the count is written when the minute is over. A cause that is
/// rare is never left out, however many lines another has. There are only so many places in the code, so that strangers
/// cannot make up causes.
struct LogLimiter: Sendable {
    /// What each cause is allowed.
    struct Limits: Sendable {
        /// Lines that are written in one interval.
        var lines = 20
        /// How long an interval takes, in seconds.
        var seconds: Int64 = 60
        /// Different addresses that are counted; more are “more than”.
        var addresses = 1_000

        init() {}
    }

    /// Where a line comes from.
    struct Cause: Hashable, Sendable {
        var file: String
        var line: UInt
        var level: Logger.Level
    }

    /// What was left out of one cause in one interval.
    struct Omission: Equatable, Sendable {
        var cause: Cause
        /// The last one of them.
        var message: String
        var lines: Int
        /// That were named in them.
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
        /// In seconds of the clock that the caller uses.
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

    /// How many causes are remembered.
    var count: Int { intervals.count }

    /// Whether a line is to be written.
    ///
    /// - Parameters:
    ///   - address: that the line names.
    ///   - now: in seconds of a clock that never goes back.
    ///   - message: asked for where the line is left out.
    /// - Returns: `isFirstOmitted` where `omissions` should be asked for once the interval is over.
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

    /// What was left out in intervals that are over; they are forgotten.
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

    /// How long an interval takes, in seconds.
    var seconds: Int64 { limits.seconds }
}
