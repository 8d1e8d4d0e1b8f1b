/// The part of a day, as people say it, by the clock where they are.
public enum DayPart: String, Sendable, CaseIterable {
    /// From midnight on.
    case night
    /// From 4:00 on.
    case morning
    /// From 12:00 on.
    case afternoon
    /// From 18:00 on.
    case evening

    /// - Parameter minute: of the local day, 0 to 1,439.
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
