/// What a watering that somebody noted means beside what the sensor says.
///
/// What a person says counts at once: water takes its time to the probe, and a reading that is older than the watering
/// says nothing of it. When the sensor has had time and has seen nothing, it is the sensor that is told, with its doubt.
public enum WateringClaim: UInt8, Sendable {
    /// The sensor's word stands.
    case none = 0
    /// Watered by what somebody said; the sensor may still see it.
    case believed = 1
    /// Somebody said so, and the sensor, which has had time, has seen nothing of it.
    case doubted = 2
    /// Watered just now: more than the plant likes, until it has drained.
    case draining = 3

    /// How long after a watering a reading may not show it yet, milliseconds: what a detector wants to confirm one, and
    /// as much again for water that seeps slowly.
    public static let patience: Int64 = 90 * 60_000
    /// How long somebody is believed whose sensor says nothing at all, milliseconds.
    public static let longestBelieved: Int64 = 12 * 3_600_000
    /// How long a doubt is worth a word, milliseconds.
    public static let longestDoubted: Int64 = 24 * 3_600_000
    /// How long a watered pot drains, milliseconds: as long as forecasts wait (``DryDown/drain``).
    public static let drain: Int64 = 6 * 3_600_000

    /// Judges the newest watering that stands.
    /// - Parameters:
    ///   - state: as the sensor says.
    ///   - wateredAt: when it was watered last, UTC milliseconds as the others; nil where it never was.
    ///   - isByHand: whether somebody noted it.
    ///   - isSeen: whether the curve shows it.
    ///   - latestAt: when the newest moisture was measured.
    ///   - now: the time.
    public init(state: PlantState, wateredAt: Int64?, isByHand: Bool, isSeen: Bool, latestAt: Int64?, now: Int64) {
        self = .none
        // A phone's clock may be a little ahead.
        guard let wateredAt, let latestAt else { return }
        let ago = max(0, now - wateredAt)
        switch state {
        case .wet:
            if ago < Self.drain { self = .draining }
        case .dry where isByHand && !isSeen:
            if latestAt - wateredAt < Self.patience {
                if ago < Self.longestBelieved { self = .believed }
            } else if ago < Self.longestDoubted {
                self = .doubted
            }
        default: return
        }
    }

    /// How the plant is by all that is known.
    /// - Parameter measured: as the sensor says.
    public func state(_ measured: PlantState) -> PlantState {
        switch self {
        case .believed, .draining: .ok
        case .none, .doubted: measured
        }
    }
}
