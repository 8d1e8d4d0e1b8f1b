/// The moisture between which a plant is well, percent.
public struct MoistureLimits: Equatable, Sendable {
    /// Below this the plant is dry.
    public var low: Double
    /// Above this it is wet.
    public var high: Double

    /// Limits; ``PlantRules/check(low:high:)`` says which are sensible.
    public init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }
}

/// How a plant is, as far as its sensor says.
public enum PlantState: UInt8, Sendable {
    /// No reading ever.
    case none
    /// The last reading is older than the series' pace allows: nothing is known now.
    case silent
    /// Below its limit.
    case dry
    /// Between its limits.
    case ok
    /// Above its limit.
    case wet
}

/// Judges a plant's moisture against its limits, with hysteresis, so that noise at a limit does not flap.
///
/// A plant becomes dry below the low limit and is well again five points above it; the same at the high limit.
/// (Five points is also what the Home Assistant plant monitor of its community uses.)
public struct MoistureMonitor: Equatable, Sendable {
    /// How far back inside its limits a plant must come, percent.
    public static let hysteresis = 5.0

    /// The limits.
    public private(set) var limits: MoistureLimits
    /// Dry, ok or wet by the latest reading; nil before the first.
    public private(set) var band: PlantState?
    /// When the band was entered, UTC milliseconds.
    public private(set) var since: Int64?
    /// The latest reading, percent.
    public private(set) var percent: Double?
    /// When it was taken, UTC milliseconds.
    public private(set) var at: Int64?

    /// A monitor that has seen nothing.
    public init(limits: MoistureLimits) {
        self.limits = limits
    }

    /// Takes a reading. One that is older than the latest changes nothing.
    public mutating func handle(percent: Double, at: Int64) {
        if let latest = self.at, at < latest { return }
        self.percent = percent
        self.at = at
        let next = Self.band(of: percent, from: band, limits)
        if next != band {
            band = next
            since = at
        }
    }

    /// Takes new limits, and judges the latest reading by them without memory.
    public mutating func set(_ limits: MoistureLimits) {
        self.limits = limits
        guard let percent else { return }
        let next = Self.band(of: percent, from: nil, limits)
        if next != band {
            band = next
            since = at
        }
    }

    /// The state at `now`, both UTC milliseconds; silent when the latest reading is older than `silentAfter`.
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
