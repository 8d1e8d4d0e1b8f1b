import Signals

/// The forecast of when a plant will need water.
public enum Forecast: Equatable, Sendable {
    /// The plant is below its limit already.
    case now
    /// The plant will reach its limit on some day.
    case day(DryDownForecast)
    /// The plant's history is too short: the days with readings so far, and the number that is needed.
    case notEnoughDays(have: Int, need: Int)
    /// The plant has had too few complete dry-downs.
    case notEnoughDryDowns(have: Int, need: Int)
}

/// The day on which a plant reaches its lower limit if nobody waters it, with an honest interval.
///
/// It is based on the plant's own history only: how fast its soil dried at each level (``DryingModel``), and how fast
/// it has been drying lately compared with that. The interval comes from what the same method would have said at many
/// moments of the past, compared with what then happened; the tests require it to cover 70 to 90 of 100 true days.
public struct DryDownForecast: Equatable, Sendable {
    /// The number of days with readings that are needed.
    public static let daysNeeded = 10
    /// The number of complete dry-downs of at least a day that are needed.
    public static let dryDownsNeeded = 2
    /// The time for which the history counts, in milliseconds: 90 days, so that the season matters.
    public static let memory: Int64 = 90 * 86_400_000

    /// A point of the curve ahead.
    public struct Point: Equatable, Sendable {
        /// The time, in UTC milliseconds.
        public var at: Int64
        /// The expected moisture, percent.
        public var percent: Double
        /// The lower edge of the band, percent.
        public var low: Double
        /// The upper edge of the band, percent.
        public var high: Double
    }

    /// The expected day: a local day number, as the caller's function counts them.
    public var day: Int
    /// The first day of the interval.
    public var earliest: Int
    /// The last day of the interval.
    public var latest: Int
    /// The expected time of reaching the limit, in UTC milliseconds.
    public var at: Int64
    /// The beginning of the interval, UTC milliseconds.
    public var earliestAt: Int64
    /// The end of the interval, in UTC milliseconds.
    public var latestAt: Int64
    /// The number of complete dry-downs it is based on.
    public var basedOn: Int
    /// The median error of past forecasts like this one, in days.
    public var medianErrorDays: Double
    /// The expected curve, from the latest reading to the end of the interval.
    public var points: [Point]

    /// Makes a forecast.
    ///
    /// - Parameters:
    ///   - samples: the plant's moisture readings, or hourly means of them; ninety days are enough.
    ///   - waterings: the times of waterings in UTC milliseconds, detected and by hand, without those that were undone.
    ///   - limit: the lower limit, in percent.
    ///   - now: the current time, in UTC milliseconds.
    ///   - localDay: returns the local day number of a moment; the caller knows the time zone.
    public static func make(
        samples: [MoistureSample], waterings: [Int64], limit: Double, now: Int64, localDay: (Int64) -> Int
    ) -> Forecast {
        let past = samples.filter { $0.at <= now && $0.at > now - memory }
        let downs = DryDown.all(in: past, waterings: waterings.filter { $0 <= now })
        let days = seenDays(past)
        guard days >= daysNeeded, let settled = downs.last?.bins.last, let newest = past.max(by: { $0.at < $1.at })
        else { return .notEnoughDays(have: days, need: daysNeeded) }
        // While a watering drains, the last stretch is the one that it ended: its level says nothing of now.
        let isDraining = waterings.contains { $0 <= now && $0 > settled.at }
        let latest = isDraining ? newest : settled
        if latest.percent < limit { return .now }
        let complete = (isDraining ? downs : downs.dropLast()).filter { $0.days >= 1 }.count
        guard complete >= dryDownsNeeded, let model = DryingModel(observed: downs.flatMap { $0.rates }) else {
            return .notEnoughDryDowns(have: complete, need: dryDownsNeeded)
        }
        let history = DryDownHistory(downs: downs, model: model)
        let expected = history.predict(from: latest, to: limit)
        guard let spread = history.spread(around: expected, limit: limit) else {
            return .notEnoughDryDowns(have: complete, need: dryDownsNeeded)
        }
        let crossing = max(latest.at.advanced(days: expected), now)
        let first = max(latest.at.advanced(days: expected * spread.fast), now)
        let last = max(latest.at.advanced(days: expected * spread.slow), crossing)
        let points = curve(model, from: latest, expected: expected, to: limit, spread)
        return .day(
            DryDownForecast(
                day: localDay(crossing), earliest: localDay(min(first, crossing)), latest: localDay(last),
                at: crossing, earliestAt: min(first, crossing), latestAt: last, basedOn: complete,
                medianErrorDays: spread.medianErrorDays, points: points))
    }

    /// The number of different days of 24 hours with readings.
    private static func seenDays(_ samples: [MoistureSample]) -> Int {
        var days = 0
        var last = Int64.min
        for sample in samples.sorted(by: { $0.at < $1.at }) where sample.at / 86_400_000 != last {
            last = sample.at / 86_400_000
            days += 1
        }
        return days
    }

    private static func curve(
        _ model: DryingModel, from start: MoistureSample, expected: Double, to limit: Double, _ spread: ForecastSpread
    ) -> [Point] {
        // The model's own time runs faster or slower than the clock; that is the current speed of drying.
        let speed = model.days(from: start.percent, to: limit) / max(expected, 0.01)
        let end = min(expected * spread.slow, 120)
        let step = max(end / 24, 0.125)
        var points: [Point] = []
        var days = 0.0
        while days < end + step, points.count < 32 {
            let own = days * speed
            points.append(
                Point(
                    at: start.at.advanced(days: days), percent: model.level(from: start.percent, after: own),
                    low: model.level(from: start.percent, after: own / spread.fast),
                    high: model.level(from: start.percent, after: own / spread.slow)))
            days += step
        }
        return points
    }
}
