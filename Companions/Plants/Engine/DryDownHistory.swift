import Signals

/// The errors of past forecasts.
struct ForecastSpread: Sendable {
    /// The factor from the expected time to the early end of the interval.
    var fast: Double
    /// The factor to its late end.
    var slow: Double
    var medianErrorDays: Double
}

/// A plant's dry-downs, with the model learned from them.
struct DryDownHistory: Sendable {
    /// The part of past errors left outside of the interval on either side. With whole days added, the tests measure
    /// that about four in five days are covered.
    static let tail = 0.2
    /// The number of days for which the recent rate of drying is measured, and the number of the model's days that
    /// weigh against it.
    static let recentDays = 4.0
    static let trust = 2.0

    let downs: [DryDown]
    let model: DryingModel

    /// The days from a bin of a dry-down to `limit`, by what was known then.
    func predict(from start: MoistureSample, to limit: Double) -> Double {
        model.days(from: start.percent, to: limit) / speed(before: start.at)
    }

    /// The recent rate of drying relative to the model: 1 for the same, 2 for twice as fast.
    private func speed(before end: Int64) -> Double {
        var modelDays = Self.trust
        var clockDays = Self.trust
        let begin = end.advanced(days: -Self.recentDays * 2)
        var seen = 0.0
        for down in downs.reversed() {
            guard seen < Self.recentDays else { break }
            guard let last = down.bins.last(where: { $0.at <= end }),
                let first = down.bins.first(where: {
                    $0.at >= begin && DryDown.days($0.at, last.at) <= Self.recentDays - seen
                }),
                first.at < last.at, DryDown.days(first.at, last.at) >= 0.75
            else { continue }
            let clock = DryDown.days(first.at, last.at)
            modelDays += model.days(from: first.percent, to: last.percent)
            clockDays += clock
            seen += clock
        }
        return min(max(modelDays / clockDays, 0.4), 2.5)
    }

    /// The errors that forecasts of about this length would have had; nil if there are too few.
    func spread(around expected: Double, limit: Double) -> ForecastSpread? {
        var near: [(ratio: Double, error: Double)] = []
        var all: [(ratio: Double, error: Double)] = []
        for down in downs {
            // The end of a dry-down: where it reached the limit, or its last bin.
            guard let end = down.bins.first(where: { $0.percent <= limit }) ?? down.bins.last else { continue }
            var next = Int64.min
            for start in down.bins where start.at >= next && start.percent > end.percent {
                let actual = DryDown.days(start.at, end.at)
                guard actual >= 0.5 else { continue }
                next = start.at + 12 * 3_600_000
                let predicted = max(predict(from: start, to: end.percent), 0.25)
                all.append((actual / predicted, (actual - predicted).magnitude))
                if predicted > expected / 2, predicted < expected * 2 {
                    near.append((actual / predicted, (actual - predicted).magnitude))
                }
            }
        }
        let chosen = near.count >= 8 ? near : all
        guard chosen.count >= 4 else { return nil }
        let ratios = chosen.map { $0.ratio }.sorted()
        guard let fast = quantile(sorted: ratios, Self.tail), let slow = quantile(sorted: ratios, 1 - Self.tail),
            let error = median(chosen.map { $0.error })
        else { return nil }
        return ForecastSpread(fast: min(max(fast, 0.2), 1), slow: min(max(slow, 1), 5), medianErrorDays: error)
    }
}

extension Int64 {
    /// A time some days later, in milliseconds, clamped to what the type can hold.
    func advanced(days: Double) -> Int64 {
        let (sum, overflowed) = addingReportingOverflow(Int64(Swift.min(Swift.max(days, -1e6), 1e6) * 86_400_000))
        return overflowed ? .max : sum
    }
}
