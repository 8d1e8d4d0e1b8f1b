import Signals

/// The rule for when a series counts as silent, learned from its own pace.
public enum Staleness {
    /// The shortest silence, in milliseconds: half an hour.
    public static let least: Int64 = 1_800_000
    /// The silence while too little is known of the pace, in milliseconds: two hours.
    public static let unlearned: Int64 = 7_200_000
    /// The number of usual intervals that may pass.
    public static let intervals: Int64 = 5
    /// The number of recent readings that are worth passing in.
    public static let memory = 33

    /// The age of the latest reading above which a series is silent, in milliseconds: five times the median interval,
    /// at least half an hour.
    ///
    /// - Parameter times: the times of recent readings, in UTC milliseconds and any order; some thirty are enough.
    public static func silentAfter(times: [Int64]) -> Int64 {
        let sorted = times.sorted()
        var intervals: [Double] = []
        var previous: Int64?
        for time in sorted {
            if let previous, time > previous { intervals.append(Double(time - previous)) }
            previous = time
        }
        guard intervals.count >= 3, let usual = median(intervals) else { return unlearned }
        return max(Int64(usual) * self.intervals, least)
    }
}
