import Signals
import Wire

/// The real rate of a sensor, from the times of its samples.
public struct SamplingRate: Sendable, Equatable {
    /// The samples a second while it measured: one divided by the median interval.
    public var hertz: Double
    /// The width of the middle half of the intervals, microseconds: how unsteady the rate is.
    public var jitterMicroseconds: Double
    /// The number of pauses of more than three median intervals.
    public var gaps: Int
    /// The share of the samples expected at that rate that came, 0 to 1.
    public var coverage: Double

    /// The rate of a series of times.
    ///
    /// - Parameter times: microseconds, rising.
    /// - Returns: nil for fewer than 8, or where they do not rise.
    public init?(_ times: [Int64]) {
        guard times.count >= 8 else { return nil }
        var intervals: [Double] = []
        intervals.reserveCapacity(times.count - 1)
        for index in 1..<times.count {
            guard times[index] > times[index - 1] else { return nil }
            intervals.append(Double(times[index]) - Double(times[index - 1]))
        }
        guard let (lower, middle, upper) = quartiles(intervals) else { return nil }
        hertz = 1_000_000 / middle
        jitterMicroseconds = upper - lower
        gaps = 0
        for interval in intervals where interval > 3 * middle { gaps += 1 }
        let whole = (Double(times[times.count - 1]) - Double(times[0])) / middle
        coverage = min(Double(intervals.count) / max(whole, 1), 1)
    }

    /// The comparison of the rate with the one that was asked for, or that the phone claims.
    public enum Verdict: UInt8, Sendable {
        /// The rate is within a tenth of the claim.
        case asClaimed = 0
        /// The rate is slower: iOS browsers give 60 a second at most, and battery savers fewer.
        case slower = 1
        /// The rate is faster.
        case faster = 2
        /// The rate is right while it measures, and much is missing.
        case interrupted = 3
    }

    /// Compares the rate with the one that a phone claims.
    ///
    /// - Parameter claimed: Hz.
    public func verdict(claimed: Double) -> Verdict {
        if hertz < claimed * 0.9 { return .slower }
        if hertz > claimed * 1.1 { return .faster }
        return coverage < 0.9 ? .interrupted : .asClaimed
    }
}

/// The watch over a stream of samples, so that a sensor that stopped is shown as stopped, and one that repeats itself
/// is not shown as measuring.
public struct StreamWatch: Sendable {
    /// The limits of the watch.
    public struct Limits: Sendable, Equatable {
        /// The number of usual intervals without a sample that are silence.
        public var intervals = 10.0
        /// The least silence, microseconds.
        public var leastMicroseconds: Int64 = 1_000_000
        /// The time, microseconds, after which a sensor that sends the very same values is stuck: the noise of a real
        /// one changes the last digit.
        public var stuckMicroseconds: Int64 = 5_000_000

        /// The default limits.
        public init() {}
    }

    /// The state of a stream.
    public enum State: Sendable, Equatable {
        /// No sample came yet.
        case waiting
        case live
        /// No sample came since the time, microseconds.
        case silent(since: Int64)
        /// The same values came since the time, microseconds.
        case stuck(since: Int64)
    }

    private let limits: Limits
    private var last: Int64?
    private var changed: Int64 = 0
    private var values: [Double] = []
    /// The exponential mean of the intervals, microseconds.
    private var usual: Double?

    /// A watch over a stream without any samples.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Adds a sample at its time, microseconds.
    public mutating func add(_ sample: [Double], at time: Int64) {
        if let last {
            guard time > last else { return }
            let interval = Double(time) - Double(last)
            // A pause is no interval of the sensor's.
            if let mean = usual {
                usual = interval < 5 * mean ? mean + (interval - mean) / 16 : mean
            } else {
                usual = interval
            }
        }
        if sample != values || last == nil {
            values = sample
            changed = time
        }
        last = time
    }

    /// The state of the stream at a time, microseconds.
    public func state(at now: Int64) -> State {
        guard let last else { return .waiting }
        let patience = max(Double(limits.leastMicroseconds), (usual ?? 0) * limits.intervals)
        if Double(now) - Double(last) > patience { return .silent(since: last) }
        if last.minusClamped(changed) >= limits.stuckMicroseconds { return .stuck(since: changed) }
        return .live
    }
}
