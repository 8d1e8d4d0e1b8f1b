/// What a plant can have limits of, besides moisture.
public enum LimitedQuantity: UInt8, CaseIterable, Sendable {
    /// Of the air about it, degrees Celsius.
    case temperature
    /// At the brightest of a day, lux.
    case light
    /// The light of a whole day, mol of photons a square metre: see ``DailyLight``.
    case dailyLight
    /// Of its soil, microsiemens per centimetre: more of it is more fertiliser.
    case conductivity

    /// The values at which a limit makes sense: those that a plant in or around a house can meet.
    public var sensible: ClosedRange<Double> {
        switch self {
        case .temperature: -20...50
        case .light: 0...150_000
        case .dailyLight: 0...DailyLight.most
        case .conductivity: 0...10_000
        }
    }
}

/// Between which values of something measured a plant is well. A side without a limit is nil.
public struct QuantityLimits: Equatable, Sendable {
    /// Below this it is too little.
    public var low: Double?
    /// Above this it is too much.
    public var high: Double?

    /// Limits; ``PlantRules/check(_:low:high:)`` says which are sensible.
    public init(low: Double?, high: Double?) {
        self.low = low
        self.high = high
    }
}

/// Where a value lies among limits.
public enum LimitBand: UInt8, Sendable {
    /// Nothing is known of now: that is not well.
    case unknown
    /// Below the lower limit.
    case low
    /// Between the limits.
    case ok
    /// Above the upper limit.
    case high
}

/// Judges something measured against its limits, with hysteresis, so that noise at a limit does not flap.
///
/// Who has crossed a limit is well again 5 % of the distance between the limits inside it; with one limit alone, 5 % of
/// that. (5 % is also what the Home Assistant plant monitor of its community uses.)
public struct LimitMonitor: Equatable, Sendable {
    /// How far back inside its limits a value must come, as a share of the distance between them.
    public static let hysteresis = 0.05

    /// The limits.
    public let limits: QuantityLimits
    /// By the latest value; unknown before the first.
    public private(set) var band = LimitBand.unknown
    /// When the band was entered, UTC milliseconds.
    public private(set) var since: Int64?
    /// When the latest value was taken, UTC milliseconds.
    public private(set) var at: Int64?

    /// A monitor that has seen nothing.
    public init(limits: QuantityLimits) {
        self.limits = limits
    }

    /// Takes a value. One that is older than the latest, or no number, changes nothing.
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

    /// The band at `now`, both UTC milliseconds; unknown when the latest value is older than `silentAfter`.
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
