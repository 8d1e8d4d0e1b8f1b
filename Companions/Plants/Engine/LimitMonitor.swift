/// The quantities, besides moisture, for which a plant can have limits.
public enum LimitedQuantity: UInt8, CaseIterable, Sendable {
    /// The temperature of the air, in degrees Celsius.
    case temperature
    /// The illuminance at the brightest time of a day, in lux.
    case light
    /// The light of a whole day, in mol of photons per square metre: see ``DailyLight``.
    case dailyLight
    /// The conductivity of the soil, in microsiemens per centimetre: more means more fertiliser.
    case conductivity

    /// The values at which a limit makes sense: those that occur in or around a house.
    public var sensible: ClosedRange<Double> {
        switch self {
        case .temperature: -20...50
        case .light: 0...150_000
        case .dailyLight: 0...DailyLight.most
        case .conductivity: 0...10_000
        }
    }
}

/// The limits within which a plant is well. A side without a limit is nil.
public struct QuantityLimits: Equatable, Sendable {
    /// The lower limit.
    public var low: Double?
    /// The upper limit.
    public var high: Double?

    /// Creates limits; ``PlantRules/check(_:low:high:)`` checks them.
    public init(low: Double?, high: Double?) {
        self.low = low
        self.high = high
    }
}

/// The position of a value relative to its limits.
public enum LimitBand: UInt8, Sendable {
    /// Unknown at present, which is not the same as well.
    case unknown
    /// A value below the lower limit.
    case low
    /// Within the limits.
    case ok
    /// A value above the upper limit.
    case high
}

/// A monitor of a quantity against its limits, with hysteresis, so that noise at a limit does not flap.
///
/// A value that has crossed a limit is well again when it is inside by 5 % of the distance between the limits; with one
/// limit only, by 5 % of that. (The Home Assistant community's plant monitor uses 5 % too.)
public struct LimitMonitor: Equatable, Sendable {
    /// The hysteresis, as a share of the distance between the limits.
    public static let hysteresis = 0.05

    /// The limits.
    public let limits: QuantityLimits
    /// The band of the latest value; unknown before the first.
    public private(set) var band = LimitBand.unknown
    /// The time at which the band was entered, in UTC milliseconds.
    public private(set) var since: Int64?
    /// The time of the latest value, in UTC milliseconds.
    public private(set) var at: Int64?

    /// Creates a monitor without values.
    public init(limits: QuantityLimits) {
        self.limits = limits
    }

    /// Handles a value. One that is older than the latest, or not a number, changes nothing.
    public mutating func handle(_ value: Double, at: Int64) {
        if let latest = self.at, at < latest { return }
        guard value.isFinite else { return }
        self.at = at
        let next = band(of: value)
        if next != band {
            band = next
            since = at
        }
    }

    /// The band at `now`, in UTC milliseconds; unknown if the latest value is older than `silentAfter`.
    public func band(now: Int64, silentAfter: Int64) -> LimitBand {
        guard let at, now - at <= silentAfter else { return .unknown }
        return band
    }

    private func band(of value: Double) -> LimitBand {
        let span =
            if let low = limits.low, let high = limits.high { high - low } else { abs(limits.low ?? limits.high ?? 0) }
        let slack = max(span, 0) * Self.hysteresis
        if let low = limits.low, value < low || band == .low && value < low + slack { return .low }
        if let high = limits.high, value > high || band == .high && value > high - slack { return .high }
        return .ok
    }
}
