import Signals

/// When a series counts as silent, learned from its own pace.
public enum Staleness {
    /// Never sooner than this, milliseconds: half an hour.
    public static let least: Int64 = 1_800_000
    /// While too little is known of the pace, milliseconds: two hours.
    public static let unlearned: Int64 = 7_200_000
    /// How many usual intervals may pass.
    public static let intervals: Int64 = 5
    /// How many of the latest readings are worth handing over.
    public static let memory = 33

    /// How old the latest reading may be, milliseconds: five times the median interval, at least half an hour.
    /// - Parameter times: when the latest readings were taken, UTC milliseconds, in any order; some thirty are enough.
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
