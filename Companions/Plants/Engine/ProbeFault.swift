import Signals

/// Stretches of a curve that say nothing of the soil: a probe that was pulled out, or that failed, falls at once to what
/// air reads. Soil dries over days, so what falls there within two readings is not believed.
public struct ProbeFault: Equatable, Sendable {
    /// The first and the last reading that are doubtful, UTC milliseconds.
    public var from: Int64
    public var to: Int64
    /// The level before it, percent.
    public var level: Double

    /// How far it must fall at once, percent.
    public static let leastFall = 8.0
    /// How many good readings the level before it is the median of.
    public static let memory = 5

    /// All such stretches of a series.
    /// - Parameters:
    ///   - samples: in any order.
    ///   - air: at or below this, percent, a probe lies in the air.
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
