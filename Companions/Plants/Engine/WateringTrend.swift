import Signals

/// The change in how often a plant is watered, compared with some weeks ago.
///
/// A sensor does not tell a can from rain. Rain comes when it likes, so that only what the plant had dried out for, or what
/// somebody noted, says how often it wants water; and where rain fell in between, nobody knows how long it would have waited.
public struct WateringTrend: Equatable, Sendable {
    /// A wetting of the soil, by a can or by rain.
    public struct Wetting: Equatable, Sendable {
        /// The time, in UTC milliseconds.
        public var at: Int64
        /// Whether the plant wanted it.
        public var isWanted: Bool

        /// Creates a wetting of which it is known whether it was wanted.
        public init(at: Int64, isWanted: Bool) {
            (self.at, self.isWanted) = (at, isWanted)
        }

        /// Judges a wetting: wanted is one that somebody noted, and one that met a plant in the driest quarter of what it
        /// likes, or below.
        ///
        /// - Parameter levelBefore: the moisture before it, in percent; nil where no sensor saw it.
        public init(at: Int64, isByHand: Bool, levelBefore: Double?, limits: MoistureLimits) {
            self.at = at
            let driest = limits.low + (limits.high - limits.low) / 4
            isWanted = isByHand || levelBefore.map { $0 <= driest } ?? false
        }
    }

    /// The median number of whole days between two waterings, recently and earlier.
    public let recentDays, earlierDays: Int
    /// The middle of the earlier period, in UTC milliseconds.
    public let earlierAt: Int64

    /// The length of the recent period, and the start of the earlier one, in milliseconds before now.
    private static let recent: Int64 = 28 * 86_400_000
    private static let earlier: Int64 = 42 * 86_400_000
    /// The number of intervals that each period needs.
    private static let least = 3

    /// The time within which two wettings are one, in days: one watering in two cans.
    private static let sameWetting = 0.5

    /// Compares the periods.
    ///
    /// - Parameters:
    ///   - wettings: what the plant got, in any order.
    ///   - now: the current time, in UTC milliseconds.
    /// - Returns: nil if too little is known, or the change is less than a day and a quarter of what it was: that is a
    ///   matter of weekends.
    public static func make(wettings: [Wetting], now: Int64) -> WateringTrend? {
        let sorted = wettings.filter { $0.at <= now }.sorted { $0.at < $1.at }
        var (lately, then): ([Double], [Double]) = ([], [])
        var middles: [Double] = []
        var previous: Wetting?
        for wetting in sorted {
            guard let before = previous else {
                previous = wetting
                continue
            }
            let (first, next) = (before.at, wetting.at)
            let days = Double(next - first) / 86_400_000
            guard days >= sameWetting else {
                previous = Wetting(at: next, isWanted: before.isWanted || wetting.isWanted)
                continue
            }
            previous = wetting
            guard before.isWanted, wetting.isWanted else { continue }
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
