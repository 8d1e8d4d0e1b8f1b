import Signals

/// A reading of moisture.
public struct MoistureSample: Equatable, Sendable {
    /// The time of the reading, in UTC milliseconds.
    public var at: Int64
    /// The moisture in percent.
    public var percent: Double

    /// Creates a reading.
    public init(at: Int64, percent: Double) {
        self.at = at
        self.percent = percent
    }
}

/// A wetting of the soil, found in the readings of its moisture.
///
/// The readings do not tell a can from rain, and for the plant it is the same: both are reported.
public struct Watering: Equatable, Sendable {
    /// The first reading that shows it, UTC milliseconds.
    public var at: Int64
    /// The last good reading before it, UTC milliseconds: the wetting happened between this and ``at``.
    public var after: Int64
    /// The moisture before, percent.
    public var from: Double
    /// The moisture after, percent, as far as it was known when the wetting was confirmed.
    public var to: Double
    /// The confidence, 0...1: lower for small rises, slow ones and those inside a gap.
    public var confidence: Double
}

/// A detector of waterings in a plant's moisture readings, in the order of time and with any spacing.
///
/// Soil dries slowly and gets wet fast. The detector keeps the level before (a median of recent readings), waits for a
/// rise well above the measured noise, and reports it once enough readings confirm that it stays. A probe outside of
/// the pot reads like air; the level from before is kept then, so putting it back is not a watering. The gap of a
/// silent sensor is bridged in the same way, with less confidence.
public struct WateringDetector: Sendable {
    /// The settings; the tests measure precision and recall with the defaults.
    public struct Settings: Equatable, Sendable {
        /// The least rise that counts, percent.
        public var leastRise = 4.0
        /// The least rise in multiples of the noise of single readings.
        public var risePerNoise = 5.0
        /// The time for which the level before a rise is searched, in milliseconds: slower rises are drift of
        /// temperature.
        public var lookBack: Int64 = 6 * 3_600_000
        /// The time for which a rise must last before it is reported, in milliseconds.
        public var confirmAfter: Int64 = 45 * 60_000
        /// The number of readings that must confirm it.
        public var confirmations = 3
        /// The time after a watering for which further rises belong to it, in milliseconds; each such rise extends it,
        /// because rain goes on for hours.
        public var settle: Int64 = 3 * 3_600_000
        /// The limit for these extensions, in milliseconds.
        public var longestSettle: Int64 = 12 * 3_600_000
        /// The moisture, in percent, at or below which a probe that fell suddenly is in the air.
        public var air = 4.0

        /// The defaults.
        public init() {}
    }

    /// A rise that waits for confirmation.
    private struct Rise: Sendable {
        var at: Int64
        var after: Int64
        var from: Double
        var bridged: Bool
        var highs: Int
        var lows: Int
        var levels: [Double]
    }

    private let settings: Settings
    /// Good readings of the last hours, oldest first.
    private var recent: [MoistureSample] = []
    /// The differences between neighbours, newest last, from which the noise is measured.
    private var steps: [Double] = []
    private var rise: Rise?
    /// The level and time before the probe was in the air; nil while it is not.
    private var outside: MoistureSample?
    /// The start and end of the settling of a watering, and the highest level in it.
    private var settlingSince: Int64 = 0
    private var settlingUntil: Int64 = .min
    private var highest = 0.0
    /// The time of the newest reading.
    private var latest: Int64 = .min

    /// Creates a detector without readings.
    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The waterings in a series, whose readings may be in any order.
    public static func waterings(
        in samples: [MoistureSample], settings: Settings = Settings()
    ) -> [Watering] {
        var detector = WateringDetector(settings: settings)
        var found: [Watering] = []
        for sample in samples.sorted(by: { $0.at < $1.at }) {
            if let watering = detector.handle(percent: sample.percent, at: sample.at) { found.append(watering) }
        }
        return found
    }

    /// Handles a reading; one that is not newer than the last is ignored.
    ///
    /// - Returns: the watering that this reading confirms, which began some readings ago.
    public mutating func handle(percent: Double, at: Int64) -> Watering? {
        guard percent.isFinite, at > latest else { return nil }
        latest = at
        let sample = MoistureSample(at: at, percent: percent)
        if rise != nil { return confirm(sample) }
        if isOutside(sample) { return nil }
        if outside == nil, !standsOut(sample) {
            accept(sample)
            return nil
        }
        let before = level(before: sample)
        guard let before, percent - before.percent >= threshold else {
            accept(sample)
            return nil
        }
        rise = Rise(
            at: at, after: before.at, from: before.percent, bridged: before.bridged, highs: 1, lows: 0,
            levels: [percent])
        return nil
    }

