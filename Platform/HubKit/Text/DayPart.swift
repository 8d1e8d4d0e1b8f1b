/// The part of the day, by the local clock, as people name it.
public enum DayPart: String, Sendable, CaseIterable {
    /// The time from midnight to 4:00.
    case night
    /// The time from 4:00 to 12:00.
    case morning
    /// The time from 12:00 to 18:00.
    case afternoon
    /// The time from 18:00 to midnight.
    case evening

    /// The part of the day that a minute is in.
    ///
    /// - Parameter minute: the minute of the local day, 0 to 1,439.
    public init(minute: Int32) {
        self =
            switch minute / 60 {
            case ..<4: .night
            case ..<12: .morning
            case ..<18: .afternoon
            default: .evening
            }
    }
}
