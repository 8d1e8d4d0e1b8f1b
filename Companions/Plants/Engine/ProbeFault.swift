import Signals

/// A stretch of readings that say nothing of the soil: a probe that was pulled out, or that failed, falls at once to
/// the value in air. Soil dries over days, so such a fall within two readings is not believed.
public struct ProbeFault: Equatable, Sendable {
    /// The time of the first doubtful reading, in UTC milliseconds.
    public var from: Int64
    /// The time of the last doubtful reading, in UTC milliseconds.
    public var to: Int64
    /// The level before it, percent.
    public var level: Double

    /// The least sudden fall, in percent.
    public static let leastFall = 8.0
    /// The number of good readings whose median is the level before.
    public static let memory = 5

    /// The faults in a series.
    ///
    /// - Parameters:
    ///   - samples: the readings, in any order.
    ///   - air: the moisture, in percent, at or below which a probe is in the air.
    public static func all(in samples: [MoistureSample], air: Double = WateringDetector.Settings().air) -> [ProbeFault]
    {
        var faults: [ProbeFault] = []
        var good: [Double] = []
        var isOutside = false
        for sample in samples.sorted(by: { $0.at < $1.at }) where sample.percent.isFinite {
            if sample.percent > air {
                isOutside = false
                good.append(sample.percent)
                if good.count > memory { good.removeFirst() }
                continue
            }
            if isOutside {
                faults[faults.count - 1].to = sample.at
            } else if let level = median(good), level - sample.percent > leastFall {
                isOutside = true
                faults.append(ProbeFault(from: sample.at, to: sample.at, level: level))
            } else {
                // Dry soil, on its way down.
                good.append(sample.percent)
                if good.count > memory { good.removeFirst() }
            }
        }
        return faults
    }
}
