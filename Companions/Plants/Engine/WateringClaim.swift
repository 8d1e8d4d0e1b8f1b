/// The meaning of a watering that somebody noted, compared with the sensor.
///
/// A person is believed at once: water takes its time to the probe, and a reading older than the watering says nothing
/// of it. When the sensor has had time and has seen nothing, its state is shown, with a doubt.
public enum WateringClaim: UInt8, Sendable {
    /// No effect: the sensor decides.
    case none = 0
    /// Watered, as somebody said; the sensor may still see it.
    case believed = 1
    /// Doubtful: the sensor, which has had time, has seen nothing of it.
    case doubted = 2
    /// Watered just now: wetter than the plant likes, until it has drained.
    case draining = 3
    /// Watered just now: the water still spreads, so that neither the level nor what is worked out of it says much.
    case settling = 4

    /// The time after a watering for which a reading may not show it yet, in milliseconds: as long as a detector takes
    /// to confirm one, and as much again for water that seeps slowly.
    public static let patience: Int64 = 90 * 60_000
    /// The time for which a person is believed whose sensor is silent, in milliseconds.
    public static let longestBelieved: Int64 = 12 * 3_600_000
    /// The time for which a doubt is mentioned, in milliseconds.
    public static let longestDoubted: Int64 = 24 * 3_600_000
    /// The time for which a watered pot drains, in milliseconds: as long as forecasts wait (``DryDown/drain``).
    public static let drain: Int64 = 6 * 3_600_000

    /// Judges the last watering.
    ///
    /// - Parameters:
    ///   - state: the state according to the sensor.
    ///   - wateredAt: the time of the last watering, in UTC milliseconds; nil if there was none.
    ///   - isByHand: whether a person noted it.
    ///   - isSeen: whether the readings show it.
    ///   - latestAt: the time of the newest reading of moisture, in UTC milliseconds.
    ///   - now: the current time, in UTC milliseconds.
    public init(state: PlantState, wateredAt: Int64?, isByHand: Bool, isSeen: Bool, latestAt: Int64?, now: Int64) {
        self = .none
        // A phone's clock may be a little ahead.
        guard let wateredAt, let latestAt else { return }
        let ago = max(0, now - wateredAt)
        switch state {
        case .wet:
            if ago < Self.drain { self = .draining }
        case .ok where isByHand && latestAt < wateredAt:
            if ago < Self.longestBelieved { self = .believed }
        case .ok:
            // One that the sensor has had time to see, and has not, changes nothing.
            let isDoubted = isByHand && !isSeen && latestAt - wateredAt >= Self.patience
            if ago < Self.drain, !isDoubted { self = .settling }
        case .dry where isByHand && isSeen:
            // Seen and still low: the rest is on its way.
            if latestAt - wateredAt < Self.patience { self = .believed }
        case .dry where isByHand:
            if latestAt - wateredAt < Self.patience {
                if ago < Self.longestBelieved { self = .believed }
            } else if ago < Self.longestDoubted {
                self = .doubted
            }
        default: return
        }
    }

    /// The state of the plant by everything that is known.
    ///
    /// - Parameter measured: the state according to the sensor.
    public func state(_ measured: PlantState) -> PlantState {
        switch self {
        case .believed, .draining, .settling: .ok
        case .none, .doubted: measured
        }
    }
}
