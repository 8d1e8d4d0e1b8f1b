extension BrushingSession {
    /// Milliseconds of brushing, flossing and rinsing below which a session was begun by mistake. The shortest routine
    /// takes 5 s, and counts from 3.75 s on: nothing that could count is below it.
    static let leastWorth: Int64 = 3_000

    /// Whether so much was done that somebody would miss it: what is less is not stored.
    public var isWorthKeeping: Bool { result.milliseconds >= Self.leastWorth }
}
