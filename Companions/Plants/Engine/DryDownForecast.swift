import Signals

/// When a plant will want water.
public enum Forecast: Equatable, Sendable {
    /// It is below its limit already.
    case now
    /// It will reach its limit on a day, give or take.
    case day(DryDownForecast)
    /// The plant's past is too short: days with readings so far, and how many are needed.
    case notEnoughDays(have: Int, need: Int)
    /// Too few dry-downs were seen to the end.
    case notEnoughDryDowns(have: Int, need: Int)
}

/// The day on which a plant reaches its lower limit if nobody waters it, with an honest interval.
///
/// Only the plant's own past speaks: how fast its soil dried at each level (``DryingModel``), and how fast it has been
/// drying lately compared with that. The interval comes from what the same method would have said at many moments of
/// the past, beside what then happened; the tests hold it to covering 70 to 90 of 100 true days.
public struct DryDownForecast: Equatable, Sendable {
    /// How many days with readings are needed.
    public static let daysNeeded = 10
    /// How many dry-downs of at least a day must be complete.
    public static let dryDownsNeeded = 2
    /// How far back the past counts, milliseconds: 90 days, so that the season does.
    public static let memory: Int64 = 90 * 86_400_000

    /// A point of the curve ahead.
    public struct Point: Equatable, Sendable {
        /// UTC milliseconds.
        public var at: Int64
        /// The expected moisture, percent.
        public var percent: Double
        /// The lower edge of the band, percent.
        public var low: Double
        /// The upper edge of the band, percent.
        public var high: Double
    }

    /// The day itself: a local-day number, as the caller's function counts them.
    public var day: Int
    /// The first day of the interval.
    public var earliest: Int
    /// The last day of the interval.
    public var latest: Int
    /// The crossing, UTC milliseconds.
    public var at: Int64
    /// The beginning of the interval, UTC milliseconds.
    public var earliestAt: Int64
    /// Its end, UTC milliseconds.
    public var latestAt: Int64
    /// How many complete dry-downs it is based on.
    public var basedOn: Int
    /// How far forecasts like this one have missed, in days: the median over the past.
    public var medianErrorDays: Double
    /// The curve ahead, from the latest reading to the end of the interval.
    public var points: [Point]

    /// Makes a forecast.
    /// - Parameters:
    ///   - samples: the plant's moisture readings, or hourly means of them; ninety days are enough.
    ///   - waterings: when it was watered, UTC milliseconds: detected and by hand, without those that were undone.
    ///   - limit: the lower limit, percent.
    ///   - now: UTC milliseconds.
    ///   - localDay: the number of the local day of a moment, counted by whoever knows the time zone.
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

    /// How many different days of 24 hours have readings.
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
