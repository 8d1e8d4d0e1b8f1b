/// The limits of moisture within which a plant is well, in percent.
public struct MoistureLimits: Equatable, Sendable {
    /// The limit below which the plant is dry.
    public var low: Double
    /// The limit above which the plant is wet.
    public var high: Double

    /// Creates limits; ``PlantRules/check(low:high:)`` checks them.
    public init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }
}

/// The state of a plant, according to its sensor.
public enum PlantState: UInt8, Sendable {
    /// No reading so far.
    case none
    /// Silent: the last reading is older than the pace of the series allows.
    case silent
    /// Dry: below the lower limit.
    case dry
    /// Well: within the limits.
    case ok
    /// Wet: above the upper limit.
    case wet
}

/// A monitor of a plant's moisture against its limits, with hysteresis, so that noise at a limit does not flap.
///
/// A plant becomes dry below the low limit and is well again five points above it; the same at the high limit. (The
/// Home Assistant community's plant monitor uses five points too.)
public struct MoistureMonitor: Equatable, Sendable {
    /// The hysteresis, in percent.
    public static let hysteresis = 5.0

    /// The limits.
    public private(set) var limits: MoistureLimits
    /// The band of the latest reading (dry, ok or wet); nil before the first.
    public private(set) var band: PlantState?
    /// The time at which the band was entered, in UTC milliseconds.
    public private(set) var since: Int64?
    /// Whether the band is that of the first reading: it may have begun any time before.
    public private(set) var isSinceFirst = false
    /// The latest reading, percent.
    public private(set) var percent: Double?
    /// The time of the latest reading, in UTC milliseconds.
    public private(set) var at: Int64?

    /// Creates a monitor without readings.
    public init(limits: MoistureLimits) {
        self.limits = limits
    }

    /// Handles a reading. One that is older than the latest changes nothing.
    public mutating func handle(percent: Double, at: Int64) {
        if let latest = self.at, at < latest { return }
        self.percent = percent
        self.at = at
        let next = Self.band(of: percent, from: band, limits)
        if next != band {
            isSinceFirst = band == nil
            band = next
            since = at
        }
    }

    /// Sets new limits, and judges the latest reading by them without hysteresis.
    public mutating func set(_ limits: MoistureLimits) {
        self.limits = limits
        guard let percent else { return }
        let next = Self.band(of: percent, from: nil, limits)
        if next != band {
            isSinceFirst = false
            band = next
            since = at
        }
    }

    /// The state at `now`, in UTC milliseconds; silent if the latest reading is older than `silentAfter`.
    public func state(now: Int64, silentAfter: Int64) -> PlantState {
        guard let band, let at else { return .none }
        return now - at > silentAfter ? .silent : band
    }

    private static func band(of percent: Double, from old: PlantState?, _ limits: MoistureLimits) -> PlantState {
        let slack = min(hysteresis, max((limits.high - limits.low) / 2, 0))
        if percent < limits.low || old == .dry && percent < limits.low + slack { return .dry }
        if percent > limits.high || old == .wet && percent > limits.high - slack { return .wet }
        return .ok
    }
}
