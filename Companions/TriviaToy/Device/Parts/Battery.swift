/// The battery of one lithium-polymer cell: its charge from its voltage, and whether it is low.
public struct Battery: Sendable {
    /// The charge at or below which the battery is low, per cent.
    public static var low: UInt8 { 15 }
    /// The charge from which on it is no longer low, so that the light does not flicker, per cent.
    public static var recovered: UInt8 { 20 }

    /// The mean of the voltage, slowly following, 16 times millivolts; nil before the first measurement.
    private var mean: UInt32?
    /// Whether the battery is low.
    public private(set) var isLow = false

    /// A battery before the first measurement.
    public init() {}

    /// The voltage, millivolts; 0 before the first measurement.
    public var millivolts: UInt16 { UInt16(truncatingIfNeeded: (mean ?? 0) / 16) }
    /// The charge, per cent.
    public var percent: UInt8 { Self.percent(millivolts: millivolts) }

    /// Adds a measurement.
    public mutating func take(millivolts: UInt16) {
        if let mean {
            self.mean = mean - mean / 16 + UInt32(millivolts)
        } else {
            mean = UInt32(millivolts) * 16
        }
        if percent <= Self.low { isLow = true }
        if percent >= Self.recovered { isLow = false }
    }

    /// The discharge curve of one cell at a fifth of its capacity an hour, straight between these points; it falls steeply
    /// at both ends, which is why 3700 mV is not the middle of 3300 and 4200.
    public static func percent(millivolts: UInt16) -> UInt8 {
        let points: InlineArray<12, (UInt16, UInt16)> = [
            (3_300, 0), (3_600, 5), (3_680, 10), (3_710, 15), (3_740, 20), (3_770, 30), (3_800, 40), (3_840, 50),
            (3_920, 66), (3_980, 77), (4_080, 90), (4_200, 100),
        ]
        if millivolts <= points[0].0 { return 0 }
        for place in 1..<12 where millivolts <= points[place].0 {
            let (low, high) = (points[place - 1], points[place])
            return UInt8(low.1 + (millivolts - low.0) * (high.1 - low.1) / (high.0 - low.0))
        }
        return 100
    }

    /// The charge by the original's rule: straight from 3700 mV to 4300 mV.
    public static func originalPercent(millivolts: UInt16) -> UInt8 {
        UInt8((UInt32(min(max(millivolts, 3_700), 4_300)) - 3_700) * 100 / 600)
    }
}
