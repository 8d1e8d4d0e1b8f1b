import Signals
import Wire

/// How often a sensor really measured, from the times of its samples.
public struct SamplingRate: Sendable, Equatable {
    /// Samples a second while it measured: one divided by the median interval.
    public var hertz: Double
    /// The middle half of the intervals is so wide, microseconds: how unsteady it is.
    public var jitterMicroseconds: Double
    /// Pauses of more than three median intervals.
    public var gaps: Int
    /// What share of the samples that there would be at that rate came, 0 to 1.
    public var coverage: Double

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

    /// How what came stands to what was asked for, or what the phone says.
    public enum Verdict: UInt8, Sendable {
        /// Within a tenth.
        case asClaimed = 0
        /// Slower: iOS browsers give 60 a second at most, and battery savers fewer.
        case slower = 1
        /// Faster.
        case faster = 2
        /// The rate is right while it measures, and much is missing.
        case interrupted = 3
    }

    /// Compares it with what a phone claims.
    ///
    /// - Parameter claimed: Hz.
    public func verdict(claimed: Double) -> Verdict {
        if hertz < claimed * 0.9 { return .slower }
        if hertz > claimed * 1.1 { return .faster }
        return coverage < 0.9 ? .interrupted : .asClaimed
    }
}

/// Whether a stream of samples goes on, for a sensor that stopped is shown as stopped, and a line that goes on by
/// itself as no measurement.
public struct StreamWatch: Sendable {
    /// What the watch depends on.
    public struct Limits: Sendable, Equatable {
        /// That many usual intervals without a sample are silence.
        public var intervals = 10.0
        /// But no less than this, microseconds.
        public var leastMicroseconds: Int64 = 1_000_000
        /// The very same values for so long are a sensor that is stuck: the noise of a real one changes the last digit,
        /// microseconds.
        public var stuckMicroseconds: Int64 = 5_000_000

        public init() {}
    }

    /// How a stream is.
    public enum State: Sendable, Equatable {
        /// Nothing came yet.
        case waiting
        case live
        /// Nothing came since the time, microseconds.
        case silent(since: Int64)
        /// The same came since the time, microseconds.
        case stuck(since: Int64)
    }

    private let limits: Limits
    private var last: Int64?
    private var changed: Int64 = 0
    private var values: [Double] = []
    /// A mean of intervals that forgets, microseconds.
    private var usual: Double?

    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes a sample at its time, microseconds.
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

    /// How the stream is at a time, microseconds.
    public func state(at now: Int64) -> State {
        guard let last else { return .waiting }
        let patience = max(Double(limits.leastMicroseconds), (usual ?? 0) * limits.intervals)
        if Double(now) - Double(last) > patience { return .silent(since: last) }
        if last.minusClamped(changed) >= limits.stuckMicroseconds { return .stuck(since: changed) }
        return .live
    }
}