    // MARK: - A rise

    private mutating func confirm(_ sample: MoistureSample) -> Watering? {
        guard var rise = self.rise else { return nil }
        if sample.percent - rise.from >= threshold / 2 {
            rise.highs += 1
            rise.levels.append(sample.percent)
        } else {
            rise.lows += 1
        }
        self.rise = rise
        if rise.lows > 1, rise.lows * 2 >= rise.highs {
            // A wrong reading or two: the curve is back where it was.
            self.rise = nil
            accept(sample)
            return nil
        }
        guard rise.highs > settings.confirmations, sample.at - rise.at >= settings.confirmAfter else { return nil }
        self.rise = nil
        outside = nil
        recent.removeAll()
        let to = median(rise.levels) ?? sample.percent
        settlingSince = rise.at
        settlingUntil = sample.at + settings.settle
        highest = to
        accept(sample)
        return Watering(
            at: rise.at, after: rise.after, from: rise.from, to: to, confidence: confidence(rise, to: to))
    }

    private func confidence(_ rise: Rise, to: Double) -> Double {
        let size = (to - rise.from) / threshold
        var confidence = 1 - exp(-(size * size + 0.6))
        // A rise over hours may be rain, or the sun on the pot.
        if let first = rise.levels.first, first - rise.from < (to - rise.from) * 0.6 { confidence *= 0.9 }
        if rise.bridged { confidence *= 0.75 }
        return min(max(confidence, 0), 1)
    }

    // MARK: - The level before

    /// Whether a reading stands out at all: a quick check that saves the medians for most readings.
    private func standsOut(_ sample: MoistureSample) -> Bool {
        for other in recent where sample.percent - other.percent >= settings.leastRise { return true }
        return false
    }

    private var noise: Double {
        // A difference of two readings has the noise of both; 1.4826 makes a median deviation a standard one.
        (median(steps) ?? 0) * 1.4826 / 1.4142
    }

    private var threshold: Double {
        max(settings.leastRise, noise * settings.risePerNoise)
    }

    private mutating func level(before sample: MoistureSample) -> (percent: Double, at: Int64, bridged: Bool)? {
        if sample.at < settlingUntil { return nil }
        if let outside {
            return (outside.percent, outside.at, true)
        }
        guard let last = recent.last else { return nil }
        let horizon = sample.at - settings.lookBack
        let inside = recent.filter { $0.at >= horizon }
        guard inside.count >= 3 else {
            let latest = recent.suffix(5).map { $0.percent }
            return median(latest).map { ($0, last.at, sample.at - last.at > settings.lookBack / 2) }
        }
        // The lowest stretch of the last hours: medians of five neighbours, so that one wrong reading is not it.
        var lowest = Double.infinity
        var start = 0
        while start == 0 || start + 5 <= inside.count {
            let stretch = inside[start..<min(start + 5, inside.count)].map { $0.percent }
            lowest = min(lowest, median(stretch) ?? .infinity)
            start += 1
        }
        return (lowest, last.at, false)
    }

    // MARK: - Good readings, and a probe in the air

    private mutating func accept(_ sample: MoistureSample) {
        if let last = recent.last {
            steps.append((sample.percent - last.percent).magnitude)
            if steps.count > 48 { steps.removeFirst() }
        }
        outside = nil
        if sample.at < settlingUntil, sample.percent > highest + 1.5 {
            highest = sample.percent
            settlingUntil = min(sample.at + settings.settle, settlingSince + settings.longestSettle)
            recent.removeAll()
        }
        recent.append(sample)
        let horizon = sample.at - settings.lookBack
        var stale = 0
        // At least five remain, for the level across a gap.
        while recent.count - stale > 5, recent[stale].at < horizon { stale += 1 }
        recent.removeFirst(stale)
    }

    private mutating func isOutside(_ sample: MoistureSample) -> Bool {
        guard sample.percent <= settings.air else { return false }
        if outside != nil { return true }
        let level = median(recent.suffix(5).map { $0.percent }) ?? sample.percent
        guard let last = recent.last, level - sample.percent > max(8, threshold * 1.5) else { return false }
        outside = MoistureSample(at: last.at, percent: level)
        return true
    }
}
