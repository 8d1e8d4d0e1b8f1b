/// One axis at a constant rate, made of samples at their true times; without values in gaps.
public struct ResampledSeries: Sendable, Equatable {
    /// The most values.
    public static let mostValues = 1 << 20

    /// The time of the first value, microseconds.
    public let start: Int64
    /// The interval between values, microseconds.
    public let interval: Int64
    /// The values; nil within gaps.
    public let values: [Double?]

    /// The series of values in a straight line between the samples around them.
    ///
    /// - Parameters:
    ///   - times: of the samples, microseconds, rising.
    ///   - samples: as many.
    ///   - interval: microseconds, above zero.
    ///   - gap: microseconds; nothing is made up between samples farther apart than this.
    /// - Returns: nil for no samples, times that do not rise, and more than ``mostValues``.
    public init?(times: [Int64], samples: [Double], interval: Int64, gap: Int64) {
        guard let first = times.first, let last = times.last, times.count == samples.count, interval > 0 else {
            return nil
        }
        guard isRising(times) else { return nil }
        let (length, overflowed) = last.subtractingReportingOverflow(first)
        guard !overflowed, length / interval < Int64(Self.mostValues) else { return nil }
        var values: [Double?] = []
        values.reserveCapacity(Int(length / interval) + 1)
        var after = 0
        for step in 0...Int(length / interval) {
            let time = first + Int64(step) * interval
            while times[after] < time { after += 1 }
            if times[after] == time {
                values.append(samples[after])
            } else if times[after] - times[after - 1] <= gap {
                let share = Double(time - times[after - 1]) / Double(times[after] - times[after - 1])
                values.append(samples[after - 1] + (samples[after] - samples[after - 1]) * share)
            } else {
                values.append(nil)
            }
        }
        start = first
        self.interval = interval
        self.values = values
    }

    /// The values a second.
    public var hertz: Double { 1_000_000 / Double(interval) }

    /// The longest stretch without a gap, for a spectrum, which knows of none.
    public var longestRun: [Double] {
        var best = 0..<0
        var start = 0
        for index in 0...values.count where index == values.count || values[index] == nil {
            if index - start > best.count { best = start..<index }
            start = index + 1
        }
        var run: [Double] = []
        run.reserveCapacity(best.count)
        for index in best { if let value = values[index] { run.append(value) } }
        return run
    }
}

/// Whether each time is later than the one before.
func isRising(_ times: [Int64]) -> Bool {
    for index in times.indices.dropFirst() where times[index] <= times[index - 1] { return false }
    return true
}
