import Signals

/// A model of how fast a plant's soil dries at each level of moisture, learned from its own history.
///
/// Soil gives up its water steadily while it is moist and ever more slowly as it dries, and the turning point depends
/// on pot, soil and plant. So the model is a table: percent a day for each band of five percent, the median over whole
/// days (which cancels the sun on the pot).
struct DryingModel: Sendable {
    static let bandWidth = 5.0
    static let bands = 20
    /// The rate in percent a day below which drying is taken for noise: it would give a date in another year.
    static let slowest = 0.15

    /// The rates in percent a day, one for each band.
    private(set) var rates: [Double]

    /// Learns from observed rates; nil if there are none.
    init?(observed: [(level: Double, percentPerDay: Double)]) {
        var groups = [[Double]](repeating: [], count: Self.bands)
        for pair in observed { groups[Self.band(pair.level)].append(pair.percentPerDay) }
        let all = observed.map { $0.percentPerDay }
        guard let overall = median(all) else { return nil }
        rates = []
        var previous: Double?
        for index in 0..<Self.bands {
            // A thinly seen band leans on its neighbours.
            var values = groups[index]
            if values.count < 4 {
                if index > 0 { values += groups[index - 1] }
                if index + 1 < Self.bands { values += groups[index + 1] }
            }
            let rate = median(values) ?? previous ?? Self.firstKnown(groups) ?? overall
            rates.append(max(rate, Self.slowest))
            previous = rate
        }
    }

    /// The days to dry from one level to a lower one; zero if it is not lower.
    func days(from high: Double, to low: Double) -> Double {
        var days = 0.0
        var level = high
        while level > low {
            let band = Self.band(level)
            // The lower edge of a level that lies on an edge is the next band's.
            var edge = Double(band) * Self.bandWidth
            if edge >= level { edge = level - Self.bandWidth }
            let next = max(edge, low)
            days += (level - next) / rates[Self.band((level + next) / 2)]
            level = next
        }
        return days
    }

    /// The level `days` after `start`.
    func level(from start: Double, after days: Double) -> Double {
        var left = days
        var level = start
        while level > 0, left > 0 {
            let rate = rates[Self.band(level - 0.25)]
            let step = min(0.5, level)
            if step / rate > left { return level - left * rate }
            left -= step / rate
            level -= step
        }
        return max(level, 0)
    }

    private static func band(_ level: Double) -> Int {
        min(max(Int(level / bandWidth), 0), bands - 1)
    }

    private static func firstKnown(_ groups: [[Double]]) -> Double? {
        for group in groups where !group.isEmpty { return median(group) }
        return nil
    }
}
