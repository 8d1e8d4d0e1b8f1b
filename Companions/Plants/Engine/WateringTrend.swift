import Signals

/// The change in how often a plant is watered, compared with some weeks ago.
public struct WateringTrend: Equatable, Sendable {
    /// The median number of whole days between two waterings, recently and earlier.
    public let recentDays, earlierDays: Int
    /// The middle of the earlier period, in UTC milliseconds.
    public let earlierAt: Int64

    /// The length of the recent period, and the start of the earlier one, in milliseconds before now.
    private static let recent: Int64 = 28 * 86_400_000
    private static let earlier: Int64 = 42 * 86_400_000
    /// The number of intervals that each period needs.
    private static let least = 3

    /// Compares the periods.
    ///
    /// - Parameters:
    ///   - waterings: the times of waterings that count, in UTC milliseconds and any order.
    ///   - now: the current time, in UTC milliseconds.
    /// - Returns: nil if too little is known, or the change is less than a day and a quarter of what it was: that is a
    ///   matter of weekends.
    public static func make(waterings: [Int64], now: Int64) -> WateringTrend? {
        let sorted = waterings.sorted()
        var (lately, then): ([Double], [Double]) = ([], [])
        var middles: [Double] = []
        for (first, next) in zip(sorted, sorted.dropFirst()) where next <= now {
            let days = Double(next - first) / 86_400_000
            // Twice within half a day is one watering in two cans.
            guard days >= 0.5 else { continue }
            if first >= now - recent {
                lately.append(days)
            } else if next <= now - earlier {
                then.append(days)
                middles.append(Double(first) + Double(next - first) / 2)
            }
        }
        guard lately.count >= least, then.count >= least, let recentDays = median(lately),
            let earlierDays = median(then), let middle = median(middles)
        else { return nil }
        let (new, old) = (Int(recentDays.rounded()), Int(earlierDays.rounded()))
        guard new >= 1, abs(new - old) >= 1, abs(recentDays - earlierDays) >= 0.25 * earlierDays else { return nil }
        return WateringTrend(recentDays: new, earlierDays: old, earlierAt: Int64(middle))
    }
}
