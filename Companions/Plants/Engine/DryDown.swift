import Signals

/// A stretch of drying between two waterings, in bins of three hours.
struct DryDown: Sendable {
    /// The width of a bin, milliseconds.
    static let binWidth: Int64 = 3 * 3_600_000
    /// The time for which a watering drains before drying begins, in milliseconds.
    static let drain: Int64 = 6 * 3_600_000
    /// The rise from bin to bin, in percent, that ends a stretch even if no watering is known.
    static let jump = 6.0

    /// The median moisture of each bin with readings: the middle of the bin, in UTC milliseconds, and percent.
    var bins: [MoistureSample] = []

    /// The days from the first bin to the last.
    var days: Double {
        guard let first = bins.first, let last = bins.last else { return 0 }
        return Self.days(first.at, last.at)
    }

    static func days(_ from: Int64, _ to: Int64) -> Double {
        Double(to - from) / 86_400_000
    }

    /// Splits a plant's readings into dry-downs; the last may still be going on.
    static func all(in samples: [MoistureSample], waterings: [Int64]) -> [DryDown] {
        var downs: [DryDown] = []
        var current = DryDown()
        var waterings = waterings.sorted()[...]
        var bin: [Double] = []
        var index = Int64.min

        func close(_ bin: [Double], _ index: Int64, _ current: inout DryDown, _ downs: inout [DryDown]) {
            guard let percent = median(bin) else { return }
            if let last = current.bins.last, percent - last.percent > jump {
                downs.append(current)
                current = DryDown()
            }
            current.bins.append(MoistureSample(at: index * binWidth + binWidth / 2, percent: percent))
        }

        var drainsUntil = Int64.min
        for sample in samples.sorted(by: { $0.at < $1.at }) {
            let next = sample.at.flooredQuotient(binWidth)
            let watered = waterings.first.map { $0 <= sample.at } ?? false
            if next != index || watered {
                close(bin, index, &current, &downs)
                bin = []
                index = next
            }
            while let watering = waterings.first, watering <= sample.at {
                waterings.removeFirst()
                drainsUntil = watering + drain
                if !current.bins.isEmpty { downs.append(current) }
                current = DryDown()
            }
            if sample.at >= drainsUntil { bin.append(sample.percent) }
        }
        close(bin, index, &current, &downs)
        downs.append(current)
        return downs.filter { !$0.bins.isEmpty }
    }

    /// The rates of drying by level, over steps of about a day.
    var rates: [(level: Double, percentPerDay: Double)] {
        var rates: [(level: Double, percentPerDay: Double)] = []
        var end = 0
        for start in bins.indices {
            while end < bins.count, bins[end].at - bins[start].at < 86_400_000 { end += 1 }
            guard end < bins.count else { break }
            let days = Self.days(bins[start].at, bins[end].at)
            guard days < 2 else { continue }
            let drop = bins[start].percent - bins[end].percent
            rates.append(((bins[start].percent + bins[end].percent) / 2, drop / days))
        }
        return rates
    }
}

extension Int64 {
    /// The quotient rounded down, for times before 1970 too.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
